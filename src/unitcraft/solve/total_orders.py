"""Total orders: chains of comparisons that come back to their beginning.

Numbers that are no NaN are totally ordered, ints and floats together, and so are texts.  What is
compared may be any term; nothing is known of it but what the comparisons say.

Invariant: an edge says of every solution that one value is at most (or is less than) another, so a
cycle with a "less" in it, or one that has two values which differ, proves Unsat.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

from unitcraft.solve.layer import Layer
from unitcraft.solve.protocol import Query, Unsat, Verdict
from unitcraft.symbolic.terms.term import SAME, VARIABLE, Constraint, Kind, Term

#: The last format of marshal without references, which would depend on reference counts.
_FORMAT: Final = 2

#: Comparison -> (is it the second operand that is greater?, is it strict?).
_ORDERED: Final = {"<": (True, True), "<=": (True, False), ">": (False, True), ">=": (False, False)}
#: Values that a term may be compared with in vain: only NaN is not equal to itself.
_ATOMS: Final = (int, float, str, bytes)

#: Comparisons that can contradict each other.
_LEAST: Final = 2

#: Values, of which the first is at most (strictly: less than) the second.
_Edge = tuple[int, int, bool]


class TotalOrders(Layer):
    """Proves Unsat of comparisons that contradict each other."""

    name = "orders"
    max_work = 30_000

    def attempt(self, query: Query) -> Verdict | None:
        """Unsat, or None when the comparisons may hold together."""
        compared = [one for one in query.constraints if _is_comparison(one[0])]
        if len(compared) < _LEAST:
            return None
        self.budget.spend(sum([self.budget.size(term) for term, _ in compared]))
        values = _Values(query.kinds)
        sides = [(values.number(term[1]), values.number(term[2])) for term, _ in compared]
        known = _ordered(values, compared, sides)
        edges, apart = _edges(compared, sides, known)
        edges += values.between_constants()
        self.budget.spend(len(values) * len(edges))
        above = _reachable(len(values), edges)
        if any(strict and above[second] >> first & 1 for first, second, strict in edges):
            return Unsat()
        if any(above[one] >> two & 1 and above[two] >> one & 1 for one, two in apart):
            return Unsat()
        return None


class _Values:
    """The compared terms and constants, numbered; equal ones have one number."""

    def __init__(self, kinds: tuple[Kind, ...]) -> None:
        self._kinds = kinds
        self._numbers: dict[Any, int] = {}
        self._terms: list[Term] = []

    def __len__(self) -> int:
        return len(self._terms)

    def number(self, term: Term) -> int:
        """The number of a compared term: 1, True and 1.0 have one, the sums with them do not."""
        key = (marshal.dumps(term, _FORMAT),) if type(term) is tuple else term
        number = self._numbers.setdefault(key, len(self._terms))
        if number == len(self._terms):
            self._terms.append(term)
        return number

    def atoms(self) -> Iterator[tuple[int, bool]]:
        """(number, is it ordered whatever it is compared with?) of inputs and constants."""
        for number, term in enumerate(self._terms):
            if isinstance(term, _ATOMS):
                yield number, bool(term == term)  # noqa: PLR0124 - NaN
            elif type(term) is tuple and term[0] == VARIABLE:
                yield number, self._kinds[term[1]] != "float"

    def between_constants(self) -> list[_Edge]:
        """The order of the constants, each with the next one of its kind."""
        found: list[_Edge] = []
        for kinds in ((int, float), str, bytes):
            constants: list[Any] = [
                one
                for one in self._terms
                if isinstance(one, kinds) and one == one  # noqa: PLR0124 - NaN
            ]
            constants.sort()
            found += [
                (self._numbers[first], self._numbers[second], True)
                for first, second in pairwise(constants)
            ]
        return found


def _is_comparison(term: Term) -> bool:
    if type(term) is not tuple or len(term) != 3:  # noqa: PLR2004 - two operands
        return False
    return term[0] in _ORDERED or term[0] in ("==", "!=", SAME)


def _ordered(
    values: _Values, compared: list[Constraint], sides: list[tuple[int, int]]
) -> frozenset[int]:
    """The numbers of values that are no NaN and no containers.

    A comparison that is true says so of both when it says so of one; so does an atom.
    """
    simple = dict(values.atoms())
    known = {number for number, always in simple.items() if always}
    told = [
        pair
        for (term, outcome), pair in zip(compared, sides, strict=True)
        if outcome and term[0] not in ("!=", SAME)
    ]
    grown = True
    while grown:
        found = {
            number
            for pair in told
            for number in pair
            if not known.isdisjoint(pair) or not simple.keys().isdisjoint(pair)
        }
        grown = not found <= known
        known |= found
    return frozenset(known)


def _edges(
    compared: Iterable[Constraint], sides: Iterable[tuple[int, int]], known: frozenset[int]
) -> tuple[list[_Edge], list[tuple[int, int]]]:
    """What the comparisons of ``known`` values say: edges, and values that differ."""
    edges: list[_Edge] = []
    apart: list[tuple[int, int]] = []
    for (term, outcome), (first, second) in zip(compared, sides, strict=True):
        if first not in known or second not in known:
            continue
        if term[0] in _ORDERED:
            rises, strict = _ORDERED[term[0]]
            low, high = (first, second) if rises is outcome else (second, first)
            edges.append((low, high, strict is outcome))
        elif (term[0] == "!=") is outcome:
            apart += [(first, second)] if term[0] != SAME else []
        else:
            edges += [(first, second, False), (second, first, False)]
    return edges, apart


def _reachable(count: int, edges: list[_Edge]) -> list[int]:
    """For each value those that are at least as great, itself too, as the bits of a number."""
    above = [1 << number for number in range(count)]
    grown = True
    while grown:
        grown = False
        for first, second, _ in edges:
            more = above[first] | above[second]
            if more != above[first]:
                above[first], grown = more, True
    return above
