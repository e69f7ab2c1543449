"""Methods and constructors of containers: keys and indexes may be proxies.

Invariant: a container ends up as the plain operation would leave it; an index that is a proxy
is pinned, a key that is one is compared with the stored keys.
"""

from __future__ import annotations

from typing import Any, Final

from unitcraft.symbolic import tables
from unitcraft.symbolic.trace import pin, symbolic

_INDEXED: Final = frozenset({"pop", "insert", "rotate", "__getitem__", "__delitem__"})
_MISSING: Final = object()


def list_method(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of a list or deque: places are pinned, elements are handed on."""
    if function.__name__ in _INDEXED and args and symbolic(args[:1]):
        return function(pin(args[0]), *args[1:])
    return function(*args, **kwargs)


def table_method(
    function: Any, table: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A method of a dictionary or set, also of subclasses that inherit it."""
    name = function.__name__
    handler = (_DICT if isinstance(table, dict) else _SET).get(name)
    if handler is None or kwargs:
        if tables.tainted(table) or symbolic(args):
            args = tuple([pin(arg) for arg in args])
        return function(*args, **kwargs)
    if name in _WHOLE:
        return handler(table, *args)
    if not args or not tables.blind(table, args[0]):
        return function(*args)
    return handler(table, *args)


def _get(table: Any, key: Any, default: Any = None) -> Any:
    there, stored = tables.find(table, key)
    return tables.value_of(table, stored) if there else default


def _pop(table: Any, key: Any, default: Any = _MISSING) -> Any:
    there, stored = tables.find(table, key)
    if there:
        return tables.take(table, stored)
    if default is _MISSING:
        raise KeyError(key)
    return default


def _setdefault(table: Any, key: Any, default: Any = None) -> Any:
    there, stored = tables.find(table, key)
    if there:
        return tables.value_of(table, stored)
    tables.put(table, key, default)
    return default


def _discard(table: Any, key: Any) -> None:
    there, stored = tables.find(table, key)
    if there:
        tables.take(table, stored)


def _remove(table: Any, key: Any) -> None:
    there, stored = tables.find(table, key)
    if not there:
        raise KeyError(key)
    tables.take(table, stored)


def _update_dict(table: Any, other: Any = ()) -> None:
    if isinstance(other, dict) and not (tables.tainted(other) or tables.tainted(table)):
        table.update(other)
        return
    pairs = other.items() if hasattr(other, "keys") and isinstance(other, dict) else other
    if not isinstance(other, dict) and hasattr(other, "keys"):
        pairs = [(key, other[key]) for key in other.keys()]  # noqa: SIM118 - as dict.update does
    for key, value in list(pairs):
        _store(table, key, value)


def _store(table: Any, key: Any, value: Any) -> None:
    if tables.blind(table, key):
        tables.put(table, key, value)
    else:
        table[key] = value


def _copy(table: Any) -> Any:
    made = table.copy()
    if tables.tainted(table):
        tables.TAINTED[id(made)] = made
    return made


def _update_set(table: Any, *others: Any) -> None:
    for other in others:
        for item in list(other):
            _add(table, item)


def _add(table: Any, item: Any) -> None:
    if tables.blind(table, item):
        tables.add(table, item)
    else:
        table.add(item)


_WHOLE: Final = frozenset({"update", "copy"})
_DICT: Final = {
    "get": _get, "pop": _pop, "setdefault": _setdefault, "update": _update_dict, "copy": _copy,
    "__getitem__": _get, "__contains__": lambda table, key: tables.find(table, key)[0],
}  # fmt: skip
_SET: Final = {
    "add": _add, "discard": _discard, "remove": _remove, "update": _update_set, "copy": _copy,
    "__contains__": lambda table, key: tables.find(table, key)[0],
}  # fmt: skip


def make_set(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``set(items)`` and ``frozenset(items)``."""
    if len(args) != 1 or kwargs:
        return cls(*args, **kwargs)
    items = list(args[0])
    if not symbolic(items) and not tables.tainted(args[0]):
        return cls(items)
    made: set[Any] = set()
    _update_set(made, items)
    if cls is set:
        return made
    frozen = tables.quietly(frozenset, made)
    if tables.tainted(made):
        tables.TAINTED[id(frozen)] = frozen
    return frozen


def make_dict(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``dict(pairs)`` and ``dict(mapping)``."""
    if len(args) != 1 or kwargs:
        return cls(*args, **kwargs)
    other = args[0]
    if isinstance(other, dict) and not tables.tainted(other):
        return cls(other)
    made: dict[Any, Any] = {}
    _update_dict(made, other if isinstance(other, dict) or hasattr(other, "keys") else list(other))
    return made


