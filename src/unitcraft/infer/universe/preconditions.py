"""Preconditions that a user gives: ``pop: not is_empty()``.

Invariant: a condition is looked up in the table, never evaluated as code; it may call operations
of the class on the receiver, name parameters, and combine comparisons.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from unitcraft.core.errors import UnitcraftError

_COMPARISONS: Final[dict[type, Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip


_SUMS: Final[dict[type, Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Precondition:
    """``condition`` (an expression) has to hold before the operation ``name`` is called."""

    name: str
    text: str
    condition: ast.expr


def parse_precondition(text: str) -> Precondition:
    """The Precondition of ``METHOD: CONDITION``.  Raises UnitcraftError ``bad-condition``."""
    name, colon, condition = text.partition(":")
    try:
        node = ast.parse(condition.strip(), mode="eval").body
    except SyntaxError:
        node = None
    if not colon or node is None or not name.strip().isidentifier() or not _is_known(node):
        raise UnitcraftError(
            "bad-condition",
            f"{text!r} is no condition of a method",
            cause="it may call methods without the receiver, and compare, and, or, not",
            advice="write it as METHOD: CONDITION, such as 'pop: not is_empty()'",
        )
    return Precondition(name.strip(), condition.strip(), node)


def _is_known(node: ast.expr) -> bool:
    match node:
        case ast.BoolOp(values=parts):
            return all(map(_is_known, parts))
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=inner):
            return _is_known(inner)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return type(op) in _COMPARISONS and _is_known(left) and _is_known(right)
        case ast.BinOp(left=left, op=op, right=right):
            return type(op) in _SUMS and _is_known(left) and _is_known(right)
        case ast.Call(func=ast.Name(), args=args, keywords=[]):
            return all(map(_is_known, args))
        case ast.Name() | ast.Constant():
            return True
    return False


def evaluate_condition(
    node: ast.expr, names: dict[str, Any], call: Callable[[str, list[Any]], Any]
) -> Any:
    """The value of a condition; ``call`` answers for an operation of the receiver."""
    match node:
        case ast.BoolOp(op=op, values=parts):
            values = (evaluate_condition(part, names, call) for part in parts)
            return all(values) if isinstance(op, ast.And) else any(values)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return not evaluate_condition(inner, names, call)
        case ast.UnaryOp(operand=inner):
            return -evaluate_condition(inner, names, call)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            sides = [evaluate_condition(one, names, call) for one in (left, right)]
            return _COMPARISONS[type(op)](*sides)
        case ast.BinOp(left=left, op=op, right=right):
            sides = [evaluate_condition(one, names, call) for one in (left, right)]
            return _SUMS[type(op)](*sides)
        case ast.Call(func=ast.Name(id=name), args=args):
            return call(name, [evaluate_condition(arg, names, call) for arg in args])
        case ast.Name(id=name):
            return names[name]
        case ast.Constant(value=value):
            return value
    raise AssertionError(node)
