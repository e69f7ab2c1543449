"""Concolic exploration of the paths of one invocation: run, negate a branch, solve, run again.

Invariant: every path is found once; an unexplored branch is given to the solver once, and the
status of its leaf in the constraint tree is the result.  Runs, solving and memory are bounded;
a branch that a bound left unexplored is counted as unknown.

Source: JTESTCRAFT, sections 3.1 and 3.3; differs: breadth first over the leaves in place of
depth first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

from unitcraft.solve.protocol import Query, Sat, Solver, Unsat
from unitcraft.symbolic.terms.constraint_tree import ConstraintTree, Diverged, TreeNode
from unitcraft.symbolic.terms.term import Constraint, Kind

Values = tuple[Any, ...]

#: Branches of one path that are kept; a longer path is cut there, which ``cut`` counts.
MAX_BRANCHES: Final = 500
#: Runs that are asked for at once: enough to fill the batches of several workers.
MAX_AT_ONCE: Final = 64
#: Work on one invocation: a unit is a constraint given to the solver or one met by a run, a
#: few microseconds each.
MAX_WORK: Final = 1_500_000
#: Units for a new node of the tree, which is kept (about a kilobyte).
NODE_COST: Final = 10


@dataclass(frozen=True, slots=True)
class PathRun:
    """One run: its inputs, and its path condition after the prefix (all of it if ``whole``)."""

    events: tuple[Constraint, ...]
    whole: bool
    values: Values
    answer: Any


@dataclass(slots=True)
class PathCounts:
    """Counts of runs, paths and branches.

    ``reasons`` counts, by reason, the branches that were not decided (``unknown`` in all).
    ``cut`` counts paths that were longer than what is kept of them.
    """

    runs: int = 0
    paths: int = 0
    infeasible: int = 0
    unknown: int = 0
    diverged: int = 0
    cut: int = 0
    reasons: dict[str, int] = field(default_factory=dict)

    def note_unknown(self, reason: str) -> None:
        """Count a branch that was not decided."""
        self.unknown += 1
        self.reasons[reason] = self.reasons.get(reason, 0) + 1


class PathExploration:
    """The paths of one invocation under a ``prefix`` of constraints.

    Abstract state: the constraint tree, and the leaves whose branches wait to be negated.  At
    most ``most`` runs are asked for; ``counts`` may be shared.  ``random``: negate branches in an
    order drawn from it.
    """

    def __init__(
        self,
        solver: Solver,
        kinds: tuple[Kind, ...],
        start: Values,
        prefix: Sequence[Constraint] = (),
        *,
        most: int = 10_000,
        counts: PathCounts | None = None,
        random: Random | None = None,
    ) -> None:
        self.tree = ConstraintTree(prefix)
        self.counts = counts if counts is not None else PathCounts()
        self.met: list[PathRun] = []
        self._solver = solver
        self._kinds = kinds
        self._start: Values | None = start
        self._leaves: deque[TreeNode] = deque()
        self._left = most
        self._work = MAX_WORK
        self._random = random
        self._asked: dict[TreeNode, tuple[Constraint, ...]] = {}

    def take(self, limit: int = MAX_AT_ONCE) -> list[tuple[Values, TreeNode | None]]:
        """The next runs: inputs, and the leaf for which they were made; [] at the end.

        Everything that was taken before must have been given back, or be lost.
        """
        taken: list[tuple[Values, TreeNode | None]] = []
        self._asked.clear()
        if self._start is not None:
            taken.append((self._start, None))
            self._start = None
            self._left -= 1
        while self._leaves and len(taken) < limit:
            leaf = self._leaves.popleft()
            if leaf.status != "unexplored":
                continue
            if self._left <= 0 or self._work <= 0:
                self._give_up(leaf, "bound")
                continue
            values = self._solve(leaf)
            if values is not None:
                taken.append((values, leaf))
                self._left -= 1
        return taken

    def known(self, leaf: TreeNode | None) -> tuple[Constraint, ...]:
        """The events of a run for ``leaf``, just taken, before the one that is negated."""
        return self._asked.get(leaf, ()) if leaf is not None else ()

    def give(self, met: PathRun, leaf: TreeNode | None, start: TreeNode | None = None) -> bool:
        """Insert a run into the tree; was its path new?

        ``start``: the events before this node of the tree need not be looked at again.
        """
        self.counts.runs += 1
        before = self.tree.paths
        if not met.whole or len(met.events) > MAX_BRANCHES:
            met = replace(met, events=met.events[:MAX_BRANCHES], whole=False)
        try:
            later = met.events if start is None else met.events[start.depth :]
            found = self.tree.insert(later, met, leaf, start)
        except Diverged:
            self.lost(leaf, "diverged")
            return False
        self._work -= len(self.tree.prefix) + len(met.events) + NODE_COST * len(found)
        self._queue(found)
        if self.tree.paths == before:
            return False
        self.counts.paths += 1
        self.counts.cut += not met.whole
        self.met.append(met)
        return True

    def _queue(self, found: list[TreeNode]) -> None:
        if self._random is not None:
            self._random.shuffle(found)
        for leaf in found:
            if leaf.status == "unexplored":
                self._leaves.append(leaf)
            else:
                self.counts.note_unknown(leaf.reason)

    def lost(self, leaf: TreeNode | None, reason: str) -> None:
        """Record that no run for ``leaf`` gave a usable answer."""
        self.counts.diverged += reason == "diverged"
        if leaf is not None and leaf.status == "unexplored":
            self._give_up(leaf, reason)

    def forget(self) -> None:
        """Free the tree, once no branch waits; the runs are kept."""
        self.tree = ConstraintTree()

    def _give_up(self, leaf: TreeNode, reason: str) -> None:
        leaf.status, leaf.reason = "unknown", reason
        self.counts.note_unknown(reason)

    def _solve(self, leaf: TreeNode) -> Values | None:
        """Inputs that reach ``leaf``; None when there are none, or none were found."""
        condition = leaf.condition()
        constraints = (*self.tree.prefix, *condition) if self.tree.prefix else condition
        self._work -= len(constraints)
        verdict = self._solver.solve(Query(constraints, self._kinds, leaf.run.values))
        if isinstance(verdict, Sat):
            self._asked[leaf] = condition[: leaf.depth - 1]
            return verdict.values
        if isinstance(verdict, Unsat):
            leaf.status = "infeasible"
            self.counts.infeasible += 1
        else:
            self._give_up(leaf, verdict.reason)
        return None
