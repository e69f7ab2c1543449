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
from unitcraft.app.config import Config, cores
from unitcraft.app.generate.generate_module import (
    CONCOLIC_AGENT,
    MAX_LOCAL_SEARCH,
    MAX_PROXY_STEPS,
    MAX_SOLVER_WORK,
    SEARCH_AGENT,
    restrict,
)
from unitcraft.app.mutants.mutants_command import locate_mutant, locate_subjects, stored_verdict
from unitcraft.app.mutants.verdict_store import StoredVerdict, VerdictStore
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import SilentListener
from unitcraft.core.goals import Family, Goal
from unitcraft.emit.verify.verify import verify
from unitcraft.emit.write.writer import write
from unitcraft.execute.policy import Policy
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.agents.answers import SearchReady
from unitcraft.explore.concolic.branch_negation import BranchNegation
from unitcraft.explore.execution import Execution, cost
from unitcraft.explore.search.goal_search import GoalSearch, Limits
from unitcraft.instrument.sites import BranchSite
from unitcraft.solve.chain import chain
from unitcraft.solve.statistics import Statistics
from unitcraft.subject.locate import Located
from unitcraft.subject.model import Subject
from unitcraft.subject.subject_codec import decode_subject
from unitcraft.subject.values.user_factories import find_factories, read_user_values
from unitcraft.subject.values.value_pools import ValuePools
from unitcraft.suite.generated.mutant_goals import KillAnalysis, KillChecker
from unitcraft.suite.generated.oracle import observe
from unitcraft.suite.mutation import campaign
from unitcraft.suite.mutation.campaign import CampaignPlan
from unitcraft.suite.mutation.mutants.source_mutants import SourceMutant
from unitcraft.suite.recording.record import SuiteSpec

#: Runs that are tried on the mutant.
MAX_RUNS: Final = 2_000

#: Tests that are written out and run by pytest before giving up.
MAX_ATTEMPTS: Final = 3

#: The Goal that stands for the only mutant.
GOAL: Final = Goal(Family.MUTANT, 0)


@dataclass(frozen=True, slots=True)
class Killed:
    """The file with the missing test, or (None) why there is none."""

    path: Path | None
    text: str
    why: str = ""


def kill(root: Path, name: str, cwd: Path, config: Config, output: Path | None) -> Killed:
    """Write the test that the mutant ``name`` lacks into the folder ``output`` (None: nowhere).

    Raises UnitcraftError: ``unknown-mutant``, ``mutant-outdated``, and those of a search.
    """
    kept = stored_verdict(VerdictStore(root), name)
    if kept.judged.is_killed:
        return Killed(None, "", f"{name} is killed already by {kept.judged.test or 'a test'}")
    _, mutant = locate_mutant(kept)
    about = kept.judged.mutant
    for attribute in _scopes(about.function):
        located = locate_subjects([f"{about.module}:{attribute}"], cwd, config)[0]
        spec = _spec(located, config)
        subject, kills, candidates = _find_kills(spec, located, mutant, config)
        if kills:
            break
    else:
        return Killed(None, "", _reason(candidates, name))
    for run, keys in sorted(kills, key=lambda one: cost(one[0].sequence))[:MAX_ATTEMPTS]:
        text = _write_test(subject, run, keys, spec, config)
        if text and _fails_on_mutant(text, kept, located, config):
            path = None if output is None else output / _file_name(name)
            if path is not None:
                write_atomically(path, text)
            return Killed(path, text)
    return Killed(None, "", f"no test of {len(kills)} that kill {name} holds under pytest")


def _scopes(function: str) -> list[str]:
    """Scopes of the search: the function, then its class, whose other methods make states."""
    owner = function.rpartition(".")[0]
    return [function, owner] if owner else [function]


def _file_name(name: str) -> str:
    """A test file of its own for a mutant."""
    return f"test_mutant_{''.join(char if char.isalnum() else '_' for char in name)}.py"


def _reason(candidates: int, name: str) -> str:
    if not candidates:
        return f"no run that could become a test enters the function of {name}"
    return f"{candidates} runs behave the same on {name}: it may be equivalent"


