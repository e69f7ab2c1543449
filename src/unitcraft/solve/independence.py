"""Constraint independence: only the constraints that share inputs with the last, transitively.

Invariant: the other constraints mention other inputs only, and the hint satisfies them; so values
that satisfy the slice and leave the other inputs as in the hint satisfy the Query, and an
unsatisfiable slice proves the Query unsatisfiable.

Source: KLEE, as published, for the one slice of the last constraint.
"""

from __future__ import annotations

from unitcraft.solve.layer import Remembered
from unitcraft.solve.protocol import Query, Solver, Unsat, Verdict
from unitcraft.symbolic.terms.term import Term, variables_of


class Independence:
    """Asks ``following`` about the slice of the last constraint."""

    def __init__(self, following: Solver) -> None:
        self.following = following
        self._inputs = Remembered(inputs_of)

    def solve(self, query: Query) -> Verdict:
        """The Verdict on the slice, its core in the numbers of ``query``."""
        kept = self._slice(query)
        if kept is None:
            return self.following.solve(query)
        constraints = tuple([query.constraints[number] for number in kept])
        verdict = self.following.solve(Query(constraints, query.kinds, query.hint))
        if type(verdict) is Unsat and verdict.core:
            return Unsat(tuple([kept[number] for number in verdict.core]))
        return verdict

    def _slice(self, query: Query) -> list[int] | None:
        """The numbers of the constraints in the slice, ascending; None for all of them."""
        if not query.constraints:
            return None
        inputs = self._inputs.of(query.constraints)
        last = len(inputs) - 1
        reached = _reached(inputs[last], inputs)
        if all(map(reached.__and__, inputs)):
            return None
        return [number for number, of in enumerate(inputs) if of & reached or number == last]


def _reached(start: int, inputs: list[int]) -> int:
    """``start`` with all inputs that ``inputs`` lead to from there; each is a set of bits."""
    apart = set(inputs)
    reached, before = start, 0
    while reached != before:
        before = reached
        for of in apart:
            if of & reached:
                reached |= of
    return reached


def inputs_of(term: Term, _outcome: bool = True) -> int:  # noqa: FBT001, FBT002
    """The inputs that ``term`` mentions, as the bits of a number."""
    return sum(1 << number for number in variables_of(term))
