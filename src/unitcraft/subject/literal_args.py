"""Objects as Args: the source form of default values, enum members and constants.

Invariant: ``literal_of`` gives an Arg only when evaluating it yields an equal object of
exactly the same type; otherwise None.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from unitcraft.core.sequences import Arg, Const, Display, DisplayKind, Symbol
from unitcraft.subject import static_lookup
from unitcraft.subject.import_paths import ImportPaths

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
