"""Constraint independence: only the constraints that share inputs with the last, transitively.

Invariant: the other constraints mention other inputs only, and the hint satisfies them; so values
that satisfy the slice and leave the other inputs as in the hint satisfy the Query, and an
unsatisfiable slice proves the Query unsatisfiable.

Source: KLEE, as published, for the one slice of the last constraint.
"""

from __future__ import annotations

from typing import Final

from unitcraft.solve.protocol import Query, Solver, Unsat, Verdict
from unitcraft.symbolic.terms.term import Term, variables_of

#: Remembered terms; a bound of memory, at which all are forgotten at once.
MAX_REMEMBERED: Final = 50_000


class Independence:
    """Asks ``following`` about the slice of the last constraint."""

    def __init__(self, following: Solver) -> None:
        self.following = following
        self._known: dict[Term, frozenset[int]] = {}

    def solve(self, query: Query) -> Verdict:
        """The Verdict on the slice, its core in the numbers of ``query``."""
        kept = self._slice(query)
        if len(kept) == len(query.constraints):
            return self.following.solve(query)
        constraints = tuple([query.constraints[number] for number in kept])
        verdict = self.following.solve(Query(constraints, query.kinds, query.hint))
        if type(verdict) is Unsat and verdict.core:
            return Unsat(tuple([kept[number] for number in verdict.core]))
        return verdict

    def _slice(self, query: Query) -> list[int]:
        """The numbers of the constraints in the slice, ascending."""
        last = len(query.constraints) - 1
        if last < 0:
            return []
        known = self._known
        reached = self._inputs(query.constraints[last][0])
        kept, rest = [last], []
        for number in range(last):
            term = query.constraints[number][0]
            rest.append((number, known.get(term) or self._inputs(term)))
        grown = True
        while grown and rest:
            grown, later = False, []
            for number, inputs in rest:
                if reached.isdisjoint(inputs):
                    later.append((number, inputs))
                else:
                    kept.append(number)
                    if not inputs <= reached:
                        reached |= inputs
                        grown = True
            rest = later
        kept.sort()
        return kept

    def _inputs(self, term: Term) -> frozenset[int]:
        """``variables_of``, remembered: equal terms mention the same inputs, 1 == 1.0 or not."""
        found = self._known.get(term)
        if found is None:
            if len(self._known) >= MAX_REMEMBERED:
                self._known.clear()
            found = self._known[term] = frozenset(variables_of(term))
        return found
