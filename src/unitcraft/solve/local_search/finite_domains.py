"""Finite domains: when the constraints leave each input few values, all of them are tried.

Invariant: ``domain_of`` holds every value that the constraints on one input alone allow (unless
it is None), so values that all fail prove that there are none: for opaque terms as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import product
from typing import Any, Final

from unitcraft.solve.differences.linear import ZERO, difference_of
from unitcraft.solve.inversion.candidates import distinct_values
from unitcraft.solve.layer import Layer
from unitcraft.solve.protocol import Query, Sat, Unsat, Verdict
from unitcraft.symbolic.kinds.kinds import KINDS
from unitcraft.symbolic.terms.term import (
    SAME,
    VARIABLE,
    Constraint,
    Kind,
    Term,
    holds,
    variables_of,
)

#: Combinations of values that are tried in one Query; each costs an evaluation of it.
MAX_POINTS: Final = 1_500

#: Values of one input; more are not enumerated.
_MAX_VALUES: Final = 300


class FiniteDomains(Layer):
    """Answers Queries whose inputs have few values each; proves Unsat whatever the operations."""

    name = "enumerate"
    max_work = 300_000

    def attempt(self, query: Query) -> Verdict | None:
        """The Verdict by trying all values, the hint's first; None when they are too many."""
        inputs = variables_of(("all", *[term for term, _ in query.constraints]))
        domains, size = [], 1
        whole = sum([self.budget.size(term) for term, _ in query.constraints])
        for number in inputs:
            self.budget.spend(whole)
            domain = domain_of(number, query)
            if domain is None:
                return None
            size *= len(domain)
            if size > MAX_POINTS:
                return None
            domains.append(domain)
        values = list(query.hint)
        hardest_first = query.constraints[::-1]
        for point in product(*domains):
            for number, value in zip(inputs, point, strict=True):
                values[number] = value
            if self.all_hold(hardest_first, values):
                return Sat(tuple(values))
        return Unsat()


def domain_of(number: int, query: Query) -> list[Any] | None:
    """The values that input ``number`` may have by the constraints on it alone; None: too many."""
    own = [one for one in query.constraints if variables_of(one[0]) == (number,)]
    kind = query.kinds[number]
    listed = [values for one in own if (values := _listed_values(one, number, kind)) is not None]
    if kind == "int":
        listed += _bounded_ints(own)
    if not listed:
        return None
    shortest = min(listed, key=len)
    if len(shortest) > _MAX_VALUES:
        return None
    values = list(query.hint)
    found = []
    for value in distinct_values(shortest):
        values[number] = value
        if all(holds(one, values) for one in own):
            found.append(value)
    return found


def _bounded_ints(own: list[Constraint]) -> list[list[int]]:
    """The ints between the bounds that ``own`` sets, if it sets both and they are near."""
    low, high = -math.inf, math.inf
    for one in own:
        difference = difference_of(one)
        for i, j, c in difference[0] if difference is not None else ():
            if j == ZERO and i != ZERO:
                high = min(high, c)
            elif i == ZERO and j != ZERO:
                low = max(low, -c)
    near = high - low <= _MAX_VALUES if math.inf not in (-low, high) else False
    return [list(range(int(low), int(high) + 1))] if near else []


def _listed_values(constraint: Constraint, number: int, kind: Kind) -> list[Any] | None:
    """The values of ``v in (...)``, ``v == ...`` or a concretization, all of ``kind``."""
    term, outcome = constraint
    if type(term) is not tuple or not outcome or len(term) != 3:  # noqa: PLR2004 - two operands
        return None
    name, first, second = term
    if name == "in" and first == (VARIABLE, number):
        return _of_kind(second[1:], kind) if _is_listing(second) else None
    if name not in ("==", SAME):
        return None
    if second == (VARIABLE, number):
        first, second = second, first
    if first != (VARIABLE, number) or type(second) is tuple:
        return None
    return _of_kind([second], kind)


def _is_listing(term: Term) -> bool:
    return (
        type(term) is tuple
        and term[0] in ("tuple", "list")
        and not any(type(part) is tuple for part in term[1:])
    )


def _of_kind(values: Iterable[Any], kind: Kind) -> list[Any] | None:
    """All values of ``kind`` that equal one of ``values``; None if a NaN makes that unclear."""
    found: list[Any] = []
    for value in values:
        if isinstance(value, float) and math.isnan(value):
            return None
        found += KINDS[kind].equal_values(value)
    return found
