"""Methods of lists and dictionaries whose keys and indexes may be proxies.

Invariant: a container ends up as the plain operation would leave it; an index that is a proxy
is concretized, a key that is one is compared with the stored keys.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any, Final

from unitcraft.symbolic.containers import set_methods, symbolic_keys
from unitcraft.symbolic.proxies.trace import concretize, is_instance, is_symbolic

_INDEXED: Final = frozenset({"pop", "insert", "rotate", "__getitem__", "__delitem__"})
_MISSING: Final = object()


def list_method(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of a list or deque: indexes are concretized, elements are handed on."""
    if function.__name__ in _INDEXED and args and is_symbolic(args[:1]):
        return function(concretize(args[0]), *args[1:])
    return function(*args, **kwargs)


def table_method(function: Any, table: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of a dictionary or set, also of subclasses that inherit it."""
    name = function.__name__
    handler = (DICT_METHODS if isinstance(table, dict) else set_methods.SET_METHODS).get(name)
    if handler is None or (name in _KEY_METHODS and (kwargs or not _may_meet_proxy(table, args))):
        return function(*args, **kwargs)
    if name in _OPERAND_METHODS and not _any_symbolic(table, args):
        return function(*args, **kwargs)
    return handler(table, *args, **kwargs)


def _may_meet_proxy(table: Any, args: tuple[Any, ...]) -> bool:
    return bool(args) and symbolic_keys.needs_comparison(table, args[0])


def _any_symbolic(table: Any, args: tuple[Any, ...]) -> bool:
    """Is a table with symbolic keys, or an iterable that may have some, among them?"""
    return type(table) in symbolic_keys.SYMBOLIC_KEY_CLASSES or any(
        type(arg) in symbolic_keys.SYMBOLIC_KEY_CLASSES
        or not is_instance(arg, (dict, set, frozenset))
        for arg in args
    )


# -- dictionaries -------------------------------------------------------------------


def lookup(table: Any, key: Any) -> Any:
    """``table[key]``."""
    if not symbolic_keys.needs_comparison(table, key):
        return symbolic_keys.builtin_base(table).__getitem__(table, key)
    there, stored = symbolic_keys.find(table, key)
    return symbolic_keys.value_of(table, stored) if there else look_up_missing(table, key, stored)


def look_up_missing(table: Any, key: Any, known: Any) -> Any:
    """``table[key]`` for a key that is not there; ``known`` is the key to store."""
    made = getattr(type(table), "__missing__", None)
    if made is None:
        raise KeyError(key)
    if made is not _DEFAULT:
        return made(table, key)
    if table.default_factory is None:
        raise KeyError(key)
    value = table.default_factory()
    symbolic_keys.put(table, known, value)
    return value


_DEFAULT: Final = defaultdict.__missing__


def get(table: Any, key: Any, default: Any = None) -> Any:
    """``table.get(key, default)``."""
    if not symbolic_keys.needs_comparison(table, key):
        return symbolic_keys.builtin_base(table).get(table, key, default)
    there, stored = symbolic_keys.find(table, key)
    return symbolic_keys.value_of(table, stored) if there else default


def store(table: Any, key: Any, value: Any) -> None:
    """``table[key] = value``, as C code does it."""
    if symbolic_keys.needs_comparison(table, key):
        symbolic_keys.put(table, key, value)
    else:
        symbolic_keys.builtin_base(table).__setitem__(table, key, value)


def remove(table: Any, key: Any) -> None:
    """``del table[key]``."""
    if not symbolic_keys.needs_comparison(table, key):
        symbolic_keys.builtin_base(table).__delitem__(table, key)
        return
    there, stored = symbolic_keys.find(table, key)
    if there:
        symbolic_keys.remove_stored(table, stored)
    elif not isinstance(table, Counter):
        raise KeyError(key)


def _pop(table: Any, key: Any, default: Any = _MISSING) -> Any:
    is_empty = not isinstance(table, OrderedDict) and not dict.__len__(table)
    if is_empty or not symbolic_keys.needs_comparison(table, key):
        args = () if default is _MISSING else (default,)
        return symbolic_keys.builtin_base(table).pop(table, key, *args)
    there, stored = symbolic_keys.find(table, key)
    if there:
        return symbolic_keys.remove_stored(table, stored)
    if default is _MISSING:
        raise KeyError(key)
    return default


def _setdefault(table: Any, key: Any, default: Any = None) -> Any:
    if not symbolic_keys.needs_comparison(table, key):
        return symbolic_keys.builtin_base(table).setdefault(table, key, default)
    there, stored = symbolic_keys.find(table, key)
    if there:
        return symbolic_keys.value_of(table, stored)
    symbolic_keys.put(table, stored, default)
    return default


def _move_to_end(table: Any, key: Any, last: bool = True) -> None:  # noqa: FBT001, FBT002
    there, stored = (
        symbolic_keys.find(table, key)
        if symbolic_keys.needs_comparison(table, key)
        else (True, key)
    )
    if not there:
        raise KeyError(key)
    symbolic_keys.without_recording(
        symbolic_keys.builtin_base(table).move_to_end, table, stored, last
    )


def update(table: Any, other: Any = (), /, **named: Any) -> None:
    """``table.update(other, **named)``."""
    if is_instance(other, dict):
        for key in symbolic_keys.stored_keys(other):
            store(table, key, symbolic_keys.value_of(other, key))
    elif hasattr(other, "keys"):
        for key in other.keys():  # noqa: SIM118 - as dict.update does
            store(table, key, other[key])
    else:
        for pair in other:
            key, value = pair
            store(table, key, value)
    for name, value in named.items():
        store(table, name, value)


def unite(table: Any, other: Any) -> Any:
    """``table | other``; NotImplemented if the class of the other one decides."""
    if not is_instance(other, dict):
        return NotImplemented
    kind: Any = type(other)
    special = kind not in symbolic_keys.EXACT_DICTS and kind.__ror__ is not dict.__ror__
    if special and type(table) in symbolic_keys.EXACT_DICTS:
        return NotImplemented
    made = copy_dict(table)
    update(made, other)
    return made


def _unite_swapped(table: Any, other: Any) -> Any:
    if not is_instance(other, dict):
        return NotImplemented
    made = copy_dict(table)
    made.clear()
    update(made, other)
    update(made, table)
    return made


def _unite_in_place(table: Any, other: Any) -> Any:
    update(table, other)
    return table


def copy_dict(table: Any) -> Any:
    """``table.copy()``."""
    kind: Any = type(table)
    made = kind.__new__(kind)
    if hasattr(table, "default_factory"):
        made.__init__(table.default_factory)
    for key in symbolic_keys.stored_keys(table):
        value = symbolic_keys.value_of(table, key)
        symbolic_keys.without_recording(
            symbolic_keys.builtin_base(table).__setitem__, made, key, value
        )
    return made


def equal(table: Any, other: Any) -> Any:
    """``table == other``."""
    if not is_instance(other, dict):
        return NotImplemented
    if len(table) != len(other):
        return False
    for key in symbolic_keys.stored_keys(table):
        there, stored = symbolic_keys.locate(other, key)
        if not there:
            return False
        one, two = symbolic_keys.value_of(table, key), symbolic_keys.value_of(other, stored)
        if not (one is two or one == two):
            return False
    if symbolic_keys.builtin_base(table) is symbolic_keys.builtin_base(other) is not dict:
        pairs = zip(symbolic_keys.stored_keys(table), symbolic_keys.stored_keys(other), strict=True)
        return all(symbolic_keys.same_key(one, two) for one, two in pairs)
    return True


def negate(method: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """``!=`` by ``==``."""

    def differ(table: Any, other: Any) -> Any:
        equal = method(table, other)
        return equal if equal is NotImplemented else not equal

    return differ


#: The methods of dictionaries by the functions that replace them where a key may be symbolic.
DICT_METHODS: Final[dict[str, Callable[..., Any]]] = {
    "get": get, "pop": _pop, "setdefault": _setdefault, "update": update, "copy": copy_dict,
    "__getitem__": lookup, "__setitem__": store, "__delitem__": remove,
    "__contains__": symbolic_keys.contains, "move_to_end": _move_to_end, "__or__": unite,
    "__ror__": _unite_swapped,
    "__ior__": _unite_in_place, "__eq__": equal, "__ne__": negate(equal),
}  # fmt: skip
_KEY_METHODS: Final = frozenset(
    {
        "get", "pop", "setdefault", "__getitem__", "__setitem__", "__delitem__", "__contains__",
        "move_to_end", "add", "discard", "remove",
    }
)  # fmt: skip
_OPERAND_METHODS: Final = frozenset(
    {"update", "union", "copy", *set_methods.COMBINING, *set_methods.OPERATORS}
)


# -- making -------------------------------------------------------------------------


def make_dict(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``dict(pairs)`` and ``dict(mapping)``."""
    if len(args) > 1:
        return cls(*args, **kwargs)
    made = symbolic_keys.PLAIN_KEY_DICT()
    update(made, *args, **kwargs)
    return made
