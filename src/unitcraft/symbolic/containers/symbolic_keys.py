"""Dictionaries and sets with symbolic keys: equality is asked in place of hashes.

A hash table compares keys only after their hashes agree, in C.  Here a key is looked up by
comparing it with the stored keys, so that the trace says which one it met, or that it met none.

A table (a dictionary or set) made by rewritten code is of a *plain-key* class of ours; with the
first symbolic key it changes to the matching *symbolic-key* class, whose methods look keys up in
this way whoever calls them.  In tables of other classes, and beside keys whose classes define
``__eq__`` or ``__hash__``, a symbolic key is concretized.

Invariant: a table holds the very keys that it would hold after the same operations on plain
values, under the same hashes; outside symbolic-key classes it holds no proxy that is not
concretized.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable
from typing import Any, Final

from unitcraft.symbolic.proxies.trace import (
    EVENTS,
    PROXIES,
    Proxied,
    concrete_value,
    concretize,
    is_symbolic,
    record,
    term_of,
)
from unitcraft.symbolic.terms.term import SAME

#: Stored keys that a symbolic key is compared with; among more of them it is concretized.
MAX_KEYS: Final = 100
#: The symbolic-key class of every plain-key class, and the other way round.
PLAIN_KEY_CLASSES: Final[dict[type, type]] = {}
SYMBOLIC_KEY_CLASSES: Final[dict[type, type]] = {}
#: The classes of new tables; ``container_classes`` sets them, which imports this module.
PLAIN_KEY_DICT: Any = dict
PLAIN_KEY_SET: Any = set
PLAIN_KEY_FROZENSET: Any = frozenset
#: What records all keys of a table, by its class, for tables whose keys are asked one by one.
SETTLERS: Final[dict[type, Callable[[Any], None]]] = {}
#: Dictionary classes that stand for dict itself, not for one of its subclasses.
EXACT_DICTS: Final[set[type]] = {dict}
_ATOMS: Final = frozenset({int, float, str, bytes, bool, type(None)})
_NUMBERS: Final = frozenset({int, float, bool})
_change_class: Final = object.__dict__["__class__"].__set__


def builtin_base(table: Any) -> Any:
    """The class whose methods are the C code of ``table``."""
    if isinstance(table, dict):
        ordered = issubclass(type(table), collections.OrderedDict)
        return collections.OrderedDict if ordered else dict
    return frozenset if issubclass(type(table), frozenset) else set


def without_recording(function: Any, *args: Any) -> Any:
    """Call a method of a table; events recorded by hashing and comparing are dropped."""
    events = len(EVENTS)
    try:
        return function(*args)
    finally:
        del EVENTS[events:]


# -- which keys -------------------------------------------------------------------


def needs_comparison(table: Any, key: Any) -> bool:
    """Has ``key`` to be compared with the stored keys, because hashing would ignore a proxy?

    The keys of ``table`` are concretized when ``key`` has code of its own.
    """
    if type(key) in _ATOMS:
        return type(table) in SYMBOLIC_KEY_CLASSES
    if is_symbolic(key):
        return True
    if type(table) in SYMBOLIC_KEY_CLASSES:
        if is_simple(key):
            return True
        concretize_keys(table)
    return False


def is_simple(key: Any) -> bool:
    """Is ``key`` an atom or a proxy, or a tuple of such?"""
    kind = type(key)
    if kind is tuple:
        return all(map(is_simple, key))
    return kind in _ATOMS or issubclass(kind, Proxied)


def stored_keys(table: Any) -> list[Any]:
    """The keys of ``table`` in an order that does not depend on hashes."""
    if isinstance(table, dict):
        if type(table) in SETTLERS:
            SETTLERS[type(table)](table)
        return list(builtin_base(table).__iter__(table))
    if type(table) in SYMBOLIC_KEY_CLASSES:
        return list(table.order)
    keys = list(builtin_base(table).__iter__(table))
    others = [key for key in keys if not is_simple(key)]
    return [*sorted(filter(is_simple, keys), key=_by_value), *others]


def _by_value(key: Any) -> tuple[str, str]:
    known = concrete_value(key)
    return type(known).__name__, repr(known)


# -- looking up -------------------------------------------------------------------


def find(table: Any, key: Any) -> tuple[bool, Any]:
    """(is ``key`` in ``table``, the key to use in its place), with the trace of it.

    The key to use is the stored one, if there is one; else ``key``, concretized if need be.
    Raises TypeError for a key without a hash.
    """
    hash(concrete_value(key))
    keys = stored_keys(table)
    for stored in keys:
        if stored is key:
            return True, stored
    near = [stored for stored in keys if _may_equal(key, stored)]
    if len(near) > MAX_KEYS or not is_simple(key) or not all(map(is_simple, keys)):
        concretize_keys(table)
        known = concretize(key)
        return builtin_base(table).__contains__(table, known), known
    return _find_among(near, key)


def locate(table: Any, key: Any) -> tuple[bool, Any]:
    """As ``find``; C code looks the key up where no proxy is involved."""
    if needs_comparison(table, key):
        return find(table, key)
    return builtin_base(table).__contains__(table, key), key


def contains(table: Any, key: Any) -> bool:
    """``key in table``."""
    return locate(table, key)[0]


def _find_among(near: list[Any], key: Any) -> tuple[bool, Any]:
    """``find`` among the stored keys that ``key`` may equal."""
    if len(near) > 1 and type(key) in PROXIES and not any(map(is_symbolic, near)):
        known = concrete_value(key)
        there = known in near
        record((("in", key.term, ("tuple", *near)), there))
        if not there:
            return False, key
        record(((SAME, key.term, known), True))
        return True, near[near.index(known)]
    for stored in near:
        if same_key(key, stored):
            return True, stored
    return False, key


def _may_equal(first: Any, second: Any) -> bool:
    """Can two keys be equal, as far as their classes and constants tell?"""
    if type(first) is tuple and type(second) is tuple:
        return len(first) == len(second) and all(map(_may_equal, first, second))
    known, other = concrete_value(first), concrete_value(second)
    if not is_symbolic(first) and not is_symbolic(second):
        return known is other or known == other if is_simple(first) and is_simple(second) else True
    return type(known) is type(other) or (type(known) in _NUMBERS and type(other) in _NUMBERS)


def same_key(first: Any, second: Any) -> bool:
    """Are two keys equal?  Recorded element by element, up to the first difference."""
    if type(first) is tuple and type(second) is tuple:
        pairs = zip(first, second, strict=False)
        return len(first) == len(second) and all(same_key(one, other) for one, other in pairs)
    known, other = concrete_value(first), concrete_value(second)
    equal = bool(known == other)
    if first is not second and is_symbolic((first, second)) and not _are_one_term(first, second):
        record((("==", term_of(first), term_of(second)), equal))
    return equal or known is other


def _are_one_term(first: Any, second: Any) -> bool:
    """Do two proxies stand for the same term, so that only NaN could tell them apart?"""
    return type(first) is type(second) and term_of(first) is term_of(second)


# -- changing ---------------------------------------------------------------------


def put(table: Any, key: Any, value: Any) -> None:
    """``table[key] = value``."""
    there, stored = find(table, key)
    if not there and is_symbolic(stored):
        stored = admit(table, stored)
    without_recording(builtin_base(table).__setitem__, table, stored, value)


def add(table: Any, key: Any) -> None:
    """``table.add(key)``."""
    there, stored = find(table, key)
    if there:
        return
    if is_symbolic(stored):
        stored = admit(table, stored)
    without_recording(set.add, table, stored)
    if type(table) in SYMBOLIC_KEY_CLASSES:
        table.order.append(stored)


def admit(table: Any, key: Any) -> Any:
    """The symbolic ``key`` as it may be stored; changes the class of ``table``, or concretizes."""
    if type(table) in SYMBOLIC_KEY_CLASSES:
        return key
    if type(table) not in PLAIN_KEY_CLASSES or not all(map(is_simple, stored_keys(table))):
        return concretize(key)
    make_symbolic_keyed(table)
    return key


def make_symbolic_keyed(table: Any) -> None:
    """Give ``table`` the class whose methods look keys up by equality."""
    keys = stored_keys(table)
    _change_class(table, PLAIN_KEY_CLASSES[type(table)])
    if not isinstance(table, dict):
        table.order = keys


def concretize_keys(table: Any) -> None:
    """Concretize the keys of ``table``: C code may look keys up in it from here on."""
    if type(table) in SYMBOLIC_KEY_CLASSES:
        for key in stored_keys(table):
            concretize(key)
        _change_class(table, SYMBOLIC_KEY_CLASSES[type(table)])


def remove_stored(table: Any, stored: Any) -> Any:
    """Remove the stored key and return the value that a dictionary has for it."""
    if isinstance(table, dict):
        return without_recording(builtin_base(table).pop, table, stored)
    if type(table) in SYMBOLIC_KEY_CLASSES:
        table.order = [key for key in table.order if key is not stored]
    return without_recording(set.discard, table, stored)


def value_of(table: dict[Any, Any], stored: Any) -> Any:
    """The value of a stored key."""
    return without_recording(dict.__getitem__, table, stored)


def renew(table: Any, keys: Iterable[Any] = ()) -> Any:
    """``table``, changed by C code, with the class that its keys need, in the order of ``keys``."""
    kind = type(table)
    held = list(builtin_base(table).__iter__(table))
    if not any(map(is_symbolic, held)):
        if kind in SYMBOLIC_KEY_CLASSES:
            _change_class(table, SYMBOLIC_KEY_CLASSES[kind])
    elif kind in PLAIN_KEY_CLASSES or kind in SYMBOLIC_KEY_CLASSES:
        if kind in PLAIN_KEY_CLASSES:
            _change_class(table, PLAIN_KEY_CLASSES[kind])
        if not isinstance(table, dict):
            places = {id(key): key for key in held}
            table.order = [places.pop(id(key)) for key in keys if id(key) in places]
            table.order += sorted(places.values(), key=_by_value)
    else:
        for key in keys:
            if any(key is one for one in held):
                concretize(key)
    return table
