"""Dictionaries and sets with symbolic keys: equality is asked in place of hashes.

A hash table compares keys only after their hashes agree, in C.  Here a key is looked up by
comparing it with the stored keys, so that the trace says which one it met, or that it met none.

Invariant: a table holds the keys that it would hold after the same operations on plain
values; tables with symbolic keys are known for the length of a run.
"""

from __future__ import annotations

from typing import Any, Final

from unitcraft.symbolic.trace import EVENTS, Proxied, note, pin, plain, symbolic, term_of

#: Tables of this run with proxies among their keys, by id; kept alive so that ids stay true.
TAINTED: Final[dict[int, Any]] = {}
#: Keys that a miss is compared with; against more, the key is pinned.
MOST_KEYS: Final = 100
_ATOMS: Final = frozenset({int, float, str, bytes, bool, type(None)})


def tainted(table: Any) -> bool:
    """Has ``table`` proxies among its keys?"""
    return id(table) in TAINTED


def blind(table: Any, key: Any) -> bool:
    """Would looking ``key`` up in ``table`` go past a proxy?"""
    return id(table) in TAINTED or symbolic(key)


def _hit(table: Any, key: Any) -> tuple[bool, Any]:
    """(is it there, the stored key), by concrete value and without leaving a trace."""
    known, events = plain(key), len(EVENTS)
    try:
        if not tainted(table):
            return (known in table), known
        for stored in table:
            value = plain(stored)
            if type(value) in _ATOMS or type(value) is tuple:
                if value is known or value == known:
                    return True, stored
            elif stored is key or hash(stored) == hash(known) and stored == known:
                return True, stored
        return False, None
    finally:
        del EVENTS[events:]


def find(table: Any, key: Any) -> tuple[bool, Any]:
    """(is ``key`` in ``table``, the stored key to use in its place), with the trace of it.

    Raises TypeError for a key without a hash.
    """
    hash(plain(key))
    there, stored = _hit(table, key)
    if there:
        if not tainted(table):
            _chosen(table, key)
        if stored is not key:
            _same(key, stored)
        return True, stored
    if tainted(table) or len(table) <= MOST_KEYS:
        _missed(table, key)
    else:
        pin(key)
    return False, plain(key)


def _chosen(table: Any, key: Any) -> None:
    """That a symbolic key is one of the constant keys, before which one."""
    keys = _constants(table)
    if keys is not None and isinstance(key, Proxied) and len(keys) > 1:
        note((("in", key.term, ("tuple", *keys)), True))


def _constants(table: Any) -> list[Any] | None:
    if len(table) > MOST_KEYS or tainted(table):
        return None
    keys = list(table)
    return keys if all(type(key) in _ATOMS for key in keys) else None


def _missed(table: Any, key: Any) -> None:
    keys = _constants(table)
    if keys is not None and isinstance(key, Proxied):
        if keys:
            note((("in", key.term, ("tuple", *keys)), False))
        return
    for stored in table:
        if symbolic(stored) or symbolic(key):
            _same(key, stored)


def _same(key: Any, stored: Any) -> None:
    """Note whether two keys are equal: element by element, up to the first difference."""
    if type(key) is tuple and type(stored) is tuple:
        if len(key) == len(stored):
            for first, second in zip(key, stored, strict=True):
                _same(first, second)
                if plain(first) != plain(second):
                    return
    elif isinstance(key, Proxied) or isinstance(stored, Proxied):
        first, second = plain(key), plain(stored)
        if type(first) in _ATOMS and type(second) in _ATOMS:
            note((("==", term_of(key), term_of(stored)), bool(first == second)))


def put(table: dict[Any, Any], key: Any, value: Any) -> None:
    """``table[key] = value``."""
    there, stored = find(table, key)
    if there:
        quietly(table.__setitem__, stored, value)
        return
    quietly(table.__setitem__, key, value)
    taint(table, key)


def add(table: set[Any], key: Any) -> None:
    """``table.add(key)``."""
    there, _ = find(table, key)
    if not there:
        quietly(table.add, key)
        taint(table, key)


def taint(table: Any, key: Any) -> None:
    """Remember that ``key`` is in ``table``."""
    if symbolic(key):
        TAINTED[id(table)] = table


def take(table: Any, stored: Any) -> Any:
    """Remove the stored key; of a dictionary, its value."""
    if isinstance(table, dict):
        return quietly(table.pop, stored)
    return quietly(table.discard, stored)


def value_of(table: dict[Any, Any], stored: Any) -> Any:
    """The value of a stored key."""
    return quietly(table.__getitem__, stored)


def quietly(function: Any, *args: Any) -> Any:
    """Call a method of a table; what hashing and comparing stored keys notes is dropped."""
    events = len(EVENTS)
    try:
        return function(*args)
    finally:
        del EVENTS[events:]
