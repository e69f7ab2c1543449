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
#: (operator, operator inside) that are put the other way round.
_TURNED: Final = (("rest", "start"), ("prepend", "append"))
#: (operator, operator inside): what an item has to be for the two to do nothing.
_ENDS: Final = {("prepend", "rest"): "first", ("append", "start"): "last"}
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
    return _Simplifier(values, is_filled).term(term)


class _Simplifier:
    """The rules over the values and lists of one proof."""

    def __init__(self, values: Values, is_filled: Callable[[Term], bool]) -> None:
        self._values = values
        self._is_filled = is_filled

    def term(self, term: Term) -> Term:
        """``term`` from the inside out."""
        match term:
            case Apply(operation, args, part):
                return Apply(operation, tuple(map(self.term, args)), part)
            case Compute(left, operator, right):
                return self._computed(self.term(left), operator, self.term(right))
            case Test(left, operator, right):
                return _tested(Test(self.term(left), operator, self.term(right)), self._values)
        return term

    def _computed(self, left: Term, operator: str, right: Term) -> Term:
        values = self._values
        whole = Compute(left, operator, right)
        if isinstance(left, Constant) and isinstance(right, Constant):
            found = compute(values, operator, left.value, right.value)
            return whole if found == UNDEFINED else Constant(found)
        if operator in ("+", "-"):
            return self._sum(whole)
        if operator in ("smaller", "larger") and repr(right) < repr(left):
            return Compute(right, operator, left)
        if operator == "prepend" and _is_empty(left, values):
            return Compute(left, "append", right)
        if operator == "and":
            true, false = (Constant(values.of_plain(truth)) for truth in (True, False))
            if _is_gap(left, right) or false in (left, right):
                return false
            return right if left == true else left if right == true else whole
        if not isinstance(left, Compute):
            return whole
        for rule in (self._undone, self._of_items, self._passed):
            simpler = rule(operator, left, right)
            if simpler is not None:
                return simpler
        return whole

    def _sum(self, whole: Compute) -> Term:
        left, operator, right = whole.left, whole.operator, whole.right
        if _is_zero(right, self._values):
            return left
        if isinstance(left, Compute) and isinstance(left.right, Constant):
            summands, constant = summands_of(whole, self._values)
            if not constant and summands == {left.left: 1}:
                return left.left
        if operator == "+":
            return right if _is_zero(left, self._values) else whole
        if isinstance(left, Compute) and (left.operator, left.right) == ("+", right):
            return left.left
        return Constant(self._values.of_plain(0)) if left == right else whole

    def _undone(self, operator: str, inner: Compute, right: Term) -> Term | None:
        """The operator takes back what the inner one did, or finds what it put there."""
        items = inner.left
        side = _CANCELLED.get((operator, inner.operator))
        if side:
            return items if side == "left" else inner.right
        if inner.operator in _ADDING and _is_empty(items, self._values):
            if operator in ("first", "last", "min", "max"):
                return inner.right
            if operator in ("rest", "start"):
                return items
        end = _ENDS.get((operator, inner.operator))
        if end and right == Compute(items, end, inner.right) and self._is_filled(items):
            return items
        return None

    def _of_items(self, operator: str, inner: Compute, right: Term) -> Term | None:
        """Length, sum and extremes of a list with an item more or less, or in another order."""
        items, one = inner.left, Constant(self._values.of_plain(1))
        if inner.operator in _ADDING and operator in ("len", "sum"):
            by = one if operator == "len" else inner.right
            return self._computed(self._computed(items, operator, right), "+", by)
        if inner.operator in _ORDERING and operator in ("len", "sum", "min", "max", "sorted"):
            return self._computed(items, operator, right)
        if inner.operator in ("rest", "start") and operator == "len" and self._is_filled(items):
            return self._computed(self._computed(items, "len", right), "-", one)
        return None

    def _passed(self, operator: str, inner: Compute, right: Term) -> Term | None:
        """Two operators in the order that all proofs use."""
        items, pair = inner.left, (operator, inner.operator)
        if pair == ("insert", "insert") and repr(right) < repr(inner.right):
            return Compute(Compute(items, "insert", right), "insert", inner.right)
        if pair in _TURNED or (pair in _PASSED and self._is_filled(items)):
            changed = self._computed(items, operator, right)
            return self._computed(changed, inner.operator, inner.right)
        if pair in _SAME and self._is_filled(items):
            return self._computed(items, operator, right)
        return None


def _tested(term: Test, values: Values) -> Term:
    left, operator, right = term.left, term.operator, term.right
    if operator in ("==", "!=") and isinstance(left, Compute) and left.operator == "-":
        left, right = (left.left, left.right) if _is_zero(right, values) else (left, right)
        term = Test(left, operator, right)
    if operator in ("==", "!=") and repr(right) < repr(left):
        left, right = right, left
        term = Test(left, operator, right)
    truth: bool | None = None
    if isinstance(left, Constant) and isinstance(right, Constant):
        truth = compare(values, operator, left.value, right.value)
    elif left == right and operator in ("==", "!=", "<", "<="):
        truth = operator in ("==", "<=")
    elif operator == "in" and isinstance(right, Compute) and right.operator in (*_ADDING, "with"):
        truth = True if right.right == left else None
    elif (
        operator == "in" and isinstance(right, Compute) and right.operator in ("remove", "without")
    ):
        truth = False if right.right == left else None
    elif operator == "in" and _is_empty(right, values):
        truth = False
    elif operator == "<=" and _is_zero(left, values) and isinstance(right, Compute):
        truth = True if right.operator == "len" else None
    return term if truth is None else Constant(values.of_plain(truth))


def _is_gap(left: Term, right: Term) -> bool:
    """Is something to be between two limits that are one, of which one is not meant?"""
    return (
        isinstance(left, Test) and isinstance(right, Test)
        and (left.left, left.right) == (right.right, right.left)
        and "<" in (left.operator, right.operator)
        and {left.operator, right.operator} <= {"<", "<="}
    )  # fmt: skip


def _is_empty(term: Term, values: Values) -> bool:
    try:
        return isinstance(term, Constant) and values.plain(term.value) in ([], (), {})
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
