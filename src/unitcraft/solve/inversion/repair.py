"""One-variable repair: change one input of the last constraint so that the whole slice holds.

Invariant: an answer has been evaluated on every constraint that mentions the changed input;
the hint satisfies the others.  A failed repair proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from unitcraft.solve.budget import Budget
from unitcraft.solve.inversion.candidates import candidate_values, distinct_values
from unitcraft.solve.inversion.invert import suggest_values
from unitcraft.solve.layer import Layer
from unitcraft.solve.protocol import Query, Sat, Verdict
from unitcraft.symbolic.terms.term import Constraint, holds, variables_of

#: Values tried for one input; each costs an evaluation of its constraints.
MAX_TRIED: Final = 120

#: Further constraints on the input that are inverted too.
_MAX_RELATED: Final = 6


class Repair(Layer):
    """Answers Queries that one changed input satisfies, when a suggestion leads there."""

    name = "repair"
    max_work = 100_000

    def attempt(self, query: Query) -> Verdict | None:
        """Sat with one input changed; None if no suggestion works."""
        if not query.constraints:
            return Sat(query.hint)
        inputs = [frozenset(variables_of(term)) for term, _ in query.constraints]
        mentions = list(zip(query.constraints, inputs, strict=True))
        for number in sorted(inputs[-1]):
            related = [one for one, mentioned in mentions if number in mentioned]
            related.reverse()
            values = list(query.hint)
            suggested = _suggest(query, number, related, self.budget)
            for value in islice(suggested, MAX_TRIED):
                values[number] = value
                if self.all_hold(related, values):
                    return Sat(tuple(values))
        return None


def _suggest(query: Query, number: int, related: list[Constraint], budget: Budget) -> Iterator[Any]:
    """Values for input ``number``: by inversion first, then candidates; none twice."""
    return distinct_values(_suggest_repeating(query, number, related, budget))


def _suggest_repeating(
    query: Query, number: int, related: list[Constraint], budget: Budget
) -> Iterator[Any]:
    kind, hint = query.kinds[number], query.hint
    first: list[Any] = []
    for value in suggest_values(related[0], number, kind, hint, budget):
        first.append(value)
        yield value
    values = list(hint)
    for value in first[:4]:
        values[number] = value
        for constraint in related[: _MAX_RELATED + 1]:
            budget.spend(budget.size(constraint[0]))
            if not holds(constraint, values):
                yield from suggest_values(constraint, number, kind, values, budget)
    for constraint in related[1 : _MAX_RELATED + 1]:
        yield from suggest_values(constraint, number, kind, hint, budget)
    yield from candidate_values(kind, related, hint)
