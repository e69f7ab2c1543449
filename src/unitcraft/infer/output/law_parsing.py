"""Laws in functional notation, read: the inverse of ``law_text``, for laws that a person states.

Invariant: what is read is a Law over the operations of the class, or an error that says what
part of the text is none.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NoReturn

from unitcraft.core.errors import UnitcraftError
from unitcraft.infer.algebraic.law_terms import (
    ALWAYS,
    RECEIVER,
    STATE,
    Apply,
    Atom,
    Compute,
    Constant,
    Guard,
    Law,
    Part,
    Term,
    Test,
    Var,
)
from unitcraft.infer.universe.values import RETURNED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.infer.universe.class_operations import Operation
    from unitcraft.infer.universe.profiles import Profile
    from unitcraft.infer.universe.values import Values

_OPERATORS: Final[dict[type, str]] = {
    ast.Add: "+", ast.Sub: "-", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"
}  # fmt: skip


class LawParser:
    """Reads the laws of one class."""

    def __init__(
        self, operations: Sequence[Operation], profiles: Sequence[Profile], values: Values
    ) -> None:
        self._by_name = {one.name: place for place, one in enumerate(operations)}
        self._operations = operations
        self._profiles = profiles
        self._values = values
        self._sorts: dict[str, Var] = {}
        self._text = ""

    def law(self, text: str) -> Law:
        """The Law of ``text``.  Raises UnitcraftError ``bad-law``."""
        self._text, self._sorts = text, {}
        equation, _, condition = text.partition(" if ")
        left, raises, error = equation.partition(" raises ")
        if raises:
            call = self._applied(self._parsed(left), "outcome")
            return Law(call, Constant(self._raised(error.strip())), self._guard(condition))
        node = self._parsed(equation)
        if not isinstance(node, ast.Compare) or len(node.ops) != 1:
            return self._judgement(node, condition)
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            return self._judgement(node, condition)
        both = all(isinstance(one, ast.Compare) for one in (node.left, node.comparators[0]))
        if both or not isinstance(node.ops[0], ast.Eq):
            return self._tests(node, condition)
        sides = (node.left, node.comparators[0])
        states = any(self._is_state(side) for side in sides)
        part: Part = "state" if states else "value"
        first, second = (self._side(side, part) for side in sides)
        return Law(first, second, self._guard(condition))

    def _tests(self, node: ast.Compare, condition: str) -> Law:
        """A law between comparisons, or one that is a comparison itself."""
        if not isinstance(node.ops[0], ast.Eq):
            true = Constant(self._values.of_plain(True))  # noqa: FBT003
            return Law(self._test(node), true, self._guard(condition))
        left, right = self._test(node.left), self._test(node.comparators[0])
        return Law(left, right, self._guard(condition))

    def _test(self, node: ast.expr) -> Test:
        signs = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<="}
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in signs:
                return Test(
                    self._value(left, "value"), signs[type(op)], self._value(right, "value")
                )
        return self._fail(f"{ast.unparse(node)} is no comparison by ==, !=, < or <=")

    def _judgement(self, node: ast.expr, condition: str) -> Law:
        """A law that is one condition: it is True, or False where it is negated."""
        atom = self._atom(node)
        if atom.operator != "==":
            self._fail("an equation has ==")
        right = atom.right
        if atom.negated:
            right = Constant(self._values.of_plain(False))  # noqa: FBT003
        return Law(atom.left, right, self._guard(condition))

    def _side(self, node: ast.expr, part: Part) -> Term:
        return self._state(node) if part == "state" else self._value(node, part)

    def _is_state(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return node.id == "S"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            place = self._by_name.get(node.func.id)
            return place is not None and self._profiles[place].is_mutator
        if isinstance(node, ast.BinOp):
            place = self._by_name.get(_OPERATORS.get(type(node.op), ""))
            return place is not None and self._is_state(node.left)
        return False

    def _state(self, node: ast.expr) -> Term:
        if isinstance(node, ast.Name) and node.id == "S":
            return RECEIVER
        return self._applied(node, "state")

    def _applied(self, node: ast.expr, part: Part) -> Term:
        """An operation of the class, however it is written."""
        match node:
            case ast.Call(func=ast.Name(id=name), args=[receiver, *args]) if name in self._by_name:
                return self._apply(self._by_name[name], receiver, args, part)
            case ast.Subscript(value=receiver, slice=index) if "getitem" in self._by_name:
                return self._apply(self._by_name["getitem"], receiver, [index], part)
            case ast.Compare(left=item, ops=[ast.In()], comparators=[receiver]) if (
                "contains" in self._by_name
            ):
                return self._apply(self._by_name["contains"], receiver, [item], part)
            case ast.BinOp(left=left, op=op, right=right) if (
                name := _OPERATORS.get(type(op), "")
            ) in self._by_name:
                return self._apply(self._by_name[name], left, [right], part)
        return self._fail(f"{ast.unparse(node)} is no call of the class")

    def _apply(self, place: int, receiver: ast.expr, args: list[ast.expr], part: Part) -> Term:
        sorts = self._operations[place].sorts
        if len(args) != len(sorts):
            self._fail(f"{self._operations[place].name} takes {len(sorts)} arguments")
        given = tuple(self._value(a, "value", s) for a, s in zip(args, sorts, strict=True))
        return Apply(place, (self._state(receiver), *given), part)

    def _value(self, node: ast.expr, part: Part, sort: str = "") -> Term:
        match node:
            case ast.Name(id=name):
                return self._variable(name, sort)
            case ast.List(elts=[ast.Starred(value=left), right]):
                return Compute(self._value(left, part), "append", self._value(right, part))
            case ast.List(elts=[right, ast.Starred(value=left)]):
                return Compute(self._value(left, part), "prepend", self._value(right, part))
            case ast.Call(func=ast.Name(id="len" | "sorted" as name), args=[inner]) if (
                not self._is_state(inner)
            ):
                return self._of_list(inner, name)
            case ast.Subscript(value=inner, slice=index) if not self._is_state(inner):
                return self._of_list(inner, {"0": "first", "-1": "last"}[ast.unparse(index)])
            case ast.Attribute(value=call, attr="result"):
                return self._applied(call, "value")
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right) if not self._is_state(
                left
            ):
                sign = _OPERATORS[type(node.op)]
                return Compute(self._value(left, part), sign, self._value(right, part))
        try:
            return Constant(self._values.of_plain(ast.literal_eval(node)))
        except (ValueError, TypeError):
            return self._applied(node, "value")

    def _of_list(self, node: ast.expr, name: str) -> Compute:
        """The length of a list, its ends, or itself in order."""
        return Compute(self._value(node, "value"), name, Constant(self._values.of_plain(None)))

    def _variable(self, name: str, sort: str) -> Var:
        if name not in self._sorts:
            if not sort:
                self._fail(f"{name} stands in no call before")
            number = sum(one.sort == sort for one in self._sorts.values())
            self._sorts[name] = Var(sort, number)
        return self._sorts[name]

    def _guard(self, text: str) -> Guard:
        if not text.strip():
            return ALWAYS
        node = self._parsed(text.replace(" returns", ".returns"))
        if isinstance(node, ast.BoolOp):
            atoms = tuple(self._atom(one) for one in node.values)
            return Guard(atoms, "and" if isinstance(node.op, ast.And) else "or")
        return Guard((self._atom(node),))

    def _atom(self, node: ast.expr) -> Atom:
        true = Constant(self._values.of_plain(True))  # noqa: FBT003
        match node:
            case ast.Attribute(value=call, attr="returns"):
                returned = Constant(self._values.of_raise(RETURNED))
                return Atom(self._applied(call, "outcome"), "==", returned)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                atom = self._atom(inner)
                return Atom(atom.left, atom.operator, atom.right, not atom.negated)
            case ast.Compare(left=left, ops=[ast.NotIn()], comparators=[right]):
                inner = ast.Compare(left, [ast.In()], [right])
                return Atom(self._applied(inner, "value"), "==", true, negated=True)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if not isinstance(
                op, ast.In
            ):
                return self._comparison(op, self._value(left, "value"), self._value(right, "value"))
        return Atom(self._value(node, "value"), "==", true)

    def _comparison(self, op: ast.cmpop, left: Term, right: Term) -> Atom:
        match op:
            case ast.Eq() | ast.NotEq():
                return Atom(left, "==", right, isinstance(op, ast.NotEq))
            case ast.Lt() | ast.GtE():
                return Atom(left, "<", right, isinstance(op, ast.GtE))
            case ast.Gt() | ast.LtE():
                return Atom(right, "<", left, isinstance(op, ast.LtE))
        return self._fail("a condition compares by ==, !=, <, <=, > or >=")

    def _raised(self, name: str) -> int:
        """The number of the exception called ``name``, among those that were seen first."""
        return self._values.raised_as(name)

    def _parsed(self, text: str) -> ast.expr:
        try:
            return ast.parse(text.strip(), mode="eval").body
        except SyntaxError:
            return self._fail("it is not Python")

    def _fail(self, cause: str) -> NoReturn:
        known = ", ".join(self._by_name)
        raise UnitcraftError(
            "bad-law",
            f"{self._text!r} is no law of this class",
            cause=cause,
            advice=f"write it as 'top(push(S, value)) == value', with {STATE} S and: {known}",
        )
