"""Methods and constructors of containers: keys and indexes may be proxies.

Invariant: a container ends up as the plain operation would leave it; an index that is a proxy
is pinned, a key that is one is compared with the stored keys.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any, Final

from unitcraft.symbolic.containers import symbolic_keys
from unitcraft.symbolic.proxies.trace import pin, plain, symbolic

_INDEXED: Final = frozenset({"pop", "insert", "rotate", "__getitem__", "__delitem__"})
_MISSING: Final = object()


def list_method(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of a list or deque: places are pinned, elements are handed on."""
    if function.__name__ in _INDEXED and args and symbolic(args[:1]):
        return function(pin(args[0]), *args[1:])
    return function(*args, **kwargs)


def table_method(function: Any, table: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of a dictionary or set, also of subclasses that inherit it."""
    name = function.__name__
    handler = (DICT_METHODS if isinstance(table, dict) else SET_METHODS).get(name)
    if handler is None or (name in _KEY_FIRST and (kwargs or not _seen(table, args))):
        return function(*args, **kwargs)
    if name in _OPERANDS and not _any_symbolic(table, args):
        return function(*args, **kwargs)
    return handler(table, *args, **kwargs)


def _seen(table: Any, args: tuple[Any, ...]) -> bool:
    return bool(args) and symbolic_keys.blind(table, args[0])


def _any_symbolic(table: Any, args: tuple[Any, ...]) -> bool:
    """Is a table with symbolic keys, or an iterable that may have some, among them?"""
    return type(table) in symbolic_keys.FREE or any(
        type(arg) in symbolic_keys.FREE or not isinstance(arg, (dict, set, frozenset))
        for arg in args
    )


# -- dictionaries -------------------------------------------------------------------


def lookup(table: Any, key: Any) -> Any:
    """``table[key]``."""
    if not symbolic_keys.blind(table, key):
        return symbolic_keys.base(table).__getitem__(table, key)
    there, stored = symbolic_keys.find(table, key)
    return symbolic_keys.value_of(table, stored) if there else missing(table, key, stored)


def missing(table: Any, key: Any, known: Any) -> Any:
    """What ``table[key]`` is when the key is not there; ``known`` is the key to use."""
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
    if not symbolic_keys.blind(table, key):
        return symbolic_keys.base(table).get(table, key, default)
    there, stored = symbolic_keys.find(table, key)
    return symbolic_keys.value_of(table, stored) if there else default


def store(table: Any, key: Any, value: Any) -> None:
    """``table[key] = value``, as C code does it."""
    if symbolic_keys.blind(table, key):
        symbolic_keys.put(table, key, value)
    else:
        symbolic_keys.base(table).__setitem__(table, key, value)


def remove(table: Any, key: Any) -> None:
    """``del table[key]`` and ``table.remove(key)``."""
    if not symbolic_keys.blind(table, key):
        kind = symbolic_keys.base(table)
        (kind.__delitem__ if isinstance(table, dict) else kind.remove)(table, key)
        return
    there, stored = symbolic_keys.find(table, key)
    if there:
        symbolic_keys.take(table, stored)
    elif not isinstance(table, Counter):
        raise KeyError(key)


def _pop(table: Any, key: Any, default: Any = _MISSING) -> Any:
    if not symbolic_keys.blind(table, key):
        args = () if default is _MISSING else (default,)
        return symbolic_keys.base(table).pop(table, key, *args)
    there, stored = symbolic_keys.find(table, key)
    if there:
        return symbolic_keys.take(table, stored)
    if default is _MISSING:
        raise KeyError(key)
    return default


def _setdefault(table: Any, key: Any, default: Any = None) -> Any:
    if not symbolic_keys.blind(table, key):
        return symbolic_keys.base(table).setdefault(table, key, default)
    there, stored = symbolic_keys.find(table, key)
    if there:
        return symbolic_keys.value_of(table, stored)
    symbolic_keys.put(table, stored, default)
    return default


def _move_to_end(table: Any, key: Any, last: bool = True) -> None:  # noqa: FBT001, FBT002
    there, stored = (
        symbolic_keys.find(table, key) if symbolic_keys.blind(table, key) else (True, key)
    )
    if not there:
        raise KeyError(key)
    symbolic_keys.quietly(symbolic_keys.base(table).move_to_end, table, stored, last)


def update(table: Any, other: Any = (), /, **named: Any) -> None:
    """``table.update(other, **named)``."""
    if isinstance(other, dict):
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


def united(table: Any, other: Any) -> Any:
    """``table | other``; the class of the other dictionary may have its own idea."""
    if not isinstance(other, dict):
        return NotImplemented
    special = (
        type(other) not in symbolic_keys.PLAIN_DICTS and type(other).__ror__ is not dict.__ror__
    )
    if special and type(table) in symbolic_keys.PLAIN_DICTS:
        return NotImplemented
    made = copied(table)
    update(made, other)
    return made


def _united_swapped(table: Any, other: Any) -> Any:
    if not isinstance(other, dict):
        return NotImplemented
    made = copied(table)
    made.clear()
    update(made, other)
    update(made, table)
    return made


def _united_in_place(table: Any, other: Any) -> Any:
    update(table, other)
    return table


def _new(kind: Any) -> Any:
    return kind.__new__(kind)


def copied(table: Any) -> Any:
    """``table.copy()``."""
    kind = type(table)
    made = _new(kind)
    if isinstance(table, dict):
        if hasattr(table, "default_factory"):
            made.__init__(table.default_factory)
        for key in symbolic_keys.stored_keys(table):
            value = symbolic_keys.value_of(table, key)
            symbolic_keys.quietly(symbolic_keys.base(table).__setitem__, made, key, value)
        return made
    symbolic_keys.quietly(set.update, made, table)
    return symbolic_keys.renewed(made, symbolic_keys.stored_keys(table))


def equal(table: Any, other: Any) -> Any:
    """``table == other``."""
    if not isinstance(other, dict):
        return NotImplemented
    if len(table) != len(other):
        return False
    for key in symbolic_keys.stored_keys(table):
        there, stored = _present(other, key)
        if not there:
            return False
        one, two = symbolic_keys.value_of(table, key), symbolic_keys.value_of(other, stored)
        if not (one is two or one == two):
            return False
    if symbolic_keys.base(table) is symbolic_keys.base(other) is not dict:
        pairs = zip(symbolic_keys.stored_keys(table), symbolic_keys.stored_keys(other), strict=True)
        return all(symbolic_keys.same_key(one, two) for one, two in pairs)
    return True


def _present(table: Any, key: Any) -> tuple[bool, Any]:
    if symbolic_keys.blind(table, key):
        return symbolic_keys.find(table, key)
    return symbolic_keys.base(table).__contains__(table, key), key


def contains(table: Any, key: Any) -> bool:
    """``key in table``."""
    return _present(table, key)[0]


def negated(method: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """``!=`` by ``==``."""

    def differ(table: Any, other: Any) -> Any:
        equal = method(table, other)
        return equal if equal is NotImplemented else not equal

    return differ


# -- sets ---------------------------------------------------------------------------


def _add(table: Any, item: Any) -> None:
    if symbolic_keys.blind(table, item):
        symbolic_keys.add(table, item)
    else:
        set.add(table, item)


def _discard(table: Any, item: Any) -> None:
    there, stored = _present(table, item)
    if there:
        symbolic_keys.take(table, stored)


def _pop_any(table: Any) -> Any:
    symbolic_keys.settle(table)
    return set.pop(table)


def _clear(table: Any) -> None:
    set.clear(table)
    symbolic_keys.renewed(table)


def update_set(table: Any, *others: Any) -> None:
    """``table.update(*others)``."""
    for other in others:
        if isinstance(other, (set, frozenset, dict)):
            _merge(table, other)
        else:
            for item in other:
                _add(table, item)


def _operand(name: str, other: Any) -> Any:
    """What stands for an operand: an iterator as a list, or a set where C code makes one of it."""
    if isinstance(other, (set, frozenset, dict)):
        return other
    return make_set(set, (other,), {}) if name in _OF_SETS else list(other)


def _elements(other: Any) -> list[Any]:
    return other if type(other) is list else symbolic_keys.stored_keys(other)


def _meet(table: Any, other: Any) -> None:
    """Note which elements of ``other`` are in ``table``, up to the first without a hash."""
    for item in _elements(other):
        try:
            _present(table, item)
        except TypeError:
            return


def _together(name: str, *, operator: bool = False) -> Callable[..., Any]:
    """A method that takes sets together: which elements agree is noted, the rest is done in C."""

    def method(table: Any, *others: Any) -> Any:
        if operator and not all(isinstance(other, (set, frozenset)) for other in others):
            return NotImplemented
        known = [_operand(name, other) for other in others]
        function = getattr(symbolic_keys.base(table), name)
        if not any(type(each) in symbolic_keys.FREE or symbolic(each) for each in (table, *known)):
            result = function(table, *known)  # keys with code of their own are asked once
            return symbolic_keys.FREE_SET(result) if type(result) is set else result
        if name not in _BY_LENGTH or len(table) == len(known[0]):
            for other in known:
                _meet(table, other)
        keys = [key for each in (table, *known) for key in _elements(each)]
        result = symbolic_keys.quietly(function, table, *known)
        if result is None or result is table:
            symbolic_keys.renewed(table, keys)
        elif type(result) is set:
            made = symbolic_keys.quietly(symbolic_keys.FREE_SET, result)
            return symbolic_keys.renewed(made, keys)
        elif isinstance(result, (set, frozenset)):
            return symbolic_keys.renewed(result, keys)
        return result

    return method


def _plain_elements(other: Any) -> Any:
    """A set as it is, and the elements of anything else, pinned."""
    if isinstance(other, (set, frozenset)):
        return other
    return pin(_elements(other) if isinstance(other, dict) else list(other))


def _united_sets(table: Any, *others: Any) -> Any:
    if isinstance(table, frozenset):
        return _together("union")(table, *map(_plain_elements, others))
    made = copied(table) if type(table) is not set else symbolic_keys.FREE_SET(table)
    update_set(made, *others)
    return made


_merge: Final = _together("update")
_OF_SETS: Final = frozenset({"symmetric_difference", "symmetric_difference_update", "issubset"})
_BY_LENGTH: Final = frozenset({"__eq__", "__ne__"})
#: The operators of sets.
OPERATORS: Final = (
    "__or__", "__and__", "__sub__", "__xor__", "__ror__", "__rand__", "__rsub__", "__rxor__",
    "__ior__", "__iand__", "__isub__", "__ixor__", "__le__", "__lt__", "__ge__", "__gt__",
    "__eq__", "__ne__",
)  # fmt: skip
_TOGETHER: Final = (
    "intersection", "difference", "symmetric_difference", "intersection_update",
    "difference_update", "symmetric_difference_update", "issubset", "issuperset", "isdisjoint",
)  # fmt: skip

#: The methods of tables by what stands in for them when a symbolic key may be met.
DICT_METHODS: Final[dict[str, Callable[..., Any]]] = {
    "get": get, "pop": _pop, "setdefault": _setdefault, "update": update, "copy": copied,
    "__getitem__": lookup, "__setitem__": store, "__delitem__": remove, "__contains__": contains,
    "move_to_end": _move_to_end, "__or__": united, "__ror__": _united_swapped,
    "__ior__": _united_in_place, "__eq__": equal, "__ne__": negated(equal),
}  # fmt: skip
SET_METHODS: Final[dict[str, Callable[..., Any]]] = {
    "add": _add, "discard": _discard, "remove": remove, "update": update_set, "copy": copied,
    "__contains__": contains, "pop": _pop_any, "clear": _clear, "union": _united_sets,
    **{name: _together(name) for name in _TOGETHER},
    **{name: _together(name, operator=True) for name in OPERATORS},
}  # fmt: skip
_KEY_FIRST: Final = frozenset(
    {
        "get", "pop", "setdefault", "__getitem__", "__setitem__", "__delitem__", "__contains__",
        "move_to_end", "add", "discard", "remove",
    }
)  # fmt: skip
_OPERANDS: Final = frozenset({"update", "union", "copy", *_TOGETHER, *OPERATORS})


# -- making -------------------------------------------------------------------------


def make_set(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``set(items)`` and ``frozenset(items)``."""
    if len(args) > 1 or kwargs:
        return cls(*args, **kwargs)
    items = args[0] if args else ()
    if cls is frozenset and type(items) is symbolic_keys.FREE_FROZEN:
        return items
    if not isinstance(items, (set, frozenset, dict)):
        items = list(items)
    made = symbolic_keys.FREE_SET()
    update_set(made, items)
    if cls is set:
        return made
    symbolic_keys.settle(made)
    return symbolic_keys.quietly(
        symbolic_keys.FREE_FROZEN, plain(items) if type(items) is list else items
    )


def make_dict(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``dict(pairs)`` and ``dict(mapping)``."""
    if len(args) > 1:
        return cls(*args, **kwargs)
    made = symbolic_keys.FREE_DICT()
    update(made, *args, **kwargs)
    return made
