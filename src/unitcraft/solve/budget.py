"""Budgets of work: bounds counted in visited nodes of terms, never in time.

A term is a tree that may share parts, so walking it by its structure can cost exponentially more
than it has parts.  ``Limits`` therefore refuses terms that are too large as trees; every layer
then spends from a Budget of its own for each Query, and the work of all Queries together is
bounded too.

Invariant: a computation that spends from a Budget ends; where it ends depends on its arguments
alone.
"""

from __future__ import annotations

from typing import Final

from unitcraft.solve.protocol import Query, Solver, Unknown, Verdict
from unitcraft.solve.statistics import Statistics
from unitcraft.symbolic.terms.term import VARIABLE, Constraint, Term

#: Nodes of a term as a tree, repeats counted: ten times those that a trace records.
MAX_NODES: Final = 4_000

#: Operations inside one another; evaluation and the key of the cache recurse so deep.
MAX_DEPTH: Final = 100

#: Nodes visited by all layers in all Queries of one chain, and so of one module: a minute or
#: two.  The modules that it was tried on took up to three millions.
MAX_TOTAL_WORK: Final = 100_000_000

#: Remembered constraints of which the size is known; a bound of memory.
_MAX_REMEMBERED: Final = 50_000


class BudgetSpentError(Exception):
    """A computation reached its bound of work."""


class Budget:
    """Nodes that may still be visited; mutable."""

    __slots__ = ("_sizes", "left", "limit")

    def __init__(self, limit: int) -> None:
        self.limit = self.left = limit
        self._sizes: dict[int, tuple[Term, int]] = {}

    @property
    def spent(self) -> int:
        """Nodes visited so far, at most the limit."""
        return self.limit - max(self.left, 0)

    def spend(self, nodes: int) -> None:
        """Count ``nodes`` visited.

        Raises:
            BudgetSpentError: they are more than were left.
        """
        self.left -= nodes
        if self.left < 0:
            raise BudgetSpentError

    def size(self, term: Term) -> int:
        """The nodes of ``term`` as a tree: what evaluating it costs."""
        known = self._sizes.get(id(term))
        if known is None:
            known = self._sizes[id(term)] = term, measure(term, {})[0]
        return known[1]


def measure(term: Term, known: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """Nodes and depth of ``term`` as a tree, in work linear in its distinct parts.

    ``known``: what was found of parts, by their ids.
    """
    if type(term) is not tuple:
        return 1, 0
    operands = [part for part in term[1:] if type(part) is tuple]
    if len([part for part in operands if part[0] == VARIABLE]) == len(operands):
        return len(term) + len(operands), 2 if operands else 1  # most terms: without a walk
    waiting = [term]
    while waiting:
        parts = [part for part in waiting[-1][1:] if type(part) is tuple]
        unknown = [part for part in parts if id(part) not in known]
        if unknown:
            waiting += unknown
            continue
        sizes = [known[id(part)] for part in parts]
        node = waiting.pop()
        nodes = len(node) - len(parts) + sum([size for size, _ in sizes])
        known[id(node)] = nodes, 1 + max([depth for _, depth in sizes], default=0)
    return known[id(term)]


def is_small(term: Term) -> bool:
    """Is ``term`` one that the solvers may walk by its structure?"""
    nodes, depth = measure(term, {})
    return nodes <= MAX_NODES and depth <= MAX_DEPTH


class Limits:
    """Asks ``following`` about Queries of small terms while the work of the module is not spent."""

    name = "limits"

    def __init__(self, following: Solver, statistics: Statistics, work: int) -> None:
        self.following = following
        self.statistics = statistics
        self.work = work
        self._small: dict[int, Constraint] = {}

    def solve(self, query: Query) -> Verdict:
        """The Verdict of the following layers; Unknown ``bound`` beyond a limit."""
        self.statistics.spend(self.name, len(query.constraints))
        if self.statistics.work <= self.work and self._are_small(query.constraints):
            return self.following.solve(query)
        verdict = Unknown("bound")
        self.statistics.note(self.name, verdict)
        return verdict

    def _are_small(self, constraints: tuple[Constraint, ...]) -> bool:
        known = self._small.__contains__
        return all(map(known, map(id, constraints))) or all(map(self._is_small, constraints))

    def _is_small(self, constraint: Constraint) -> bool:
        """``is_small``, remembered by identity: a term must not be hashed before it is measured."""
        if id(constraint) in self._small:
            return True
        if not is_small(constraint[0]):
            return False
        if len(self._small) >= _MAX_REMEMBERED:
            self._small.clear()
        self._small[id(constraint)] = constraint
        return True
