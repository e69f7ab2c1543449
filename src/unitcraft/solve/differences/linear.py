"""Recognition of constraints on ints that are bounds of differences.

Invariant: when every input of a constraint is an int, ``difference_of`` is equivalent to the
constraint for all values, or None.  Comparisons with float constants become exact integer bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from unitcraft.symbolic.terms.term import OK, SAME, VARIABLE, Constraint, Term

#: (i, j, c): x_i - x_j <= c; i and j are inputs or ZERO.
Edge = tuple[int, int, int]

#: All of the edges hold, and x_i - x_j differs from c for the Edge (i, j, c), if there is one.
Difference = tuple[tuple[Edge, ...], Edge | None]

#: A sum: coefficient of each input, and the constant.
Linear = tuple[dict[int, int], int]

#: The node of the constant 0; values[ZERO] is the last of a list.
ZERO: Final = -1

ALWAYS: Final[Difference] = ((), None)
NEVER: Final[Difference] = (((ZERO, ZERO, -1),), None)

#: Bits of a shift to the left; longer ones are passed on to other layers.
_MAX_SHIFT: Final = 64

_NEGATED: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def difference_of(constraint: Constraint) -> Difference | None:
    """``constraint`` as bounds of differences of its inputs, None if it is not of that form."""
    term, outcome = constraint
    if type(term) is not tuple:
        return _verdict(bool(term) is outcome)
    if term[0] in _NEGATED:
        return _comparison(term[0], term[1], term[2], outcome)
    if term[0] == "truth":
        return difference_of((term[1], outcome))
    if term[0] == OK:
        return _verdict(outcome) if _harmless(term[1]) else None
    if term[0] == SAME:
        return _identity(term[1], term[2], outcome)
    return _comparison("!=", term, 0, outcome)


def linear_of(term: Term) -> Linear | None:
    """``term`` as a sum of multiples of int inputs, None if it is not one."""
    if type(term) is not tuple:
        return ({}, int(term)) if isinstance(term, int) else None
    name = term[0]
    if name == VARIABLE:
        return {term[1]: 1}, 0
    rule = _SUMS.get(name)
    if rule is None or len(term) != _ARITY[name]:
        return None
    parts = [linear_of(part) for part in term[1:]]
    known = [part for part in parts if part is not None]
    return rule(*known) if len(known) == len(parts) else None


def _add(first: Linear, second: Linear, factor: int = 1) -> Linear:
    total = dict(first[0])
    for node, count in second[0].items():
        total[node] = total.get(node, 0) + factor * count
    return total, first[1] + factor * second[1]


def _subtract(first: Linear, second: Linear) -> Linear:
    return _add(first, second, -1)


def _multiply(first: Linear, second: Linear) -> Linear | None:
    if first[0]:
        first, second = second, first
    return None if first[0] else _add(({}, 0), second, first[1])


def _shift(first: Linear, second: Linear) -> Linear | None:
    if second[0] or not 0 <= second[1] <= _MAX_SHIFT:
        return None
    return _add(({}, 0), first, 1 << second[1])


_SUMS: Final[dict[str, Callable[..., Linear | None]]] = {
    "+": _add, "-": _subtract, "*": _multiply, "<<": _shift,
    "neg": lambda part: _subtract(({}, 0), part),
    "invert": lambda part: _subtract(({}, -1), part),
    "pos": lambda part: part, "int": lambda part: part,
}  # fmt: skip

_ARITY: Final = {name: 3 if name in "+-*<<" else 2 for name in _SUMS}


def _verdict(holds: bool) -> Difference:  # noqa: FBT001 - an outcome
    return ALWAYS if holds else NEVER


def _harmless(term: Term) -> bool:
    """Is this a sum of ints, or a comparison of sums?  If so it raises nothing."""
    if type(term) is tuple and (term[0] in _NEGATED or term[0] == "truth"):
        return all(linear_of(part) is not None for part in term[1:])
    return linear_of(term) is not None


def _identity(term: Term, value: Term, outcome: bool) -> Difference | None:  # noqa: FBT001
    if type(term) is not tuple:
        term, value = value, term
    if type(term) is not tuple or linear_of(term) is None:
        return None
    if type(value) is not tuple and type(value) is not int:
        return _verdict(not outcome)
    return _comparison("==", term, value, outcome)


def _comparison(name: str, first: Term, second: Term, outcome: bool) -> Difference | None:  # noqa: FBT001
    if type(first) is float and type(second) is not float:
        return _comparison(_MIRRORED[name], second, first, outcome)
    if type(second) is float:
        return _against_float(name, first, second, outcome)
    if name in ("==", "!="):
        if type(first) is bool or first is None:
            first, second = second, first
        if type(second) is bool and _is_bool(first):
            return difference_of((first, outcome is (second is (name == "=="))))
        if second is None and linear_of(first) is not None:
            return _verdict((name == "!=") is outcome)
    left, right = linear_of(first), linear_of(second)
    if left is None or right is None:
        return None
    return _compare_with_zero(name if outcome else _NEGATED[name], _subtract(left, right))


_MIRRORED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _is_bool(term: Term) -> bool:
    return type(term) is tuple and (term[0] in _NEGATED or term[0] in ("truth", SAME, OK))


def _against_float(name: str, term: Term, value: float, outcome: bool) -> Difference | None:  # noqa: FBT001
    left = linear_of(term)
    if left is None:
        return None
    if math.isnan(value):
        return _verdict((name == "!=") is outcome)
    name = name if outcome else _NEGATED[name]
    whole = value if math.isinf(value) else math.floor(value)
    if name in ("==", "!=") and (math.isinf(value) or whole != value):
        return _verdict(name == "!=")
    if math.isinf(value):
        return _verdict((name in ("<", "<=")) is (value > 0))
    if whole != value:
        name = "<=" if name in ("<", "<=") else ">"
    return _compare_with_zero(name, (left[0], left[1] - int(whole)))


def _compare_with_zero(name: str, form: Linear) -> Difference | None:
    """``form`` compared with 0."""
    nodes = [node for node, count in form[0].items() if count]
    if not nodes:
        return _verdict(_HOLDS[name](form[1]))
    factor = form[0][nodes[0]]
    i, j = nodes[0], ZERO
    if len(nodes) > 1:
        j = nodes[1]
        if len(nodes) > 2 or form[0][j] != -factor:  # noqa: PLR2004 - differences have two ends
            return None
    if factor < 0:
        i, j, factor = j, i, -factor
    return _bounds_of(name, i, j, factor, form[1])


def _bounds_of(name: str, i: int, j: int, factor: int, constant: int) -> Difference:
    """``factor * (x_i - x_j) + constant`` compared with 0; factor > 0."""
    below, rest = divmod(-constant, factor)
    if name == "<=":
        return ((i, j, below),), None
    if name == "<":
        return ((i, j, below if rest else below - 1),), None
    if name == ">":
        return ((j, i, -below - 1),), None
    if name == ">=":
        return ((j, i, -below - 1 if rest else -below),), None
    if rest:
        return _verdict(name == "!=")
    if name == "==":
        return ((i, j, below), (j, i, -below)), None
    return (), (i, j, below)


_HOLDS: Final[dict[str, Callable[[int], bool]]] = {
    "<": lambda value: value < 0, "<=": lambda value: value <= 0,
    ">": lambda value: value > 0, ">=": lambda value: value >= 0,
    "==": lambda value: value == 0, "!=": lambda value: value != 0,
}  # fmt: skip
