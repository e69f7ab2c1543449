"""Does an Arg keep the promise of a declared type, as far as structure shows?

Invariant: an answer of False is certain; what cannot be seen counts as fitting.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Display, Ref, Source, Symbol
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
#: Name of a type of a builtin class -> the names of the classes whose objects are of it.
_BUILTIN: Final[Mapping[str, tuple[str, ...]]] = {
    **{name: tuple([cls.__name__ for cls in classes]) for name, classes in _ATOMS.items()},
    **{name: (name,) for name in ("list", "set", "frozenset", "dict", "tuple")},
    "vartuple": ("tuple",),
}
#: Modules of the standard library with classes whose objects pass for builtin containers, numbers
#: or texts; those of the others do not.
_PASSING: Final = frozenset(
    {"array", "builtins", "collections", "email", "enum", "http", "io", "itertools", "os", "types"}
)
_OBJECT: Final = Symbol("builtins", "object")
#: Modules of numbers, which pass where a number is declared.
_NUMBERS: Final = frozenset({"decimal", "fractions"})
_NUMERIC: Final = ("int", "float", "complex")


#: May an Arg be an instance of the class that a TypeExpr names?
Judge = Callable[[Arg, TypeExpr], bool]


def _is_no_literal(arg: Arg, _declared: TypeExpr) -> bool:
    return not isinstance(arg, (Const, Display))


def may_be(arg: Arg, declared: TypeExpr, of_class: Judge = _is_no_literal) -> bool:
    """May ``arg`` be of the type ``declared``?  ``of_class`` is asked about classes."""
    name = declared.name
    if name == "union":
        return any(may_be(arg, member, of_class) for member in declared.args)
    if name == "class":
        return of_class(arg, declared)
    if name == "literal":
        return not isinstance(arg, Const) or repr(arg) in map(repr, declared.literals)
    if name in (*_ATOMS, *_DISPLAYS) and _is_another_thing(arg, name):
        return False
    if name in _BUILTIN and isinstance(arg, Ref):
        return any(
            of_class(arg, TypeExpr("class", cls=f"builtins:{cls}")) for cls in _BUILTIN[name]
        )
    if name == "any" or not isinstance(arg, (Const, Display)):
        return True
    if isinstance(arg, Const):
        texts = name in ("sequence", "iterable") and isinstance(arg.value, (str, bytes))
        return texts or type(arg.value) in _ATOMS.get(name, ())
    return arg.kind in _DISPLAYS.get(name, ()) and _items_may_be(arg, declared, of_class)


def _is_another_thing(arg: Arg, name: str) -> bool:
    """Is ``arg`` a function or an object that no number, text or builtin container is?"""
    if isinstance(arg, Source):
        return arg.text.startswith("lambda")
    if isinstance(arg, Symbol):
        return arg.module == "builtins"
    if not isinstance(arg, Build):
        return False
    if arg.callee == _OBJECT:
        return True
    module = arg.callee.module.partition(".")[0]
    if module in _NUMBERS:
        return name not in _NUMERIC
    return module in sys.stdlib_module_names and module not in _PASSING


def _items_may_be(arg: Display, declared: TypeExpr, of_class: Judge) -> bool:
    inner = declared.args
    if declared.literals and arg.kind == "dict":
        return _keys_may_be(arg, declared, of_class)
    if declared.literals or not inner:
        return True
    if declared.name == "tuple":
        pairs = zip(arg.items, inner, strict=False)
        return len(inner) == len(arg.items) and all(may_be(*pair, of_class) for pair in pairs)
    if arg.kind == "dict":
        columns = (arg.items[::2], arg.items[1::2])
        return all(
            may_be(item, type_, of_class)
            for items, type_ in zip(columns, inner, strict=False)
            for item in items
        )
    return all(may_be(item, inner[0], of_class) for item in arg.items)


def _keys_may_be(arg: Display, declared: TypeExpr, of_class: Judge) -> bool:
    """Are the keys those of a TypedDict, with values of their types, and none missing?"""
    there = {repr(key) for key in arg.items[::2]}
    if all(isinstance(key, Const) for key in arg.items[::2]) and not there.issuperset(
        map(repr, declared.args[0].literals if declared.args else ())
    ):
        return False
    types = dict(zip(map(repr, declared.literals), declared.args[2:], strict=False))
    pairs = zip(arg.items[::2], arg.items[1::2], strict=False)
    return all(
        not isinstance(key, Const)
        or (repr(key) in types and may_be(value, types[repr(key)], of_class))
        for key, value in pairs
    )
