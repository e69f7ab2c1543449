"""The paths of one invocation: run, turn a branch, solve, run again.

Invariant: every path is met once; an unexplored branch is given to the solver once, and its
leaf of the tree says what came of it.

Source: JTESTCRAFT, sections 3.1 and 3.3; breadth first over the leaves in place of depth
first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unitcraft.solve.protocol import Query, Sat, Solver, Unsat
from unitcraft.symbolic.terms import Constraint, Kind
from unitcraft.symbolic.tree import ConstraintTree, Diverged, Node

Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Met:
    """What one run met: all its events after the prefix, unless ``whole`` is False."""

    events: tuple[Constraint, ...]
    whole: bool
    values: Values
    answer: Any


@dataclass(slots=True)
class PathCounts:
    """What exploring paths came to."""

    runs: int = 0
    infeasible: int = 0
    unknown: int = 0
    diverged: int = 0
    cut: int = 0


class Paths:
    """The paths of one invocation under a ``prefix`` of constraints.

    Abstract state: the tree, and the inputs that wait to be run with the leaf that each of
    them is for.  At most ``most`` runs are asked for; ``counts`` may be shared.
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
    ) -> None:
        self.tree = ConstraintTree(prefix)
        self.counts = counts if counts is not None else PathCounts()
        self.met: list[Met] = []
        self._solver = solver
        self._kinds = kinds
        self._waiting: list[tuple[Values, Node | None]] = [(start, None)]
        self._left = most

    def take(self) -> list[tuple[Values, Node | None]]:
        """What is to be run next: inputs, and the leaf for which they were made."""
        taken = self._waiting[: max(self._left, 0)]
        for _, leaf in self._waiting[len(taken) :]:
            if leaf is not None:
                leaf.status, leaf.reason = "unknown", "bound"
        self._waiting = []
        self._left -= len(taken)
        return taken

    def give(self, met: Met, leaf: Node | None) -> bool:
        """Note what a run met; was its path a new one?  Solves for the branches beside it."""
        self.counts.runs += 1
        before = self.tree.paths
        try:
            found = self.tree.insert(met.events, met, leaf)
        except Diverged:
            self.lost(leaf, "diverged")
            return False
        if not met.whole:
            self.counts.cut += 1
        for beside in found:
            self._solve(beside, met.values)
        if self.tree.paths == before:
            return False
        self.met.append(met)
        return True

    def lost(self, leaf: Node | None, reason: str) -> None:
        """No run for ``leaf`` gave an answer that could be used."""
        self.counts.diverged += reason == "diverged"
        if leaf is not None and leaf.status == "unexplored":
            leaf.status, leaf.reason = "unknown", reason

    def _solve(self, leaf: Node, hint: Values) -> None:
        verdict = self._solver.solve(Query(self.tree.constraints(leaf), self._kinds, hint))
        if isinstance(verdict, Sat):
            self._waiting.append((verdict.values, leaf))
        elif isinstance(verdict, Unsat):
            leaf.status = "infeasible"
            self.counts.infeasible += 1
        else:
            leaf.status, leaf.reason = "unknown", verdict.reason
            self.counts.unknown += 1
