"""Types of expressions by those of their parts: displays, operators, choices, builtin functions.

Invariant: a function of the node and of what ``read`` answers of its parts.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.known_types import BYTES, INT, NONE, STR
from unitcraft.subject.passing.operator_results import (
    NOTHING,
    agreed,
    entry_of,
    item_of,
    join,
    negated,
    operated,
)

#: Answers the type of a part.
Read = Callable[[ast.expr], TypeExpr]

_BOOL: Final = TypeExpr("bool")
_TEXT_STREAM: Final = TypeExpr("class", cls="io:StringIO")
_BYTE_STREAM: Final = TypeExpr("class", cls="io:BytesIO")
#: Container -> the number of its type arguments.
_ARGUMENTS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("list", "set", "frozenset", "vartuple", "iterator"), 1), "dict": 2,
}  # fmt: skip
_NUMBERS: Final = ("bool", "int", "float", "complex")
#: Methods of sets that answer sets.
_OF_SETS: Final = ("union", "intersection", "difference", "symmetric_difference")


def structural_type(node: ast.expr, read: Read) -> TypeExpr:
    """The type of ``node`` by those of its parts; ANY for what these do not tell."""
    reader = _READERS.get(type(node))
    return reader(node, read) if reader is not None else ANY


def container(name: str, *groups: Iterable[TypeExpr]) -> TypeExpr:
    """A container of the kind ``name``; ``groups`` are the types of items, or keys and values."""
    parts = tuple([agreed(group) for group in groups])
    is_known = len(parts) == _ARGUMENTS.get(name, 0) and not {ANY, NONE, NOTHING} & set(parts)
    return TypeExpr(name, parts if is_known else ())


def _constant(node: ast.Constant, _: Read) -> TypeExpr:
    if node.value is None or node.value is ...:
        return NONE if node.value is None else ANY
    return TypeExpr(type(node.value).__name__)


def _compared(node: ast.Compare, read: Read) -> TypeExpr:
    """True or False, unless an operand may have comparisons of its own."""
    is_plain = all(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops)
    operands = [read(one) for one in (node.left, *node.comparators)]
    return _BOOL if is_plain or any(one.name not in ("any", "class") for one in operands) else ANY


def _either(node: ast.BoolOp, read: Read) -> TypeExpr:
    return join([read(one) for one in node.values])


def _dict(node: ast.Dict, read: Read) -> TypeExpr:
    keys = [ANY if one is None else read(one) for one in node.keys]
    return container("dict", keys, [read(one) for one in node.values])


def _tuple(node: ast.Tuple, read: Read) -> TypeExpr:
    if any(isinstance(one, ast.Starred) for one in node.elts):
        return TypeExpr("vartuple")
    return TypeExpr("tuple", tuple([read(one) for one in node.elts]))


def _listed(node: ast.List | ast.Set, read: Read) -> TypeExpr:
    return container(type(node).__name__.lower(), [read(one) for one in node.elts])


def _comprehended(node: ast.ListComp | ast.SetComp | ast.GeneratorExp, read: Read) -> TypeExpr:
    name = {ast.ListComp: "list", ast.SetComp: "set"}.get(type(node), "iterator")
    return container(name, [read(node.elt)])


_READERS: Final[Mapping[type, Callable[..., TypeExpr]]] = {
    ast.Constant: _constant,
    ast.JoinedStr: lambda *_: STR,
    ast.Compare: _compared,
    ast.BoolOp: _either,
    ast.IfExp: lambda node, read: join([read(node.body), read(node.orelse)]),
    ast.BinOp: lambda node, read: operated(read(node.left), node.op, read(node.right)),
    ast.UnaryOp: lambda node, read: negated(node.op, read(node.operand)),
    ast.List: _listed,
    ast.Set: _listed,
    ast.Tuple: _tuple,
    ast.Dict: _dict,
    ast.ListComp: _comprehended,
    ast.SetComp: _comprehended,
    ast.GeneratorExp: _comprehended,
    ast.DictComp: lambda node, read: container("dict", [read(node.key)], [read(node.value)]),
    ast.Subscript: lambda node, read: entry_of(read(node.value), node.slice),
    ast.Lambda: lambda *_: TypeExpr("callable"),
    ast.NamedExpr: lambda node, read: read(node.value),
}


# -- builtin functions --------------------------------------------------------------------


def builtin_answer(name: str, node: ast.Call, read: Read) -> TypeExpr | None:
    """What a builtin function answers by the types of its arguments; None for others."""
    reader = _BUILTINS.get(name)
    if reader is None or not node.args or any(isinstance(one, ast.Starred) for one in node.args):
        return None
    return reader(node, read)


def _extreme(node: ast.Call, read: Read) -> TypeExpr:
    """What ``min`` and ``max`` answer: one of their arguments, or of the items of one.

    Of items of which nothing is known the default is one.
    """
    defaults = [read(one.value) for one in node.keywords if one.arg == "default"]
    given = [read(one) for one in node.args]
    items = given if len(given) > 1 else list(map(item_of, given))
    return agreed([*(one for one in items if one != ANY or not defaults), *defaults])


def _sum(node: ast.Call, read: Read) -> TypeExpr:
    """The sum of items, which begins with 0 or with what is given."""
    starts = [*node.args[1:2], *[one.value for one in node.keywords if one.arg == "start"]]
    start = read(starts[0]) if starts else INT
    added = operated(start, ast.Add(), item_of(read(node.args[0])))
    return added if start in (added, INT) else ANY


def _rounded(node: ast.Call, read: Read) -> TypeExpr:
    number = read(node.args[0])
    if len(node.args) == 1:
        return INT if number.name in _NUMBERS else ANY
    return number if number.name in _NUMBERS else ANY


def _absolute(node: ast.Call, read: Read) -> TypeExpr:
    return negated(ast.USub(), read(node.args[0]))


def _numbered(node: ast.Call, read: Read) -> TypeExpr:
    return TypeExpr("iterator", (TypeExpr("tuple", (INT, item_of(read(node.args[0])))),))


def _zipped(node: ast.Call, read: Read) -> TypeExpr:
    items = tuple([item_of(read(one)) for one in node.args])
    return TypeExpr("iterator", (TypeExpr("tuple", items),))


def _same_items(name: str) -> Callable[[ast.Call, Read], TypeExpr]:
    return lambda node, read: container(name, [item_of(read(node.args[0]))])


def _opened(node: ast.Call, _: Read) -> TypeExpr:
    """A stream of texts or of bytes, where the mode is written there."""
    modes = [*node.args[1:2], *[one.value for one in node.keywords if one.arg == "mode"]]
    match modes:
        case []:
            return _TEXT_STREAM
        case [ast.Constant(str(mode))]:
            return _BYTE_STREAM if "b" in mode else _TEXT_STREAM
    return ANY


_BUILTINS: Final[Mapping[str, Callable[[ast.Call, Read], TypeExpr]]] = {
    "min": _extreme, "max": _extreme, "sum": _sum, "round": _rounded, "abs": _absolute,
    "enumerate": _numbered, "zip": _zipped, "open": _opened,
    "sorted": _same_items("list"), "list": _same_items("list"), "set": _same_items("set"),
    "frozenset": _same_items("frozenset"), "tuple": _same_items("vartuple"),
    "reversed": _same_items("iterator"), "iter": _same_items("iterator"),
    "next": lambda node, read: _extreme(
        ast.Call(node.func, node.args[:1], [ast.keyword("default", one) for one in node.args[1:]]),
        read,
    ),
    "filter": lambda node, read: container("iterator", [item_of(read(node.args[-1]))]),
}  # fmt: skip


# -- methods of containers ----------------------------------------------------------------


def container_answer(owner: TypeExpr, name: str) -> TypeExpr | None:
    """What a method of a container answers by the types of what it holds; None for others."""
    if name == "copy" and owner.name in ("list", "dict", "set", "frozenset"):
        return owner
    if owner.name in ("list", "set") and name == "pop":
        return item_of(owner)
    if owner.name in ("set", "frozenset") and name in _OF_SETS:
        return TypeExpr(owner.name)
    if owner.name not in ("dict", "mapping"):
        return None
    is_known = len(owner.args) == 2 and not owner.literals  # noqa: PLR2004 - (key, value)
    key, value = owner.args if is_known else (ANY, ANY)
    return {
        "keys": TypeExpr("iterable", (key,)), "values": TypeExpr("iterable", (value,)),
        "items": TypeExpr("iterable", (TypeExpr("tuple", (key, value)),)),
        "get": value, "pop": value, "setdefault": value,
    }.get(name)  # fmt: skip


def same_text(answer: TypeExpr, given: Iterable[TypeExpr]) -> TypeExpr:
    """``answer`` of a function of texts, bytes where it is given bytes."""
    return BYTES if answer == STR and BYTES in given else answer
