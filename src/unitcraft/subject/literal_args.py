"""Objects as Args: the source form of default values, enum members and constants.

``literal_kind`` is the class that a literal, or a variable, shows in a syntax tree.

Invariant: ``literal_of`` gives an Arg only when evaluating it yields an equal object of
exactly the same type; otherwise None.  '' is the kind of all that a tree does not tell.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Final

from unitcraft.core.sequences import Arg, Const, Display, DisplayKind, Symbol
from unitcraft.subject import static_lookup
from unitcraft.subject.import_paths import ImportPaths
from unitcraft.subject.scopes import word_set

MAX_ITEMS: Final = 30  # items of a container; more make an unreadable argument
MAX_TEXT: Final = 400  # characters of a text; more make an unreadable argument

_ATOMS: Final = (type(None), bool, int, float, complex, type(...))
_DISPLAYS: Final[dict[type, DisplayKind]] = {
    list: "list",
    tuple: "tuple",
    set: "set",
    frozenset: "frozenset",
    dict: "dict",
}
#: Methods, and functions of ``os`` and ``os.path``, that answer texts.
TEXTS_MADE: Final = word_set("casefold decode format getenv isoformat join lower strftime upper")


def literal_of(value: Any, homes: ImportPaths | None = None, depth: int = 3) -> Arg | None:
    """The Arg of an object, or None.

    Enum members, classes and functions need ``homes``; ``depth`` bounds nested containers.
    """
    kind = type(value)
    if kind in _ATOMS:
        return Const(value)
    if kind in (str, bytes):
        return Const(value) if len(value) <= MAX_TEXT else None
    if kind in _DISPLAYS and depth:
        return _display(value, _DISPLAYS[kind], homes, depth)
    return _symbol(value, homes) if homes is not None else None


def _display(value: Any, kind: DisplayKind, homes: ImportPaths | None, depth: int) -> Arg | None:
    if len(value) > MAX_ITEMS:
        return None
    parts = [part for pair in value.items() for part in pair] if kind == "dict" else list(value)
    items = [literal_of(part, homes, depth - 1) for part in parts]
    known = [item for item in items if item is not None]
    if len(known) < len(items):
        return None
    if kind in ("set", "frozenset"):
        known.sort(key=repr)
    return Display(kind, tuple(known))


def _symbol(value: Any, homes: ImportPaths) -> Symbol | None:
    found = homes.symbol(value)
    if found is not None:
        return found
    cls = type(value)
    name = static_lookup.own_dict(value).get("_name_")
    if type(name) is str and static_lookup.own_dict(cls).get("_member_names_") is not None:
        owner = homes.symbol(cls)
        return Symbol(owner.module, f"{owner.qualname}.{name}") if owner else None
    return None


def literal_in(tree: ast.expr) -> Arg | None:
    """The Arg of a literal expression, or None if the expression is not a literal."""
    try:
        return literal_of(ast.literal_eval(tree))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def literal_text(arg: Arg) -> str:
    """The source text of an Arg that is made of atoms, lists, tuples and dicts."""
    if isinstance(arg, Const):
        return repr(arg.value)
    assert isinstance(arg, Display)  # noqa: S101 - what else is no literal
    items = [literal_text(item) for item in arg.items]
    if arg.kind == "dict":
        pairs = zip(items[::2], items[1::2], strict=True)
        return "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
    inner = ", ".join(items)
    if arg.kind == "tuple":
        return f"({inner},)" if len(items) == 1 else f"({inner})"
    return f"[{inner}]"


def literal_kind(node: ast.expr | None) -> str:
    """The class name of a literal ('' for anything else)."""
    match node:
        case ast.Constant(value=value):
            return type(value).__name__
        case ast.JoinedStr() | ast.Subscript(value=ast.Attribute(attr="environ")):
            return "str"
        case ast.Call(func=ast.Attribute(attr=name)) if name in TEXTS_MADE:
            return "str"
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="environ"), attr="get")):
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


def compares_characters(left: ast.expr, right: ast.expr) -> bool:
    """Is one side a literal character, or are the members of the right side such?"""
    members = right.elts if isinstance(right, ast.List | ast.Tuple | ast.Set) else [left, right]
    literals = [one.value for one in members if isinstance(one, ast.Constant)]
    texts = [one for one in literals if isinstance(one, str)]
    return bool(texts) and all(len(one) == 1 for one in texts)


#: Builtin functions that answer numbers.
_COUNTING: Final = frozenset({"len", "int", "ord", "sum"})


def local_kinds(function: ast.AST) -> dict[str, str]:
    """Variable -> the class name of all that it is bound to."""
    found: dict[str, set[str]] = {}
    bound: dict[str, int] = {}
    for node in ast.walk(function):
        for name, kind in _bindings(node):
            found.setdefault(name, set()).add(kind)
            bound[name] = bound.get(name, 0) + 1
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound[node.id] = bound.get(node.id, 0) - 1
        elif isinstance(node, ast.arg):
            bound[node.arg] = bound.get(node.arg, 0) - 1
    return {
        name: next(iter(kinds))
        for name, kinds in found.items()
        if len(kinds) == 1 and "" not in kinds and bound[name] == 0
    }


def _bindings(node: ast.AST) -> Iterator[tuple[str, str]]:
    """(name, kind) of each name that a statement binds to what it shows the kind of."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            for one, value in zip(names, values, strict=False):
                yield from [(one.id, kind_of(value))] if isinstance(one, ast.Name) else []
        case ast.Assign(targets=targets, value=value):
            for one in targets:
                yield from [(one.id, kind_of(value))] if isinstance(one, ast.Name) else []
        case ast.AugAssign(target=ast.Name(id=name), value=value):
            yield name, kind_of(value)
        case ast.For(target=target, iter=over) | ast.comprehension(target=target, iter=over):
            match target, over:
                case ast.Name(id=name), ast.Call(func=ast.Name(id="range")):
                    yield name, "int"
                case ast.Tuple(elts=[ast.Name(id=name), _]), ast.Call(
                    func=ast.Name(id="enumerate")
                ):
                    yield name, "int"


def kind_of(node: ast.expr, known: dict[str, str] | None = None) -> str:
    """The class name of what ``node`` comes to ('' if that is not known)."""
    match node:
        case ast.Name(id=name) if known is not None:
            return known.get(name, "")
        case ast.Call(func=ast.Name(id=name)) if name in _COUNTING:
            return "int"
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.FloorDiv(), right=right):
            kinds = {kind_of(left, known), kind_of(right, known)}
            return "int" if kinds == {"int"} else ""
    return literal_kind(node)


def put_in(node: ast.Call) -> tuple[ast.expr, str]:
    """(container, kind of the items) where a list is given items of one kind; '' for others."""
    match node:
        case ast.Call(ast.Attribute(container, "append"), [item]):
            kinds = {literal_kind(item)}
        case ast.Call(ast.Attribute(container, "insert"), [_, item]):
            kinds = {literal_kind(item)}
        case ast.Call(ast.Attribute(container, "extend"), [ast.List(items) | ast.Tuple(items)]):
            kinds = set(map(literal_kind, items)) - {""}
        case _:
            return node, ""
    return container, kinds.pop() if len(kinds) == 1 else ""
