"""``mutants kill``: searches for a test that kills one mutant, and writes it.

Invariant: a test is written only when it passes on the original and fails on the mutant under
pytest, each in a process of its own.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from unitcraft.app.atomic_write import write_atomically
from unitcraft.app.config import Config
from unitcraft.app.generate.engine import OpenSearch, host_spec, open_search
from unitcraft.app.generate.generated_suite import Options, is_first_party, options_of
from unitcraft.app.mutants.mutants_command import locate_mutant, stored_verdict
from unitcraft.app.mutants.verdict_store import StoredVerdict, VerdictStore
from unitcraft.app.project_python import find_python
from unitcraft.app.targets import locate_target
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Finding, SilentListener
from unitcraft.core.interpreter import OWN
from unitcraft.emit.verify.verify import verify
from unitcraft.emit.write.writer import write
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.execution import Execution, cost
from unitcraft.subject.locate import Located
from unitcraft.subject.model import Subject
from unitcraft.suite.conftest_lines import write_conftest
from unitcraft.suite.generated.mutant_goals import KillChecker, KillMatrix
from unitcraft.suite.generated.oracle import observe
from unitcraft.suite.mutation import campaign
from unitcraft.suite.mutation.campaign import CampaignPlan
from unitcraft.suite.mutation.mutants.source_mutants import SourceMutant
from unitcraft.suite.mutation.verdicts import JudgedMutant
from unitcraft.suite.recording.record import SuiteSpec

#: Runs that are tried on the mutant.
MAX_RUNS: Final = 2_000

#: Tests that are written out and run by pytest before giving up.
MAX_ATTEMPTS: Final = 3


@dataclass(frozen=True, slots=True)
class Killed:
    """The file with the missing test, or (None) why there is none."""

    path: Path | None
    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A search in one scope: the Executions that kill the mutant, and how many were tried."""

    subject: Subject
    spec: HostSpec
    located: Located
    killing: tuple[Execution, ...]
    reveals: KillMatrix
    candidates: int
    notes: tuple[Finding, ...]


def kill(root: Path, name: str, cwd: Path, config: Config, output: Path | None) -> Killed:
    """Write the test that the mutant ``name`` lacks into the folder ``output`` (None: nowhere).

    Raises UnitcraftError: ``unknown-mutant``, ``mutant-outdated``, and those of a search.
    """
    store = VerdictStore(root)
    kept = stored_verdict(store, name)
    if kept.judged.is_killed:
        return Killed(None, "", f"{name} is killed already by {kept.judged.test or 'a test'}")
    _, mutant = locate_mutant(kept)
    python = find_python(config, [kept.file], cwd)
    options = options_of(config, python)
    attempts: list[_Attempt] = []
    for attribute in _scopes(mutant.users):
        target = f"{mutant.about.module}:{attribute}" if attribute else mutant.about.module
        located = locate_target(target, cwd, config, python)[0]
        attempts += _attempts(located, mutant, options)
        if attempts and attempts[-1].killing:
            break
    if not attempts or not attempts[-1].killing:
        return Killed(None, "", _reason(attempts, name))
    found = attempts[-1]
    for run in sorted(found.killing, key=lambda one: cost(one.sequence))[:MAX_ATTEMPTS]:
        text = _write_test(found, run, options)
        judged = _verdict_with(text, kept, found.spec) if text else None
        if judged is not None:
            path = None if output is None else output / _file_name(name)
            if path is not None:
                write_atomically(path, text)
                test = f"{path.name}::{judged.test.partition('::')[2]}"
                store.add(replace(kept, judged=replace(judged, test=test)))
            return Killed(path, text)
    many = len(found.killing)
    return Killed(None, "", f"no test of {many} that kill {name} holds under pytest")


def _scopes(users: tuple[str, ...]) -> list[str]:
    """Scopes of the search: the function, then its class, whose other methods make states.

    The whole module ('') for a value that several functions use.
    """
    if len(users) > 1:
        return [""]
    owner = users[0].rpartition(".")[0]
    return [users[0], owner] if owner else [users[0]]


def _file_name(name: str) -> str:
    """A test file of its own for a mutant."""
    return f"test_mutant_{''.join(char if char.isalnum() else '_' for char in name)}.py"


def _reason(attempts: list[_Attempt], name: str) -> str:
    candidates = attempts[-1].candidates if attempts else 0
    notes = "".join(
        f" ({one.code}: {one.message})" for one in (attempts[-1].notes if attempts else ())
    )
    if not candidates:
        return f"no run that could become a test enters the function of {name}{notes}"
    runs = "one run behaves" if candidates == 1 else f"{candidates} runs behave"
    return f"{runs} the same on {name}: it may be equivalent{notes}"


def _attempts(located: Located, mutant: SourceMutant, options: Options) -> list[_Attempt]:
    """The search below ``located``; none where nothing can be tested."""
    spec = host_spec(located, options)
    try:
        with open_search(spec, located, options, SilentListener()) as opened:
            pass
    except UnitcraftError as error:
        if error.slug != "nothing-to-test":
            raise
        return []
    runs = candidates_of(opened)
    one = replace(spec, options={**spec.options, "only": [mutant.about.id]})
    with KillChecker(opened.sites, located.module, one, options.jobs, options.seed) as bench:
        reveals = bench.judged(list(runs.values()), MAX_RUNS).reveals
    killing = tuple(run for key, run in runs.items() if key in reveals)
    return [_Attempt(opened.subject, spec, located, killing, reveals, len(runs), opened.notes)]


def candidates_of(opened: OpenSearch) -> dict[str, Execution]:
    """Key of a Sequence -> Execution, of all that the search kept."""
    runs = {run.sequence.key: run for _, run in opened.found.goals.best.values()}
    return runs | {run.sequence.key: run for run in opened.search.corpus()}


def _write_test(found: _Attempt, run: Execution, options: Options) -> str:
    """The verified text of the one test."""
    plain = replace(found.spec, options={"module": found.subject.module, "rewrite": False})
    goals = tuple(found.reveals[run.sequence.key])
    observed = observe([(run, goals)], plain, options.jobs, found.reveals)
    own = is_first_party(found.located, options)
    written = write(found.subject, observed.tests, first_party=own)
    return verify(
        written, found.subject, found.spec,
        surroundings=observed.surroundings, warnings=options.warnings,
    ).text  # fmt: skip


def _verdict_with(text: str, kept: StoredVerdict, spec: HostSpec) -> JudgedMutant | None:
    """The verdict on the mutant with this test; None where it does not kill it."""
    about = kept.judged.mutant
    with tempfile.TemporaryDirectory(prefix="unitcraft-kill-") as folder:
        (Path(folder) / "test_killing.py").write_text(text, encoding="utf-8")
        write_conftest(Path(folder), spec.before_import)
        suite = SuiteSpec(
            ("test_killing.py",), (about.module,), folder, spec.paths, spec.policy,
            env=dict(spec.environment), python=spec.python or OWN,
        )  # fmt: skip
        plan = CampaignPlan(suite, {about.module: kept.file}, only=[about.id])
        try:
            progress = campaign.run_campaign(plan)
        except UnitcraftError:
            return None
    return next((one for one in progress.judged.values() if one.is_killed), None)
