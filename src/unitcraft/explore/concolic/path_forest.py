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
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.errors import UnitcraftError
from unitcraft.explore.concolic.path_exploration import PathCounts, PathExploration, PathRun
from unitcraft.explore.concolic.symbolic_inputs import fill_inputs, kind_of, pack_program
from unitcraft.explore.execution import MISUSE, reason_of
from unitcraft.symbolic.terms.constraint_tree import decision_node

if TYPE_CHECKING:
    from collections.abc import Callable

    from unitcraft.core.sequences import Sequence as Program
    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.execute.spec import Reply
    from unitcraft.explore.concolic.candidate_sequences import Variant
    from unitcraft.solve.protocol import Solver
    from unitcraft.symbolic.terms.constraint_tree import TreeNode
    from unitcraft.symbolic.terms.term import Constraint, Kind

#: Runs that may be asked for, per path wanted: some take a known path, or diverge.
RUNS_PER_PATH: Final = 4


@dataclass(eq=False, slots=True)
class PathTask:
    """The paths of one Variant."""

    variant: Variant
    calls: tuple[bytes, ...]
    kinds: tuple[Kind, ...]
    paths: PathExploration

    @property
    def refused(self) -> bool:
        """Did every run so far end with an error that arguments of a wrong type cause?"""
        met = self.paths.met
        return bool(met) and all(one.answer[0] in MISUSE for one in met)


_Run = tuple[PathTask, tuple[Any, ...], "TreeNode | None"]


@dataclass(frozen=True, slots=True)
class Path:
    """One path: the run that took it; ``outcome`` is '' or the class that the last Call raised."""

    job: PathTask
    met: PathRun

    @property
    def outcome(self) -> str:
        """'' for a return, else the class (``module:qualname``) of what was raised."""
        outcome: str = self.met.answer[0]
        return outcome

    @property
    def marks(self) -> tuple[tuple[int, int], ...]:
        """(site, events before it) in order, where the code was rewritten with sites."""
        marks: tuple[tuple[int, int], ...] = self.met.answer[3]
        return marks

    @property
    def at_target(self) -> bool:
        """Did the program come to its last Call?"""
        reached: bool = self.met.answer[4] == len(self.job.calls) - 1
        return reached

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
    """Explores Variants through the ``trail`` service of a Pool."""

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
        calls, values = pack_program(variant.program)
        kinds: Any = tuple(kind_of(value) for value in values)
        paths = PathExploration(
            self._solver, kinds, values, most=most * RUNS_PER_PATH, counts=counts
        )
        return PathTask(variant, calls, kinds, paths)

    def _round(self, forest: PathForest, runs: list[_Run]) -> None:
        before = [job.paths.known(leaf) for job, _, leaf in runs]
        items = [
            (job.calls, values, bytes([one[1] for one in known]))
            for (job, values, _), known in zip(runs, before, strict=True)
        ]
        replies = self._pool.map("trail", items)
        for run, known, reply in zip(runs, before, replies, strict=True):
            self._give(forest, run, known, reply)

    def _give(
        self, forest: PathForest, run: _Run, known: tuple[Constraint, ...], reply: Reply
    ) -> None:
        job, values, leaf = run
        if reply.error:
            raise UnitcraftError(
                "worker-broken",
                f"{self._target}: a worker failed while it followed a sequence",
                cause=reply.error,
            )
        if reply.failure is not None:
            reason = reason_of(reply.failure)
            forest.blocked[reason] += 1
            job.paths.lost(leaf, reason)
            return
        _, events, whole, _, _, _, as_known = reply.value
        if not as_known:
            job.paths.lost(leaf, "diverged")
            return
        met = PathRun((*known, *events), whole, values, reply.value)
        if job.paths.give(met, leaf, decision_node(leaf) if leaf is not None else None):
            forest.found.append(Path(job, met))


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Collect garbage rarely: trees only grow, and scanning them costs a sixth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(20_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _take_runs(jobs: Sequence[PathTask], room: int) -> list[_Run]:
    """The next runs: up to ``room`` of them, a few of each job in turn.

    Jobs whose Calls have only been refused so far wait until no other job has runs left.
    """
    refused = [job for job in jobs if job.refused]
    for group in ([job for job in jobs if not job.refused], refused):
        runs: list[_Run] = []
        share = max(1, room // max(1, len(group)))
        for job in group:
            wanted = min(share, room - len(runs))
            if wanted > 0:
                runs += [(job, values, leaf) for values, leaf in job.paths.take(wanted)]
        if runs:
            return runs
    return []
