"""Contracts that a class states itself: ``pre:``, ``post:`` and ``inv:`` in docstrings; asserts.

A condition speaks of ``self`` and the parameters; a ``post:`` of ``__return__`` (``result``) and of
``__old__.self`` too.  A ``pre:``, or an ``assert`` that a method begins with, says which calls
are meant; ``post:`` and ``inv:`` become laws that are counted as if a person had stated them.

Invariant: what cannot be said as a condition or a law is passed over; nothing here runs code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from unitcraft.core.errors import UnitcraftError
from unitcraft.infer.universe.preconditions import Precondition, parse_precondition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.infer.universe.class_operations import Operation

#: A line of a docstring: what kind of condition, and the condition.
_LINE: Final = re.compile(r"^\s*:?(pre|post|inv):\s*(.+?)\s*$", re.MULTILINE)
_RETURNED: Final = ("__return__", "result")
#: Comparisons that laws have no word for, by the one that says the same of swapped sides.
_SWAPPED: Final[dict[type, type[ast.cmpop]]] = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}

Method = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class StatedContracts:
    """The ``preconditions`` of a class's methods, and what it says of its calls, as ``laws``."""

    preconditions: tuple[Precondition, ...] = ()
    laws: tuple[str, ...] = ()


def read_contracts(node: ast.ClassDef | None, operations: Sequence[Operation]) -> StatedContracts:
    """What the class of ``node`` states of its ``operations``."""
    if node is None:
        return StatedContracts()
    known = {one.invocable.name: one for one in operations}
    preconditions: list[Precondition] = []
    laws = [
        law for kind, text in _lines(node) if kind == "inv" for law in _laws(text, "", (), known)
    ]
    for method in node.body:
        if isinstance(method, Method) and method.name in known:
            stated = [text for kind, text in _lines(method) if kind == "pre"]
            stated += [ast.unparse(one) for one in _leading_asserts(method)]
            condition = _joined_precondition(known[method.name], stated, known)
            preconditions += [condition] if condition is not None else []
            given = tuple(one.name for one in known[method.name].given)
            for kind, text in _lines(method):
                if kind == "post":
                    laws += _laws(text, known[method.name].name, given, known)
    return StatedContracts(tuple(preconditions), tuple(laws))


def _lines(node: ast.ClassDef | Method) -> list[tuple[str, str]]:
    return _LINE.findall(ast.get_docstring(node) or "")


def _leading_asserts(method: Method) -> Iterator[ast.expr]:
    """The conditions of the asserts before anything else is done."""
    body = method.body[1:] if ast.get_docstring(method) is not None else method.body
    for statement in body:
        if not isinstance(statement, ast.Assert):
            return
        yield statement.test


def _joined_precondition(
    operation: Operation, texts: Sequence[str], known: dict[str, Operation]
) -> Precondition | None:
    found: list[str] = []
    for text in texts:
        node = _parsed(text)
        if node is None:
            continue
        said = ast.unparse(_Asked(known, None).visit(node))
        try:
            parse_precondition(f"{operation.name}: {said}")
        except UnitcraftError:
            continue
        found.append(said)
    if not found or not operation.name.isidentifier():
        return None
    return parse_precondition(f"{operation.name}: {' and '.join(f'({one})' for one in found)}")


def _laws(
    text: str, method: str, given: tuple[str, ...], known: dict[str, Operation]
) -> Iterator[str]:
    """The laws of one condition, of objects alone where ``method`` is ''."""
    node = _parsed(text)
    if node is None:
        return
    guards = []
    call = f"{method}({', '.join(('S', *given))})" if method else ""
    match node:
        case ast.BoolOp(op=ast.Or(), values=[ast.UnaryOp(op=ast.Not(), operand=guard), said]):
            guards.append(ast.unparse(_Asked(known, call).visit(guard)))
            node = said
    guards += [f"{call} returns"] if call else []
    parts = node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) else [node]
    for part in parts:
        law = ast.unparse(_Asked(known, call).visit(_turned(part)))
        yield law + (f" if {' and '.join(guards)}" if guards else "")


def _turned(node: ast.expr) -> ast.expr:
    """``a > b`` as ``b < a``."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _SWAPPED:
            return ast.Compare(right, [_SWAPPED[type(op)]()], [left])
    return node


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


class _Asked(ast.NodeTransformer):
    """``self.size()`` as ``size(S)``; of the object after ``call``, where there is one.

    With ``call`` None the receiver is left out, as in the conditions of a user.
    """

    def __init__(self, known: dict[str, Operation], call: str | None) -> None:
        self._known = known
        self._call = call

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A method of ``self``, or a builtin function of it."""
        args = [self.visit(one) for one in node.args]
        match node.func:
            case ast.Attribute(value=receiver, attr=name) if name in self._known:
                return self._asked(self._known[name].name, receiver, args)
            case ast.Name(id=name) if len(node.args) == 1 and _is_self(node.args[0]):
                return self._asked(name, node.args[0], [])
        return ast.Call(node.func, args, node.keywords)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """A property or an attribute of ``self``."""
        return self._asked(node.attr, node.value, []) if _is_self(node.value) else node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """What the call returned."""
        if node.id in _RETURNED and self._call:
            return _name(f"{self._call}.result")
        return node

    def _asked(self, name: str, receiver: ast.expr, args: list[ast.expr]) -> ast.expr:
        first = [] if self._call is None else [_name(self._receiver(receiver))]
        return ast.Call(_name(name), [*first, *args], [])

    def _receiver(self, receiver: ast.expr) -> str:
        return "S" if _is_old(receiver) else self._call or "S"


def _is_old(node: ast.expr) -> bool:
    return ast.unparse(node) == "__old__.self"


def _is_self(node: ast.expr) -> bool:
    return ast.unparse(node) == "self" or _is_old(node)


def _name(text: str) -> ast.Name:
    return ast.Name(text, ast.Load())
