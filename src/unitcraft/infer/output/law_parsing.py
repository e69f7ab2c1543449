"""Laws in functional notation, read: the inverse of ``law_text``, for laws that a person states.

Invariant: what is read is a Law over the operations of the class, or an error that says what
part of the text is none.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final, NoReturn

from unitcraft.core.errors import UnitcraftError
from unitcraft.infer.algebraic.computed_values import OPERATORS
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
from unitcraft.infer.universe.class_operations import OWN
from unitcraft.infer.universe.values import RETURNED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.infer.universe.class_operations import Operation
    from unitcraft.infer.universe.profiles import Profile
    from unitcraft.infer.universe.values import Values

_OPERATORS: Final[dict[type, str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"
}  # fmt: skip

#: The name of the receiver.
STATE_NAME: Final = "S"
#: What stands for the operands in a form.
_LEFT: Final = "left_operand"
_RIGHT: Final = "right_operand"
#: The operators with how they are written, those of more parts first.
_FORMS: Final = tuple(
    (name, ast.parse(one.form.format(_LEFT, _RIGHT), mode="eval").body)
    for name, one in sorted(OPERATORS.items(), key=lambda pair: -len(pair[1].form))
)


def _fits(form: Any, node: Any, found: dict[str, ast.expr]) -> bool:
    """Is ``node`` written as ``form``?  ``found`` takes the operands."""
    if isinstance(form, ast.Name) and form.id in (_LEFT, _RIGHT):
        found[form.id] = node
        return isinstance(node, ast.expr)
    if isinstance(form, list):
        return isinstance(node, list) and len(form) == len(node) and all(
            _fits(one, other, found) for one, other in zip(form, node, strict=True)
        )  # fmt: skip
    if isinstance(form, ast.AST):
        return type(form) is type(node) and all(
            _fits(getattr(form, field), getattr(node, field), found) for field in form._fields
        )
    return bool(form == node)


def split_condition(text: str) -> tuple[str, str, str]:
    """``text`` before and after the first `` if `` that is in no brackets."""
    equation = ""
    for part in text.split(" if "):
        equation += part if not equation else f" if {part}"
        if sum(map(equation.count, "([{")) == sum(map(equation.count, ")]}")):
            break
    return equation, " if ", text[len(equation) + len(" if ") :]


class LawParser:
    """Reads the laws of one class."""

    def __init__(
        self, operations: Sequence[Operation], profiles: Sequence[Profile], values: Values
    ) -> None:
        self._constructors: dict[str, list[int]] = {}
        self._by_name: dict[str, list[int]] = {}
        for place, one in enumerate(operations):
            known = self._constructors if one.is_constructor else self._by_name
            known.setdefault(one.name, []).append(place)
        self._operations = operations
        self._profiles = profiles
        self._values = values
        self._sorts: dict[str, Var] = {}
        self._text = ""

    def law(self, text: str) -> Law:
        """The Law of ``text``.  Raises UnitcraftError ``bad-law``."""
        self._text, self._sorts = text, {}
        equation, _, condition = split_condition(text)
        try:
            return self._conditional(equation, condition)
        except UnitcraftError as error:
            self._sorts = {}
            try:
                self._guard(condition)  # perhaps only its calls say of which sort a name is
                return self._conditional(equation, condition)
            except UnitcraftError:
                raise error from None

    def _conditional(self, equation: str, condition: str) -> Law:
        left, raises, error = equation.partition(" raises ")
        if raises:
            call = self._applied(self._parsed(left), "outcome")
            return Law(call, Constant(self._raised(error.strip())), self._guard(condition))
        node = self._parsed(equation)
        if not isinstance(node, ast.Compare) or len(node.ops) != 1:
            return self._judgement(node, condition)
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            return self._judgement(node, condition)
        if not isinstance(node.ops[0], ast.Eq):
            true = Constant(self._values.of_plain(True))  # noqa: FBT003
            return Law(self._test(node), true, self._guard(condition))
        sides = (node.left, node.comparators[0])
        states = any(self._is_state(side) for side in sides)
        part: Part = "state" if states else "value"
        first, second = (self._side(side, part) for side in sides)
        return Law(first, second, self._guard(condition))

    def law_or_none(self, text: str) -> Law | None:
        """The Law of ``text``; None for one that there are no words for."""
        try:
            return self.law(text)
        except UnitcraftError:
            return None

    def _test(self, node: ast.expr) -> Test:
        signs = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.In: "in"}
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in signs:
                second = self._value(right, "value") if isinstance(op, ast.In) else None
                first = self._value(left, "value")
                return Test(first, signs[type(op)], second or self._value(right, "value"))
        return self._fail(f"{ast.unparse(node)} is no comparison by ==, !=, <, <= or in")

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
        match node:
            case ast.Compare(ops=[ast.In()], comparators=[right]) if self._is_state(right):
                return self._applied(node, "value")
            case ast.Compare():
                return self._test(node)
        return self._state(node) if part == "state" else self._value(node, part)

    def _is_state(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return node.id == STATE_NAME
        if isinstance(node, ast.Call) and ast.unparse(node.func) in self._constructors:
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            places = self._by_name.get(node.func.id, ())
            return any(self._profiles[place].is_mutator for place in places)
        if isinstance(node, ast.BinOp):
            return _OPERATORS.get(type(node.op), "") in self._by_name and self._is_state(node.left)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return "neg" in self._by_name and self._is_state(node.operand)
        return False

    def _state(self, node: ast.expr) -> Term:
        if isinstance(node, ast.Name) and node.id == STATE_NAME:
            return RECEIVER
        if isinstance(node, ast.Name) and (known := self._sorts.get(node.id)) is not None:
            return known if known.sort == OWN else self._fail(f"{node.id} is no object")
        return self._applied(node, "state")

    def _applied(self, node: ast.expr, part: Part) -> Term:
        """An operation of the class, however it is written."""
        match node:
            case ast.Call(func=func, args=args) if ast.unparse(func) in self._constructors:
                return self._apply(self._constructors[ast.unparse(func)], None, args, part)
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
            case ast.UnaryOp(op=ast.USub(), operand=receiver) if "neg" in self._by_name:
                return self._apply(self._by_name["neg"], receiver, [], part)
        return self._fail(f"{ast.unparse(node)} is no call of the class")

    def _apply(
        self, places: Sequence[int], receiver: ast.expr | None, args: list[ast.expr], part: Part
    ) -> Term:
        """That of the operations at ``places`` which takes so many arguments."""
        counts = [len(self._operations[place].sorts) for place in places]
        if len(args) not in counts:
            name = self._operations[places[0]].name
            self._fail(f"{name} takes {' or '.join(map(str, counts))} arguments")
        place = places[counts.index(len(args))]
        sorts = self._operations[place].sorts
        given = tuple(self._value(a, "value", s) for a, s in zip(args, sorts, strict=True))
        first = self._state(receiver) if receiver is not None else Constant(0)
        return Apply(place, (first, *given), part)

    def _value(self, node: ast.expr, part: Part, sort: str = "") -> Term:
        computed = self._computed(node)
        if computed is not None:
            return computed
        if sort == OWN and self._is_state(node):
            return self._state(node)
        match node:
            case ast.Name(id=name):
                return self._variable(name, sort)
            case ast.Compare():
                return self._side(node, part)
            case ast.Attribute(value=call, attr="result"):
                return self._applied(call, "value")
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right) if (
                not self._is_state(left)
            ):
                sign = _OPERATORS[type(node.op)]
                return Compute(self._value(left, part), sign, self._value(right, part))
        named = (
            self._values.named(ast.unparse(node))
            if isinstance(node, ast.Attribute | ast.Call)
            else None
        )
        if named is not None:
            return Constant(named)
        try:
            return Constant(self._values.of_plain(ast.literal_eval(node)))
        except (ValueError, TypeError):
            return self._applied(node, "value")

    def _computed(self, node: ast.expr) -> Compute | None:
        """The Compute that ``node`` is written as; None when it is none."""
        for operator, form in _FORMS:
            found: dict[str, ast.expr] = {}
            if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
                continue  # a negative number
            if _fits(form, node, found) and not self._is_state(found[_LEFT]):
                right = found.get(_RIGHT)
                none = Constant(self._values.of_plain(None))
                given = self._value(right, "value") if right is not None else none
                return Compute(self._value(found[_LEFT], "value"), operator, given)
        return None

    def _variable(self, name: str, sort: str) -> Var:
        if name not in self._sorts:
            if name == STATE_NAME:
                self._fail("S is no argument: an object that is passed has another name")
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
