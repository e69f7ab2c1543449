"""Terms computed from calls, made simpler by what Python itself guarantees.

``len([*items(S), x])`` is ``len(items(S)) + 1``, whatever ``items`` is.

Invariant: the simpler term has the value of the other wherever that one is defined, for lists and
integers; it is never larger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.computed_values import compare, compute, is_number
from unitcraft.infer.algebraic.law_terms import Apply, Compute, Constant, Term, Test
from unitcraft.infer.universe.values import UNDEFINED, NoPlainValue

if TYPE_CHECKING:
    from collections.abc import Callable

    from unitcraft.infer.universe.values import Values

#: (operator, operator inside): what is left of the two, by operand of the inner one.
_CANCELLED: Final = {
    ("last", "append"): "right",
    ("first", "prepend"): "right",
    ("start", "append"): "left",
    ("rest", "prepend"): "left",
    ("reversed", "reversed"): "left",
    ("not", "not"): "left",
}
#: (operator, operator inside) of which the order is no matter for a list with an item in it.
_PASSED: Final = (("rest", "append"), ("start", "prepend"))
#: (operator, operator inside) of which the inner one is no matter for such a list.
_SAME: Final = (("first", "append"), ("last", "prepend"))
#: Operators that put an item more into a list.
_ADDING: Final = ("append", "prepend", "insert")
#: Operators that keep the items of a list.
_ORDERING: Final = ("sorted", "reversed")


def simplify(term: Term, values: Values, is_filled: Callable[[Term], bool]) -> Term:
    """``term`` and its parts, as simple as these rules make them.

    ``is_filled`` says whether a list has an item on all rows that matter.
    """
    match term:
        case Apply(operation, args, part):
            return Apply(operation, tuple(simplify(arg, values, is_filled) for arg in args), part)
        case Compute(left, operator, right):
            inner = Compute(
                simplify(left, values, is_filled), operator, simplify(right, values, is_filled)
            )
            return _computed(inner, values, is_filled)
        case Test(left, operator, right):
            test = Test(
                simplify(left, values, is_filled), operator, simplify(right, values, is_filled)
            )
            return _tested(test, values)
    return term


def _computed(term: Compute, values: Values, is_filled: Callable[[Term], bool]) -> Term:
    left, operator, right = term.left, term.operator, term.right
    if isinstance(left, Constant) and isinstance(right, Constant):
        found = compute(values, operator, left.value, right.value)
        return term if found == UNDEFINED else Constant(found)
    if operator in ("+", "-") and _is_zero(right, values):
        return left
    if operator == "+" and _is_zero(left, values):
        return right
    if operator == "-" and isinstance(left, Compute) and (left.operator, left.right) == ("+", right):
        return left.left
    if operator == "-" and left == right:
        return Constant(values.of_plain(0))
    if operator == "prepend" and isinstance(left, Constant) and _is_empty(left, values):
        return Compute(left, "append", right)
    return _of_list(term, left, values, is_filled) if isinstance(left, Compute) else term


def _of_list(
    term: Compute, inner: Compute, values: Values, is_filled: Callable[[Term], bool]
) -> Term:
    """A part of a list with an item more or less: the change is undone, or made to the part."""
    operator, right, items = term.operator, term.right, inner.left
    again = lambda one: _computed(one, values, is_filled)  # noqa: E731
    if isinstance(items, Constant) and inner.operator in _ADDING and _is_empty(items, values):
        if operator in ("first", "last", "min", "max"):
            return inner.right
        if operator in ("rest", "start"):
            return items
    side = _CANCELLED.get((operator, inner.operator))
    if side:
        return items if side == "left" else inner.right
    if inner.operator in _ADDING and operator in ("len", "sum"):
        by = Constant(values.of_plain(1)) if operator == "len" else inner.right
        return Compute(again(Compute(items, operator, right)), "+", by)
    if inner.operator in _ORDERING and operator in ("len", "sum", "min", "max", "sorted"):
        return again(Compute(items, operator, right))
    if (operator, inner.operator) == ("rest", "start"):
        return again(Compute(again(Compute(items, "rest", right)), "start", right))
    if (operator, inner.operator) == ("prepend", "append"):
        return again(Compute(again(Compute(items, "prepend", right)), "append", inner.right))
    if (operator, inner.operator) in _PASSED and is_filled(items):
        return again(Compute(again(Compute(items, operator, right)), inner.operator, inner.right))
    if (operator, inner.operator) in _SAME and is_filled(items):
        return again(Compute(items, operator, right))
    if inner.operator in ("rest", "start") and operator == "len" and is_filled(items):
        return again(Compute(again(Compute(items, "len", right)), "-", Constant(values.of_plain(1))))
    ends = {("prepend", "rest"): "first", ("append", "start"): "last"}
    end = ends.get((operator, inner.operator), "")
    if end and right == Compute(items, end, inner.right) and is_filled(items):
        return items
    return term


def _tested(term: Test, values: Values) -> Term:
    left, operator, right = term.left, term.operator, term.right
    truth: bool | None = None
    if isinstance(left, Constant) and isinstance(right, Constant):
        truth = compare(values, operator, left.value, right.value)
    elif left == right and operator in ("==", "!=", "<", "<="):
        truth = operator in ("==", "<=")
    elif operator == "in" and isinstance(right, Compute) and right.operator in (*_ADDING, "with"):
        truth = True if right.right == left else None
    elif operator == "in" and isinstance(right, Compute) and right.operator in ("remove", "without"):
        truth = False if right.right == left else None
    elif operator == "in" and isinstance(right, Constant) and _is_empty(right, values):
        truth = False
    elif operator == "<=" and _is_zero(left, values) and isinstance(right, Compute):
        truth = True if right.operator == "len" else None
    return term if truth is None else Constant(values.of_plain(truth))


def _is_empty(term: Constant, values: Values) -> bool:
    try:
        return not values.plain(term.value)
    except NoPlainValue:
        return False


def _is_zero(term: Term, values: Values) -> bool:
    try:
        value = values.plain(term.value) if isinstance(term, Constant) else None
    except NoPlainValue:
        return False
    return is_number(value) and value == 0


def summands_of(term: Term, values: Values) -> tuple[dict[Term, int], int]:
    """The terms that are added in ``term``, with how often, and the sum of its constants."""
    found: dict[Term, int] = {}
    constant = _add(term, 1, found, values)
    return {one: times for one, times in found.items() if times}, constant


def _add(term: Term, sign: int, found: dict[Term, int], values: Values) -> int:
    if isinstance(term, Compute) and term.operator in ("+", "-"):
        left = _add(term.left, sign, found, values)
        return left + _add(term.right, sign if term.operator == "+" else -sign, found, values)
    if isinstance(term, Constant) and values.is_integer(term.value):
        return sign * int(values.plain(term.value))
    found[term] = found.get(term, 0) + sign
    return 0
