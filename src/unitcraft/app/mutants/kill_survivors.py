"""``mutants kill --all``: one search for each module, and one file of tests that its suite lacks.

Invariant: as for one mutant: a mutant is called killed only when pytest fails on it with the file
that was written, which passes on the original.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from unitcraft.app.atomic_write import write_atomically
from unitcraft.app.config import Config
from unitcraft.app.generate.engine import host_spec, open_search
from unitcraft.app.generate.generated_suite import Options, is_first_party, options_of
from unitcraft.app.mutants.kill_mutant import candidates_of
from unitcraft.app.mutants.verdict_store import StoredVerdict, VerdictStore
from unitcraft.app.project_python import find_python
from unitcraft.app.targets import locate_target
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Listener
from unitcraft.core.goals import Family, Goal
from unitcraft.core.interpreter import OWN
from unitcraft.emit.verify.verify import verify
from unitcraft.emit.write.writer import write
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.execution import Execution, cost
from unitcraft.subject.locate import Located
from unitcraft.suite.conftest_lines import write_conftest
from unitcraft.suite.generated.mutant_goals import KillChecker, KillMatrix
from unitcraft.suite.generated.oracle import observe
from unitcraft.suite.mutation import campaign
from unitcraft.suite.mutation.campaign import CampaignPlan
from unitcraft.suite.mutation.verdicts import JudgedMutant
from unitcraft.suite.recording.record import SuiteSpec


@dataclass(frozen=True, slots=True)
class KilledMutants:
    """The tests for one module, the mutants that they kill, and those that are left."""

    module: str
    path: Path | None
    text: str
    killed: tuple[str, ...]
    left: tuple[str, ...]


def kill_survivors(
    root: Path, cwd: Path, config: Config, output: Path | None, listener: Listener
) -> list[KilledMutants]:
    """Write the tests that the suites of all modules lack into ``output`` (None: nowhere).

    The verdicts of killed mutants are stored.  Raises the UnitcraftErrors of a search.
    """
    store = VerdictStore(root)
    groups: dict[str, list[StoredVerdict]] = {}
    for kept in store.kept.values():
        if not kept.judged.is_killed:
            groups.setdefault(kept.judged.mutant.module, []).append(kept)
    found: list[KilledMutants] = []
    for module, group in groups.items():
        python = find_python(config, [group[0].file], cwd)
        options = options_of(config, python)
        located = locate_target(group[0].file, cwd, config, python)[0]
        text, spec = _missing_tests(located, group, options, listener)
        judged = _confirmed(text, group, spec) if text else {}
        killed = {name: one for name, one in judged.items() if one.is_killed}
        path = None if output is None or not killed else _free_file(output, module)
        if path is not None:
            write_atomically(path, text)
            _store_kills(store, group, killed, path)
        names = [kept.judged.mutant.id for kept in group]
        left = tuple(name for name in names if name not in killed)
        found.append(KilledMutants(module, path, text if killed else "", tuple(killed), left))
    return found


def _store_kills(
    store: VerdictStore,
    group: Sequence[StoredVerdict],
    killed: Mapping[str, JudgedMutant],
    path: Path,
) -> None:
    """Keep the verdicts of the mutants that the tests in ``path`` kill."""
    for kept in group:
        judged = killed.get(kept.judged.mutant.id)
        if judged is not None:
            test = f"{path.name}::{judged.test.partition('::')[2]}"
            store.add(replace(kept, judged=replace(judged, test=test)))


def _missing_tests(
    located: Located, group: Sequence[StoredVerdict], options: Options, listener: Listener
) -> tuple[str, HostSpec]:
    """The verified text of tests that kill mutants of ``group``; '' when there are none."""
    spec = host_spec(located, options)
    with open_search(spec, located, options, listener) as opened:
        pass
    runs = candidates_of(opened)
    names = [kept.judged.mutant.id for kept in group]
    one = replace(spec, options={**spec.options, "only": names})
    with KillChecker(opened.sites, located.module, one, options.jobs, options.seed) as bench:
        reveals = bench.judged(list(runs.values())).reveals
    chosen = _cheapest(runs, reveals)
    plain = replace(spec, options={"module": located.module, "rewrite": False})
    observed = observe(chosen, plain, options.jobs, reveals)
    own = is_first_party(located, options)
    written = write(opened.subject, observed.tests, first_party=own)
    verified = verify(
        written, opened.subject, spec,
        surroundings=observed.surroundings, warnings=options.warnings,
    )  # fmt: skip
    return verified.text, spec


def _cheapest(
    runs: Mapping[str, Execution], reveals: KillMatrix
) -> list[tuple[Execution, tuple[Goal, ...]]]:
    """For each mutant in turn the cheapest run that kills it by a Check, or else at all.

    A mutant that a run chosen before kills in that way has no run of its own.
    """
    prices = {key: cost(run.sequence) for key, run in runs.items()}
    order = sorted((key for key in reveals if key in runs), key=lambda key: (prices[key], key))
    wanted = sorted({goal for key in order for goal in reveals[key]})
    strong = [goal for goal in wanted if goal.family is Family.MUTANT_BY_CHECK]
    numbers = {goal.number for goal in strong}
    weak = [goal for goal in wanted if goal.number not in numbers]
    chosen: dict[str, None] = {}
    for goal in [*strong, *weak]:
        if not any(goal in reveals[key] for key in chosen):
            chosen[next(key for key in order if goal in reveals[key])] = None
    return [(runs[key], tuple(sorted(reveals[key]))) for key in chosen]


def _confirmed(
    text: str, group: Sequence[StoredVerdict], spec: HostSpec
) -> dict[str, JudgedMutant]:
    """Id -> the verdict of pytest with the tests of ``text``."""
    about = group[0].judged.mutant
    with tempfile.TemporaryDirectory(prefix="unitcraft-kill-") as folder:
        (Path(folder) / "test_killing.py").write_text(text, encoding="utf-8")
        write_conftest(Path(folder), spec.before_import)
        suite = SuiteSpec(
            ("test_killing.py",), (about.module,), folder, spec.paths, spec.policy,
            env=dict(spec.environment), python=spec.python or OWN,
        )  # fmt: skip
        names = [kept.judged.mutant.id for kept in group]
        plan = CampaignPlan(suite, {about.module: group[0].file}, only=names)
        try:
            return dict(campaign.run_campaign(plan).judged)
        except UnitcraftError:
            return {}


def _free_file(folder: Path, module: str) -> Path:
    """``test_MODULE_mutants.py``, with a number where earlier runs have written."""
    stem = f"test_{module.replace('.', '_')}_mutants"
    number = 1
    while (path := folder / (f"{stem}.py" if number == 1 else f"{stem}_{number}.py")).exists():
        number += 1
    return path
