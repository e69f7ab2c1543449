"""What single nodes of a syntax tree do with a value: tables of operations, literals, bindings.

``Callee`` is what is known of a function that a node calls.

Invariant: answers depend on the node alone.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from unitcraft.subject.scopes import word_set

#: Operator of two operands -> the operation.
BINARY: Final = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv",
    ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "pow", ast.LShift: "lshift",
    ast.RShift: "rshift", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
#: Comparison -> the operation.
COMPARISONS: Final = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
#: Operator of one operand -> the operation.
UNARY: Final = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
#: Builtin function -> the operation on its first argument.
BUILTINS: Final = {
    **dict.fromkeys(
        word_set("all any enumerate frozenset iter list reversed set sorted sum tuple zip"),
        "iterate",
    ),
    "len": "len", "int": "int", "float": "float", "abs": "abs", "round": "round", "next": "next",
    "open": "fspath", "range": "index", "chr": "index", "dict": "mapping",
}  # fmt: skip
#: Builtin functions whose second argument is iterated.
OVER_SECOND: Final = word_set("map filter enumerate zip")
#: Methods that only texts have -> whether the first argument is a text, too.
TEXT_METHODS: Final = word_set(
    "startswith endswith split rsplit partition rpartition replace find rfind strip lstrip rstrip"
)
#: Builtin functions that test the kind of a value.
TESTS: Final = word_set("isinstance issubclass hasattr callable getattr type")
#: Exceptions that a wrong kind of argument raises.
BROAD: Final = word_set("Exception BaseException TypeError AttributeError KeyError IndexError")


class Callee(NamedTuple):
    """What a callee accepts: kinds by place and by name, ``|`` between them, '' where unknown.

    ``own`` is its id if it is an Invocable.  ``certain``: it refuses what is of another kind.
    ``receivers`` arguments, 1 where a method is called through its class, stand before the others.
    """

    own: str = ""
    places: tuple[str, ...] = ()
    names: Mapping[str, str] = MappingProxyType({})
    certain: bool = False
    receivers: int = 0


#: Finds the Callee that an expression names in a method of a class ('' for functions), by its id.
Callees = Callable[[ast.expr, str], Callee]


def first_bindings(body: list[ast.stmt]) -> dict[str, int]:
    """Name -> the line on which a statement of ``body`` itself first binds it, ``+=`` aside.

    After ``p = p or DEFAULT`` it still is what was passed.
    """
    found: dict[str, int] = {}
    for node in body:
        targets = node.targets if isinstance(node, ast.Assign) and not _is_default(node) else []
        for inner in [part for target in targets for part in ast.walk(target)]:
            if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
                found.setdefault(inner.id, inner.lineno)
    return found


def _is_default(node: ast.Assign) -> bool:
    """Is it ``p = p or DEFAULT``?"""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.BoolOp(op=ast.Or(), values=[ast.Name(id=other), *_]),
        ):
            return name == other
    return False


def bound_inside(node: ast.AST) -> set[str]:
    """The names that are bound anywhere in a function, ``+=`` aside."""
    augmented = {id(inner.target) for inner in ast.walk(node) if isinstance(inner, ast.AugAssign)}
    return {
        inner.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and id(inner) not in augmented
        if not isinstance(inner.ctx, ast.Load)
    }


def literal_kind(node: ast.expr | None) -> str:
    """The class name of a literal ('' for anything else)."""
    match node:
        case ast.Constant(value=value):
            return type(value).__name__
        case ast.JoinedStr():
            return "str"
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return literal_kind(inner)
        case ast.List() | ast.Tuple() | ast.Dict() | ast.Set():
            return type(node).__name__.lower()
        case ast.Slice():
            return "slice"
        case ast.Call(func=ast.Name(id=name)) if name in ("str", "int", "float", "list", "dict"):
            return name
    return ""


def is_broad(handler: ast.ExceptHandler) -> bool:
    """Does a handler catch what a wrong kind of value raises?"""
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(kind, ast.Name) and kind.id in BROAD for kind in kinds)


def class_names(node: ast.expr) -> Iterator[str]:
    """The last names of the classes that the second argument of ``isinstance`` lists."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.Tuple(elts=parts):
            for part in parts:
                yield from class_names(part)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from class_names(left)
            yield from class_names(right)
