"""Does an Arg keep the promise of a declared type, as far as structure shows?

Invariant: an answer of False is certain; what cannot be seen counts as fitting.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from unitcraft.core.sequences import Arg, Const, Display
from unitcraft.core.types import TypeExpr

_ATOMS: Final[Mapping[str, tuple[type, ...]]] = {
    "none": (type(None),), "bool": (bool,), "int": (int,), "float": (float, int),
    "complex": (complex, float, int), "str": (str,), "bytes": (bytes,),
}  # fmt: skip
_DISPLAYS: Final[Mapping[str, tuple[str, ...]]] = {
    "list": ("list",), "set": ("set",), "frozenset": ("frozenset",), "dict": ("dict",),
    "mapping": ("dict",), "tuple": ("tuple",), "vartuple": ("tuple",),
    "sequence": ("list", "tuple"), "iterable": ("list", "tuple", "set", "frozenset", "dict"),
}  # fmt: skip


def may_be(arg: Arg, declared: TypeExpr) -> bool:
    """May ``arg`` be of the type ``declared``?"""
    name = declared.name
    if name == "union":
        return any(may_be(arg, member) for member in declared.args)
    if name == "literal":
        return not isinstance(arg, Const) or repr(arg) in map(repr, declared.literals)
    if name == "any" or not isinstance(arg, (Const, Display)):
        return True
    if isinstance(arg, Const):
        texts = name in ("sequence", "iterable") and isinstance(arg.value, (str, bytes))
        return texts or type(arg.value) in _ATOMS.get(name, ())
    return arg.kind in _DISPLAYS.get(name, ()) and _items_may_be(arg, declared)


def _items_may_be(arg: Display, declared: TypeExpr) -> bool:
    inner = declared.args
    if declared.literals or not inner:
        return True
    if declared.name == "tuple":
        return len(inner) == len(arg.items) and all(map(may_be, arg.items, inner))
    if arg.kind == "dict":
        columns = (arg.items[::2], arg.items[1::2])
        return all(
            may_be(item, type_)
            for items, type_ in zip(columns, inner, strict=False)
            for item in items
        )
    return all(may_be(item, inner[0]) for item in arg.items)
