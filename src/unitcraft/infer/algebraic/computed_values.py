"""Values that Python computes from values of calls: sums, lists with an item more, parts of lists.

``OPERATORS`` is the table: what an operator does and how it is written.  An operator of one
operand ignores its right side.

Invariant: what is computed is a value of builtin types, or UNDEFINED where Python refuses; the text
of an operator is Python that computes the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from unitcraft.infer.universe.values import NUMBERS, UNDEFINED, NoPlainValue, Values

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Operator:
    """``form`` has ``{0}`` for the left operand and ``{1}`` for the right one.

    ``takes``: the types of the left operand.
    """

    form: str
    takes: tuple[type, ...]
    compute: Callable[[Any, Any], Any]


_LISTS: Final = (list, tuple)
_SETS: Final = (set, frozenset)
_SIZED: Final = (list, tuple, set, frozenset, dict, str)

OPERATORS: Final[Mapping[str, Operator]] = {
    "negated": Operator("-{0}", tuple(NUMBERS), lambda one, _: -one),
    "append": Operator("[*{0}, {1}]", (list,), lambda one, by: [*one, by]),
    "prepend": Operator("[{1}, *{0}]", (list,), lambda one, by: [by, *one]),
    "insert": Operator("sorted([*{0}, {1}])", (list,), lambda one, by: sorted([*one, by])),
    "with": Operator("{0} | {{{1}}}", _SETS, lambda one, by: one | {by}),
    "without": Operator("{0} - {{{1}}}", _SETS, lambda one, by: one - {by}),
    "remove": Operator(
        "[one for one in {0} if one != {1}]", (list,), lambda one, by: [x for x in one if x != by]
    ),
    "and": Operator("({0} and {1})", (bool,), lambda one, by: one and by),
    "not": Operator("(not {0})", (bool,), lambda one, _: not one),
    "len": Operator("len({0})", _SIZED, lambda one, _: len(one)),
    "sum": Operator("sum({0})", (list, tuple, set), lambda one, _: sum(_integers(one))),
    "min": Operator("min({0})", (list, tuple, set), lambda one, _: min(one)),
    "max": Operator("max({0})", (list, tuple, set), lambda one, _: max(one)),
    "smaller": Operator("min({0}, {1})", (int,), lambda one, by: min(one, _integer(by))),
    "larger": Operator("max({0}, {1})", (int,), lambda one, by: max(one, _integer(by))),
    "first": Operator("{0}[0]", _LISTS, lambda one, _: one[0]),
    "last": Operator("{0}[-1]", _LISTS, lambda one, _: one[-1]),
    "rest": Operator("{0}[1:]", _LISTS, lambda one, _: one[1:]),
    "start": Operator("{0}[:-1]", _LISTS, lambda one, _: one[:-1]),
    "reversed": Operator("{0}[::-1]", _LISTS, lambda one, _: one[::-1]),
    "sorted": Operator("sorted({0})", (list,), lambda one, _: sorted(one)),
    "distinct": Operator("list(dict.fromkeys({0}))", (list,), lambda one, _: [*dict.fromkeys(one)]),
}  # fmt: skip


def _integers(items: Any) -> Any:
    """``items``, if all are integers: the sum of others depends on the order of adding."""
    if not all(type(item) is int for item in items):
        raise TypeError
    return items


def _integer(value: Any) -> int:
    """``value``, if it is an integer: of 1 and 1.0 the order decides."""
    if type(value) is not int:
        raise TypeError
    return value


def compute(values: Values, operator: str, one: int, other: int) -> int:
    """The number of a computed value; UNDEFINED where the builtins do not compute it."""
    key = (operator, one, other)
    known = values.computed.get(key)
    if known is None:
        known = _computed(values, operator, one, other)
        if not values.is_nan(known):  # a NaN has another number each time
            values.computed[key] = known
    return known


def _computed(values: Values, operator: str, one: int, other: int) -> int:
    try:
        left, right = values.plain(one), values.plain(other)
        if operator in OPERATORS:
            known = OPERATORS[operator]
            fits = type(left) in known.takes
            return int(values.of_plain(known.compute(left, right))) if fits else UNDEFINED
        if operator in ("+", "-") and is_number(left) and is_number(right):
            return int(values.of_plain(left + right if operator == "+" else left - right))
        if operator == "*" and all(type(one) in NUMBERS - {float} for one in (left, right)):
            return int(values.of_plain(left * right))
        if operator == "+" and type(left) is type(right) and type(left) in (str, list, tuple):
            return int(values.of_plain(left + right))
    except (NoPlainValue, ArithmeticError, IndexError, TypeError, ValueError):
        pass
    return UNDEFINED


def is_number(value: Any) -> bool:
    """Is it an integer, a float or a number of the standard library, and no truth value?"""
    return type(value) in NUMBERS


def compare(values: Values, operator: str, one: int, other: int) -> bool | None:
    """The truth of a comparison; None where the values are not of one kind."""
    if operator in ("==", "!="):
        return (one == other and not values.is_nan(one)) is (operator == "==")
    if operator == "in":
        return _is_in(values, one, other)
    if operator == "<=":
        more = is_less(values, other, one)
        return None if more is None else not (more or values.is_nan(one) or values.is_nan(other))
    return is_less(values, one, other)


def _is_in(values: Values, one: int, other: int) -> bool | None:
    """Is one value among the items of the other?  None where that is no container."""
    try:
        item, items = values.plain(one), values.plain(other)
        return item in items if type(items) in (*_LISTS, *_SETS, dict) else None
    except (NoPlainValue, TypeError):
        return None


def is_less(values: Values, one: int, other: int) -> bool | None:
    """Is one value less than the other?  None where they are not comparable numbers or texts."""
    try:
        left, right = values.plain(one), values.plain(other)
        if (is_number(left) and is_number(right)) or type(left) is type(right) is str:
            return bool(left < right)
    except (NoPlainValue, ArithmeticError, TypeError):
        pass
    return None


def computed_text(operator: str, left: str, right: str) -> str:
    """The text of a computed value whose operands have these texts."""
    known = OPERATORS.get(operator)
    return known.form.format(left, right) if known else f"{left} {operator} {right}"
