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
from dataclasses import dataclass, field
from random import Random
from typing import Final

from unitcraft.explore.concolic.concolic_run import (
    DIVERGED,
    ConcolicRun,
    LostRun,
    RunRequest,
    Skeleton,
    Values,
    solve_leaf,
)
from unitcraft.solve.protocol import Query, Solver
from unitcraft.symbolic.terms.constraint_tree import (
    ConstraintTree,
    Diverged,
    TreeNode,
    decision_node,
)
from unitcraft.symbolic.terms.term import Constraint

#: Branches of one path that are kept; a longer path is cut there, which ``cut`` counts.
MAX_BRANCHES: Final = 500
#: Runs that are asked for at once: enough to fill the batches of several workers.
MAX_AT_ONCE: Final = 64
#: Work on one invocation: a unit is a constraint given to the solver or one met by a run, a
#: few microseconds each.
MAX_WORK: Final = 1_500_000
#: Units for a new node of the tree, which is kept (about a kilobyte).
NODE_COST: Final = 10


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
    order drawn from it.  ``met`` are the runs that took a new path.
    """

    def __init__(
        self,
        solver: Solver,
        skeleton: Skeleton,
        start: Values,
        prefix: Sequence[Constraint] = (),
        *,
        most: int = 10_000,
        counts: PathCounts | None = None,
        random: Random | None = None,
    ) -> None:
        self.tree = ConstraintTree(prefix)
        self.counts = counts if counts is not None else PathCounts()
        self.met: list[ConcolicRun] = []
        self.skeleton = skeleton
        self._solver = solver
        self._prefix = bytes([one[1] for one in self.tree.prefix])
        self._start: Values | None = start
        self._leaves: deque[TreeNode] = deque()
        self._left = most
        self._work = MAX_WORK
        self._random = random

    def take(self, limit: int = MAX_AT_ONCE) -> list[RunRequest]:
        """The next runs; [] at the end.

        The answers to everything that was taken before must have been given.
        """
        taken: list[RunRequest] = []
        if self._start is not None:
            taken.append(RunRequest(self.skeleton, self._start, (), self._prefix))
            self._start = None
            self._left -= 1
        while self._leaves and len(taken) < limit:
            leaf = self._leaves.popleft()
            if leaf.status != "unexplored":
                continue
            if self._left <= 0 or self._work <= 0:
                self._give_up(leaf, "bound")
                continue
            request = self._solve(leaf)
            if request is not None:
                taken.append(request)
                self._left -= 1
        return taken

    def give(self, request: RunRequest, answer: ConcolicRun | LostRun) -> bool:
        """Insert the run that was made for ``request`` into the tree; was its path new?"""
        if isinstance(answer, LostRun):
            self._lose(request.leaf, answer.reason)
            return False
        self.counts.runs += 1
        before = self.tree.paths
        if not answer.whole or len(answer.events) > MAX_BRANCHES:
            answer = answer._replace(events=answer.events[:MAX_BRANCHES], whole=False)
        try:
            found = self._insert(request.leaf, answer)
        except Diverged:
            self._lose(request.leaf, DIVERGED)
            return False
        self._work -= len(self.tree.prefix) + len(answer.events) + NODE_COST * len(found)
        self._queue(found)
        if self.tree.paths == before:
            return False
        self.counts.paths += 1
        self.counts.cut += not answer.whole
        self.met.append(answer)
        return True

    def _insert(self, leaf: TreeNode | None, run: ConcolicRun) -> list[TreeNode]:
        """Insert a run; the events before the branch that was negated are known already."""
        start = decision_node(leaf) if leaf is not None else None
        later = run.events if start is None else run.events[start.depth :]
        return self.tree.insert(later, run, leaf, start)

    def _queue(self, found: list[TreeNode]) -> None:
        if self._random is not None:
            self._random.shuffle(found)
        for leaf in found:
            if leaf.status == "unexplored":
                self._leaves.append(leaf)
            else:
                self.counts.note_unknown(leaf.reason)

    def _lose(self, leaf: TreeNode | None, reason: str) -> None:
        """No run for ``leaf`` gave a usable answer."""
        self.counts.diverged += reason == DIVERGED
        if leaf is not None and leaf.status == "unexplored":
            self._give_up(leaf, reason)

    def forget(self) -> None:
        """Free the tree, once no branch waits; the runs are kept."""
        self.tree = ConstraintTree()

    def _give_up(self, leaf: TreeNode, reason: str) -> None:
        leaf.status, leaf.reason = "unknown", reason
        self.counts.note_unknown(reason)

    def _solve(self, leaf: TreeNode) -> RunRequest | None:
        """A run that reaches ``leaf``; None when there is none, or none was found."""
        condition = leaf.condition()
        constraints = (*self.tree.prefix, *condition) if self._prefix else condition
        self._work -= len(constraints)
        query = Query(constraints, self.skeleton.kinds, leaf.run.values)
        values = solve_leaf(self._solver, leaf, query)
        if values is not None:
            known = condition[: leaf.depth - 1]
            return RunRequest(self.skeleton, values, known, self._prefix, leaf)
        self.counts.infeasible += leaf.status == "infeasible"
        if leaf.status == "unknown":
            self.counts.note_unknown(leaf.reason)
        return None
