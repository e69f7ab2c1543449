"""All paths of the candidate sequences of one function, one constraint tree for each.

Each Variant has a constraint tree of its own; together they are a forest.  Paths are found in
rounds over all trees, so that every Variant gets its share of a bound.

Invariant: every path is found once and carries the inputs of its run; a branch or run that was
not finished is counted, with the reason, in ``counts``, ``blocked`` or the leaves of the trees.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from unitcraft.execute.guest.interpret import ArgumentFailedError, type_name
from unitcraft.explore.concolic.concolic_run import (
    DIVERGED,
    ConcolicRun,
    RunRequest,
    check_worker,
    run_on_workers,
    skeleton_of,
)
from unitcraft.explore.concolic.path_exploration import PathCounts, PathExploration
from unitcraft.explore.concolic.symbolic_inputs import fill_inputs
from unitcraft.explore.execution import MISUSE

if TYPE_CHECKING:
    from collections.abc import Callable

    from unitcraft.core.sequences import Sequence as Program
    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.explore.concolic.candidate_sequences import Variant
    from unitcraft.solve.protocol import Solver
    from unitcraft.symbolic.terms.constraint_tree import TreeNode
    from unitcraft.symbolic.terms.term import Constraint

#: Runs that may be asked for, per path wanted: some take a known path, or diverge.
RUNS_PER_PATH: Final = 4

#: The exception of a run whose last Call was given a nested Call that raised.
_ARGUMENT_FAILED: Final = type_name(ArgumentFailedError)


@dataclass(eq=False, slots=True)
class PathTask:
    """The paths of one Variant."""

    variant: Variant
    paths: PathExploration

    @property
    def refused(self) -> bool:
        """Did every run so far end with an error that arguments of a wrong type cause?"""
        met = self.paths.met
        return bool(met) and all(one.outcome in MISUSE for one in met)


class Path(NamedTuple):
    """One path: the run that took it."""

    job: PathTask
    met: ConcolicRun

    @property
    def outcome(self) -> str:
        """'' for a return, else the class (``module:qualname``) of what was raised."""
        return self.met.outcome

    @property
    def marks(self) -> tuple[tuple[int, int], ...]:
        """(site, events before it) in order, where the code was rewritten with sites."""
        return self.met.marks

    @property
    def at_target(self) -> bool:
        """Did the program come to its last Call, and make the arguments in it?"""
        is_last = self.met.last == len(self.met.skeleton.calls) - 1
        return is_last and self.met.outcome != _ARGUMENT_FAILED

    @property
    def program(self) -> Program:
        """The program with the inputs of the run."""
        return fill_inputs(self.job.variant.program, self.met.values)

    @property
    def condition(self) -> tuple[Constraint, ...]:
        """The path condition: the constraints on the inputs that take this path."""
        return self.met.events


@dataclass(slots=True)
class PathForest:
    """The trees of all Variants; mutable: ``explore`` lets them grow.

    ``blocked`` counts the runs that the policy or a bound ended, by reason.
    """

    jobs: list[PathTask] = field(default_factory=list)
    found: list[Path] = field(default_factory=list)
    counts: PathCounts = field(default_factory=PathCounts)
    blocked: Counter[str] = field(default_factory=Counter)

    def leaves(self, status: str) -> Iterator[tuple[PathTask, TreeNode]]:
        """All leaves of a status, tree by tree."""
        for job in self.jobs:
            for leaf in job.paths.tree.leaves():
                if leaf.status == status:
                    yield job, leaf

    def rep_ok(self) -> bool:
        """Are there as many paths as terminal leaves?"""
        return len(self.found) == sum(job.paths.tree.paths for job in self.jobs)


class ForestExploration:
    """Explores Variants through a Pool."""

    def __init__(self, pool: Pool, solver: Solver, target: str) -> None:
        self._pool = pool
        self._solver = solver
        self._target = target

    def explore(
        self, variants: Sequence[Variant], most: int, told: Callable[[int], None] = lambda _: None
    ) -> PathForest:
        """The forest of ``variants`` with at most ``most`` paths; ``told`` takes how many so far.

        Raises UnitcraftError ``worker-broken``.
        """
        forest = PathForest()
        forest.jobs = [self._job(variant, most, forest.counts) for variant in variants]
        left = most * RUNS_PER_PATH
        with _rare_collection():
            while runs := _take_runs(forest.jobs, min(left, most - len(forest.found))):
                self._round(forest, runs)
                left -= len(runs)
                told(len(forest.found))
        return forest

    def _job(self, variant: Variant, most: int, counts: PathCounts) -> PathTask:
        skeleton, values = skeleton_of(variant.program)
        paths = PathExploration(
            self._solver, skeleton, values, most=most * RUNS_PER_PATH, counts=counts
        )
        return PathTask(variant, paths)

    def _round(self, forest: PathForest, asked: list[tuple[PathTask, RunRequest]]) -> None:
        answers = run_on_workers(self._pool, [request for _, request in asked])
        for (job, request), answer in zip(asked, answers, strict=True):
            new = job.paths.give(request, answer)
            if isinstance(answer, ConcolicRun):
                forest.found += [Path(job, answer)] if new else []
                continue
            check_worker(answer, self._target)
            if answer.reason != DIVERGED:
                forest.blocked[answer.reason] += 1


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Collect garbage rarely: trees only grow, and scanning them costs a sixth of the time.

    What is alive before is not looked at, neither now nor by the collection that is due then.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(20_000, 50, 50)
    try:
        yield
    finally:
        gc.collect()
        gc.unfreeze()
        gc.set_threshold(*before)


def _take_runs(jobs: Sequence[PathTask], room: int) -> list[tuple[PathTask, RunRequest]]:
    """The next runs: up to ``room`` of them, a few of each job in turn.

    Jobs whose Calls have only been refused so far wait until no other job has runs left.
    """
    refused = [job for job in jobs if job.refused]
    for group in ([job for job in jobs if not job.refused], refused):
        runs: list[tuple[PathTask, RunRequest]] = []
        share = max(1, room // max(1, len(group)))
        for job in group:
            wanted = min(share, room - len(runs))
            if wanted > 0:
                runs += [(job, request) for request in job.paths.take(wanted)]
        if runs:
            return runs
    return []
