"""What one module's suite is made by, and what it comes to: options and a record of plain values.

Invariant: nothing of the engine is loaded here: a run in which nothing changed needs these only
(20 modules: 1.3 s of processor time with the engine, half of that without).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from unitcraft.app.config import DEFAULT_FACTORIES, Config, cores
from unitcraft.app.generate.phase_times import Phases
from unitcraft.app.pytest_settings import pytest_settings
from unitcraft.app.search_path import search_path
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Finding
from unitcraft.core.interpreter import OWN, Interpreter
from unitcraft.execute.policy import Level
from unitcraft.explore.search.search_result import MAX_RUNS
from unitcraft.subject.locate import Located
from unitcraft.suite.suite_figures import MutantFigures, ReachedLines


@dataclass(frozen=True, slots=True)
class GeneratedSuite:
    """The suite of one module and its figures; ``text`` is empty when nothing could be tested.

    ``mutants`` are those by which tests were chosen, ``phases`` the seconds of each phase,
    ``variations`` (kind, runs, new Goals, new sites) of the kinds of variation.  ``reached`` is
    what the tests met of the file, ``never`` the (line, outcome) of each branch that no run of the
    search took.
    """

    target: str
    module: str
    file_name: str
    text: str
    tests: int
    branches_covered: int
    branches: int
    lines_covered: int
    lines: int
    seconds: float
    findings: tuple[Finding, ...]
    truncated: bool
    executions: int
    mutants: MutantFigures = field(default_factory=MutantFigures)
    phases: Phases = ()
    variations: tuple[tuple[str, int, int, int], ...] = ()
    reached: ReachedLines = field(default_factory=ReachedLines)
    never: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """Options of the engine; ``budget`` is in seconds, ``executions`` bounds the search.

    ``python`` runs the module and its suite, ``warnings`` are the filters that the suite meets,
    ``env`` the variables that both see, ``before_import`` the functions that set the
    project up.  ``project`` is the folder of the settings,
    ``began`` the monotonic time from which ``budget`` counts (None: when the work begins).
    """

    seed: int = 0
    jobs: int = 1
    steps: int = 200_000
    executions: int = MAX_RUNS
    budget: float | None = None
    sandbox: Level = "standard"
    allow: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    factories: str = ""
    symbolic: bool = True
    mocks: bool = True
    criterion: tuple[str, ...] = ()
    scope: int = 3
    transcope: str = ""
    rep_ok: str = ""
    python: Interpreter = OWN
    warnings: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    before_import: tuple[str, ...] = ()
    project: str = ""
    began: float | None = None


def is_first_party(located: Located, options: Options) -> bool:
    """Is the module the project's own, by the folders in which ruff and isort look for those?"""
    project = Path(options.project)
    return bool(options.project) and located.root in (project, project / "src")


def options_of(config: Config, python: Interpreter = OWN) -> Options:
    """The options of the engine, taken from the settings, with absolute paths."""
    options = Options(
        seed=config.seed,
        jobs=config.jobs or cores(),
        steps=config.steps,
        budget=config.budget,
        sandbox=config.sandbox,
        allow=config.allow,
        paths=search_path(config),
        factories=_factories(config),
        criterion=config.criterion,
        scope=config.scope,
        transcope=config.transcope,
        rep_ok=config.rep_ok,
        symbolic=config.symbolic,
        mocks=config.mocks,
        python=python,
        warnings=pytest_settings(config.root).warnings,
        env=config.env,
        before_import=config.before_import,
        project=str(config.root),
    )
    return replace(options, executions=config.executions) if config.executions else options


def _factories(config: Config) -> str:
    """The file of the user's own values; '' when there is none.

    Raises UnitcraftError (``missing-factories``) when the settings name a file that is missing.
    """
    file = config.root / (config.factories or DEFAULT_FACTORIES)
    if file.is_file():
        return str(file)
    if config.factories:
        raise UnitcraftError(
            "missing-factories",
            f"the factories file {file} does not exist",
            cause=f"`factories` in {config.source}",
            advice="create the file, or remove the key",
        )
    return ""