def _spec(located: Located, config: Config) -> HostSpec:
    factories = Path(config.factories) if config.factories else find_factories(located.root)
    more = () if factories is None else (str(factories.resolve().parent),)
    return HostSpec(
        entry=SEARCH_AGENT,
        options={"module": located.module, "rewrite": True, "fields": False},
        paths=(str(located.root), *(str(config.root / path) for path in config.paths), *more),
        policy=Policy.of(config.sandbox, config.allow),
        steps=config.steps,
        item_seconds=1.0,
    )


def _find_kills(
    spec: HostSpec, located: Located, mutant: SourceMutant, config: Config
) -> tuple[Subject, list[tuple[Execution, tuple[str, ...]]], int]:
    """The Subject, the runs that kill the mutant with what differs, and how many were tried."""
    jobs = config.jobs or cores()
    with Pool(spec, jobs) as pool:
        ready = SearchReady.read(pool.ready)
        subject = restrict(decode_subject(ready.subject), located.attribute)
        sites, raises = ready.sites, ready.raises
        factories = Path(config.factories) if config.factories else find_factories(located.root)
        user = read_user_values(
            located.file.read_text(encoding="utf-8", errors="replace"), factories
        )
        symbolic = replace(
            spec,
            entry=CONCOLIC_AGENT,
            options={"module": located.module, "sites": True},
            steps=min(spec.steps, MAX_PROXY_STEPS),
        )
        with Pool(symbolic, jobs) as followers:
            negation = BranchNegation(
                followers, chain(Statistics(), work=MAX_SOLVER_WORK, after=MAX_LOCAL_SEARCH)
            )
            same = followers.ready["sites"] == pool.ready["sites"]
            search = GoalSearch(
                subject, sites, raises, pool, ValuePools(subject, user), user, config.seed,
                negation if same else None,
            )  # fmt: skip
            found = search.explore(Limits(config.executions or 24_000), SilentListener())
    runs = {run.sequence.key: run for _, run in found.goals.best.values()}
    runs |= {run.sequence.key: run for run in search.corpus()}
    candidates = list(runs.values())
    kills = _judge(candidates, sites, mutant, spec, config)
    killing = [
        (run, kills.reveals[key][GOAL])
        for key, run in runs.items()
        if GOAL in kills.reveals.get(key, {})
    ]
    return subject, killing, len(candidates)


def _judge(
    candidates: list[Execution],
    sites: list[BranchSite],
    mutant: SourceMutant,
    spec: HostSpec,
    config: Config,
) -> KillAnalysis:
    only = (mutant.about.function, mutant.node.lineno, mutant.index)
    one = replace(spec, options={**spec.options, "only": only})
    jobs = config.jobs or cores()
    with KillChecker(sites, mutant.about.module, one, jobs, config.seed) as bench:
        return bench.judged(candidates, MAX_RUNS)


def _write_test(
    subject: Subject, run: Execution, keys: tuple[str, ...], spec: HostSpec, config: Config
) -> str:
    """The verified text of the one test."""
    plain = replace(spec, options={"module": subject.module, "rewrite": False})
    reveals = {run.sequence.key: {GOAL: keys}}
    observed = observe([(run, (GOAL,))], plain, config.jobs or cores(), reveals)
    return verify(write(subject, observed.tests), subject, spec).text


def _fails_on_mutant(text: str, kept: StoredVerdict, located: Located, config: Config) -> bool:
    """Does pytest fail on the mutant with this test?"""
    about = kept.judged.mutant
    with tempfile.TemporaryDirectory(prefix="unitcraft-kill-") as folder:
        (Path(folder) / "test_killing.py").write_text(text, encoding="utf-8")
        spec = _spec(located, config)
        suite = SuiteSpec(("test_killing.py",), (about.module,), folder, spec.paths, spec.policy)
        plan = CampaignPlan(suite, {about.module: kept.file}, only=[about.id])
        try:
            progress = campaign.run_campaign(plan)
        except UnitcraftError:
            return False
    return any(one.is_killed for one in progress.judged.values())
