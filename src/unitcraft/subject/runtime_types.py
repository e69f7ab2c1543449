"""TypeExprs of the classes that code tests for at run time, as in ``isinstance(x, list)``.

Invariant: classes are known by name only; a class without an entry below is a class of its own.
"""

from __future__ import annotations

from unitcraft.core.types import TypeExpr

_BUILTIN = {
    "NoneType": "none",
    **{
        n: n
        for n in (
            "bool",
            "int",
            "float",
            "complex",
            "str",
            "bytes",
            "list",
            "set",
            "frozenset",
            "dict",
        )
    },
}
_ABSTRACT = {
    "Mapping": "mapping",
    "MutableMapping": "mapping",
    "Sequence": "sequence",
    "MutableSequence": "sequence",
    "Iterable": "iterable",
    "Iterator": "iterator",
    "Set": "set",
    "Callable": "callable",
    "Collection": "sequence",
    "Integral": "int",
    "Rational": "int",
    "Real": "float",
    "Number": "int",
    "Complex": "complex",
    "tuple": "vartuple",
}


def type_of_class(name: str) -> TypeExpr:
    """The TypeExpr of the class with id ``module:qualname``."""
    module, _, short = name.partition(":")
    if module == "builtins" and short in _BUILTIN:
        return TypeExpr(_BUILTIN[short])
    if module in ("builtins", "collections.abc", "typing", "numbers") and short in _ABSTRACT:
        inner = (TypeExpr("any"),) if _ABSTRACT[short] == "vartuple" else ()
        return TypeExpr(_ABSTRACT[short], inner)
    return TypeExpr("class", cls=name)
