"""Values that a person would write, in place of the values that a solver found.

Invariant: the constraints stay satisfied; the work is bounded by the number of inputs, and the
result depends on the arguments alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from unitcraft.solve.budget import Budget, BudgetSpentError, is_small
from unitcraft.solve.inversion.candidates import candidate_values, distinct_values
from unitcraft.solve.inversion.invert import suggest_values
from unitcraft.solve.readable.small_integers import assign_small_integers
from unitcraft.symbolic.kinds.kinds import KINDS
from unitcraft.symbolic.terms.term import Constraint, Kind, are_satisfied, holds, variables_of

#: Values tried for one input in one round; each costs an evaluation of its constraints.
MAX_TRIED: Final = 60

#: Nodes of terms visited for one set of values; the values found so far are taken beyond.
MAX_WORK: Final = 400_000

#: Rounds over all inputs; one that changes nothing is the last.
MAX_ROUNDS: Final = 3


def make_readable(
    constraints: Sequence[Constraint], kinds: Sequence[Kind], values: Sequence[Any]
) -> tuple[Any, ...]:
    """Values as easy to read as can be found, given ``values`` that satisfy ``constraints``.

    Small distinct ascending ints where only order matters, plain numbers near the boundary of
    a comparison, short words.  ``values`` themselves if they do not satisfy ``constraints``.
    """
    if not all(is_small(term) for term, _ in constraints) or not are_satisfied(constraints, values):
        return tuple(values)
    search = _Search(constraints, kinds, values)
    try:
        search.ascend()
        for _ in range(MAX_ROUNDS):
            if not search.round():
                break
    except (BudgetSpentError, RecursionError):
        pass  # the values found so far satisfy the constraints
    return tuple(search.values)


class _Search:
    """Values that satisfy the constraints; mutable."""

    def __init__(
        self, constraints: Sequence[Constraint], kinds: Sequence[Kind], values: Sequence[Any]
    ) -> None:
        self.values = list(values)
        self._constraints = constraints
        self._kinds = kinds
        mentions = [(one, variables_of(one[0])) for one in constraints]
        self._related = [
            [one for one, inputs in mentions if number in inputs] for number in range(len(kinds))
        ]
        self._settled: dict[int, int] = {}
        self._budget = Budget(MAX_WORK)

    def ascend(self) -> None:
        """Assign small ascending values to ints of which only the order matters."""
        found = assign_small_integers(self._constraints, self._kinds, self.values)
        trial = list(self.values)
        for number, value in found.items():
            trial[number] = value
        if are_satisfied(self._constraints, trial):
            self.values, self._settled = trial, found

    def round(self) -> bool:
        """``ease`` every input once; did any change?"""
        changed = [number for number in range(len(self._kinds)) if self.ease(number)]
        return bool(changed)

    def ease(self, number: int) -> bool:
        """Replace the value of one input by the easiest that works; did it change?"""
        if number in self._settled:
            return False
        present, easier = self.values[number], None
        try:
            easier = self._easier(number)
        finally:
            self.values[number] = present if easier is None else easier[0]
        return easier is not None

    def _easier(self, number: int) -> tuple[Any] | None:
        """The easiest value of one input that works, in a tuple; it stands among the values."""
        present = self.values[number]
        weight = self._weight(number, present)
        offers = sorted(self._offers(number), key=lambda value: self._weight(number, value))
        for value in offers[:MAX_TRIED]:
            if self._weight(number, value) >= weight:
                break
            self.values[number] = value
            if self._is_satisfied(self._related[number]):
                return (value,)
        return None

    def _is_satisfied(self, constraints: list[Constraint]) -> bool:
        for constraint in constraints:
            self._budget.spend(self._budget.size(constraint[0]))
            if not holds(constraint, self.values):
                return False
        return True

    def _weight(self, number: int, value: Any) -> tuple[Any, ...]:
        """The burden of ``value``, a little greater if another input of the kind has that value."""
        twice = any(
            other != number and kind == self._kinds[number] and self.values[other] == value
            for other, kind in enumerate(self._kinds)
        )
        weight = KINDS[self._kinds[number]].burden(value)
        return (weight[0], twice, *weight[1:])

    def _offers(self, number: int) -> list[Any]:
        kind = KINDS[self._kinds[number]]
        near, easier = self._near(number, kind.name), kind.easier_values(self.values[number])
        return list(distinct_values([*kind.readable_values, *near, *easier]))

    def _near(self, number: int, kind: Kind) -> Iterator[Any]:
        """Values at the boundary of the constraints."""
        related = self._related[number]
        yield from islice(candidate_values(kind, related, ()), MAX_TRIED)
        for constraint in related[:6]:
            suggested = suggest_values(constraint, number, kind, self.values, self._budget)
            yield from islice(suggested, 12)
