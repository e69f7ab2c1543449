"""Values of symbolic integers that make a run take the other outcome of a comparison.

Invariant: values that are answered satisfy every event given; "no values" is certain for
comparisons of differences, and for others is told apart from not knowing.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

from unitcraft.solve.budget import Budget
from unitcraft.solve.differences.difference_logic import solve_system
from unitcraft.solve.differences.linear import ZERO, Difference, difference_of
from unitcraft.solve.protocol import Sat, Unsat
from unitcraft.symbolic.terms.term import (
    Constraint,
    Term,
    are_satisfied,
    evaluate,
    variables_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from unitcraft.heaps.guest.lazy_heap import Choice

#: Inputs of a comparison that is no difference, for which small values are tried.
MAX_TRIED_INPUTS: Final = 3
#: The values tried: those that sizes, counts and colours have in a small scope.
TRIED: Final = tuple(range(-1, 9))
#: Comparisons with two sides that are numbers.
_COMPARISONS: Final = ("==", "!=", "<", "<=", ">", ">=")
#: Remembered comparisons; all are forgotten at once beyond that.
MAX_REMEMBERED: Final = 20_000


class BranchFlips:
    """Abstract state: comparisons met, as differences; ``unknown`` counts those given up."""

    def __init__(self, work: int) -> None:
        self._work = work
        self._known: dict[Constraint, Difference | None] = {}
        self.unknown = 0

    def solve(
        self, events: Sequence[Constraint], inputs: Sequence[Choice], hint: list[int]
    ) -> list[int] | None:
        """Values near ``hint`` that satisfy ``events``, of which only the last may be broken.

        None when there are none, or (counted) when none were found.
        """
        term, outcome = events[-1]
        if (term, not outcome) in events:
            return None
        system = [self._bounds_of(choice) for choice in inputs]
        differences = [self._difference(event) for event in events]
        known = [difference for difference in differences if difference is not None]
        if len(known) == len(differences):
            verdict = solve_system([*system, *known], tuple(hint), Budget(self._work))
            if isinstance(verdict, Sat):
                return list(verdict.values)
            if isinstance(verdict, Unsat):
                return None
        return self._try_small_values(events, inputs, hint)

    def _difference(self, event: Constraint) -> Difference | None:
        if event not in self._known:
            if len(self._known) >= MAX_REMEMBERED:
                self._known.clear()
            self._known[event] = difference_of(event)
        return self._known[event]

    @staticmethod
    def _bounds_of(choice: Choice) -> Difference:
        number, low, high = choice.symbol, choice.domain.low, choice.domain.high
        upper = () if high is None else ((number, ZERO, high),)
        lower = () if low is None else ((ZERO, number, -low),)
        return (*upper, *lower), None

    def _try_small_values(
        self, events: Sequence[Constraint], inputs: Sequence[Choice], hint: list[int]
    ) -> list[int] | None:
        """Small values for the inputs of the last event; the others keep theirs."""
        numbers = variables_of(events[-1][0])
        if len(numbers) <= MAX_TRIED_INPUTS:
            for values in product(TRIED, repeat=len(numbers)):
                tried = list(hint)
                for number, value in zip(numbers, values, strict=True):
                    tried[number] = value
                if are_satisfied(events, tried) and _in_range(inputs, tried):
                    return tried
        found = repair_sum(events, hint, lambda values: _in_range(inputs, values))
        self.unknown += found is None
        return found


def repair_sum(
    constraints: Sequence[Constraint],
    hint: Sequence[int],
    is_allowed: Callable[[Sequence[int]], bool],
) -> list[int] | None:
    """``hint`` with one input changed that satisfies ``constraints`` and ``is_allowed``, or None.

    Only the last constraint may be broken by ``hint``.
    """
    term = constraints[-1][0]
    if type(term) is not tuple or term[0] not in _COMPARISONS:
        return None
    tried = list(hint)
    for number in variables_of(term):
        for value in _values_around_root(term, tried, number):
            tried[number] = value
            if are_satisfied(reversed(constraints), tried) and is_allowed(tried):
                return tried
        tried[number] = hint[number]
    return None


def _values_around_root(term: Term, values: Sequence[int], number: int) -> Iterator[int]:
    """Values of input ``number`` near the one at which both sides of ``term`` are equal.

    The difference of the sides is taken for a line, which it is where they are sums.
    """
    here = values[number]
    moved = list(values)
    moved[number] = here + 1
    first, second = _difference(term, values), _difference(term, moved)
    if first is None or second is None or first == second:
        return
    root = here - first // (second - first)
    yield from (value for value in (root, root + 1, root - 1) if value != here)


def _difference(term: Any, values: Sequence[int]) -> int | None:
    try:
        found = evaluate(term[1], values) - evaluate(term[2], values)
    except Exception:  # noqa: BLE001 - whatever an operation raises
        return None
    return found if type(found) is int else None


def small_values(
    events: Sequence[Constraint], inputs: Sequence[Choice], values: list[int]
) -> list[int]:
    """``values`` with those of each field replaced by 0, 1, 2, ... in their order, where it may be.

    A solver leaves any integers that satisfy ``events``; these are the ones a person would write.
    """
    groups: list[tuple[Any, list[int]]] = []
    for choice in inputs:
        known = next((numbers for domain, numbers in groups if domain is choice.domain), None)
        if known is None:
            groups.append((choice.domain, [choice.symbol]))
        else:
            known.append(choice.symbol)
    for _, numbers in groups:
        ranks = {value: rank for rank, value in enumerate(sorted({values[n] for n in numbers}))}
        tried = values.copy()
        for number in numbers:
            tried[number] = ranks[values[number]]
        if are_satisfied(events, tried) and _in_range(inputs, tried):
            values = tried
    return values


def _in_range(inputs: Sequence[Choice], values: Sequence[int]) -> bool:
    return all(
        (choice.domain.low is None or values[choice.symbol] >= choice.domain.low)
        and (choice.domain.high is None or values[choice.symbol] <= choice.domain.high)
        for choice in inputs
    )
