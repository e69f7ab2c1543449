"""The canonical form of a heap as plain data: objects numbered breadth first, for each class.

A form is a tuple of objects in breadth-first order, the receiver first: (number of the class,
values of its fields in their order).  A value is an atom, ``(class, number)`` for an object,
``(MEMBER, class, name)`` for a member of an enumeration, a list of values for a list, deque or
tuple; a dict for a dict, its keys in canonical order; a dict for a set, its items the keys of
``()``, and so is SET.

Invariant: isomorphic heaps have one form; a symbolic integer has its value of the moment, and a
field that was never read the default of its domain.

Source: FIELDCOVERAGE, section II (identifiers by breadth-first traversal, for each type).
"""

from __future__ import annotations

import sys
from collections import OrderedDict, defaultdict, deque
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from unitcraft.heaps.field_kind import MEMBER, SET, key_order
from unitcraft.heaps.guest.field_choices import NO_VALUE
from unitcraft.heaps.guest.monitored_classes import identity
from unitcraft.heaps.guest.monitored_list import LENGTH, MONITORED_ROWS
from unitcraft.heaps.guest.monitored_table import MONITORED_DICTS, MonitoredSet
from unitcraft.state.heap.object_layout import class_id, dictionary_of, mro_of, own_dict, slots_of
from unitcraft.symbolic.proxies.int_float import SymInt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from unitcraft.core.encoding import Plain
    from unitcraft.heaps.guest.monitored_classes import ObjectFields

_CONTAINERS: Final = (list, deque, tuple, dict, OrderedDict, defaultdict, set, frozenset)


def read_all(root: Any, objects: Mapping[int, ObjectFields]) -> None:
    """Read each field of each of ``objects`` that fields lead to from ``root``, breadth first.

    A field that is read for the first time is chosen then, and what it leads to is read as well:
    the order of choices depends on the choices alone.
    """
    queue, met = [root], {identity(root)}
    for value in queue:
        for name in objects[identity(value)]:
            found = getattr(value, name)
            for other in _contents(found):
                if identity(other) in objects and identity(other) not in met:
                    met.add(identity(other))
                    queue.append(other)


def _contents(found: Any) -> Iterator[Any]:
    """What is in containers; items and values that have no default are chosen."""
    if type(found) in MONITORED_ROWS:
        for place in range(_length(found)):
            if place in found.known or found.domain.at(place).default is NO_VALUE:
                yield from _contents(found[place])
    elif type(found) in MONITORED_DICTS:
        inside = found.inside
        for place in inside.chosen():
            if place in inside.known or inside.default is NO_VALUE:
                yield from _contents(inside.value(place))
    else:
        yield found


def _length(found: Any) -> int:
    """The length of a list; where nobody asked for it, the least."""
    return int(found.known.get(LENGTH, found.domain.lengths.values[0]))


def write_form(root: Any, objects: Mapping[int, ObjectFields], classes: Mapping[int, int]) -> Plain:
    """The form of what is reachable from ``root``; ``classes``: the class number by identity."""
    numbers: dict[int, tuple[int, int]] = {}
    counts: dict[int, int] = {}
    queue: list[Any] = []

    def mention(value: Any) -> Plain:
        if type(value) in MONITORED_ROWS:
            known, items = value.known, value.domain
            return [mention(known[at] if at in known else items.at(at).default)
                    for at in range(_length(value))]  # fmt: skip
        if type(value) in MONITORED_DICTS:
            inside = value.inside
            return {
                inside.domain.forms[at]: mention(inside.known.get(at, inside.default))
                for at in inside.chosen()
            }
        if type(value) is MonitoredSet:
            inside = value.inside
            return dict.fromkeys([SET, *[inside.domain.forms[at] for at in inside.chosen()]], ())
        if type(value) is SymInt:
            return value.concrete
        if type(value) is list:  # the default of a tuple that nobody has read
            return [mention(item) for item in value]
        place = classes.get(identity(value))
        if place is None:
            is_member = not _is_atom(value) and Enum in mro_of(type(value))
            return _member_cell(value) if is_member else value
        if identity(value) not in numbers:
            numbers[identity(value)] = (place, counts.get(place, 0))
            counts[place] = counts.get(place, 0) + 1
            queue.append(value)
        return numbers[identity(value)]

    mention(root)
    made = []
    for value in queue:
        fields = objects[identity(value)].items()
        cells = [mention(holder.get(name, domain.default)) for name, (holder, domain) in fields]
        made.append((classes[identity(value)], tuple(cells)))
    return tuple(made)


def form_of_object(
    root: Any, classes: Mapping[str, tuple[int, tuple[str, ...]]], most: int = sys.maxsize
) -> Plain:
    """The form of objects that calls made; ``classes``: number and fields of a class by its id.

    A field '' counts as None.  None when something is reachable that forms do not know: another
    class, a dict by objects; or when there are more than ``most`` objects.
    """
    numbers: dict[int, tuple[int, int]] = {}
    counts: dict[int, int] = {}
    queue: list[Any] = []

    def mention(value: Any) -> Plain:
        if _is_atom(value):
            return value
        if type(value) in _CONTAINERS:
            return _container_form(value, mention)
        if Enum in mro_of(type(value)):
            return _member_cell(value)
        number = classes[class_id(type(value))][0]
        if identity(value) not in numbers:
            numbers[identity(value)] = (number, counts.get(number, 0))
            counts[number] = counts.get(number, 0) + 1
            queue.append(value)
        return numbers[identity(value)]

    made = []
    try:
        mention(root)
        for value in queue:
            if len(queue) > most:
                return None
            number, names = classes[class_id(type(value))]
            fields = [mention(read_field(value, name)) if name else None for name in names]
            made.append((number, tuple(fields)))
    except (KeyError, RecursionError):
        return None
    return tuple(made)


def _is_atom(value: Any) -> bool:
    return value is None or type(value) in (bool, int, str, float, bytes)


def _container_form(value: Any, mention: Callable[[Any], Plain]) -> Plain:
    """The form of a container whose content ``mention`` writes."""
    if type(value) in (list, deque, tuple):
        return [mention(item) for item in value]
    if type(value) in (set, frozenset):
        return dict.fromkeys([SET, *sorted(map(_key_form, value), key=key_order)], ())
    keys = sorted([(_key_form(key), key) for key in value], key=_first_order)
    return {form: mention(value[key]) for form, key in keys}


def _first_order(pair: tuple[Plain, Any]) -> tuple[str, Any]:
    return key_order(pair[0])


def _key_form(key: Any) -> Plain:
    """A key, or an item of a set, as forms have it.  Raises KeyError where they have none."""
    if _is_atom(key):
        return key
    if type(key) is tuple:
        return tuple(map(_key_form, key))
    if Enum in mro_of(type(key)):
        return _member_cell(key)
    raise KeyError(class_id(type(key)))


def _member_cell(value: Any) -> Plain:
    """What stands for a member of an enumeration.  Raises KeyError if it has no name of its own."""
    kind = type(value)
    for name, member in own_dict(kind)["_member_map_"].items():
        if member is value:
            return MEMBER, class_id(kind), name
    raise KeyError(class_id(kind))


def read_field(value: Any, name: str) -> Any:
    """What ``value`` holds in a field, no code of its class run; None if it holds nothing."""
    kind = type(value)
    dictionary = dictionary_of(kind)
    if dictionary is not None and name in dictionary(value):
        return dictionary(value)[name]
    getters = dict(slots_of(kind))
    try:
        return getters[name](value) if name in getters else None
    except AttributeError:
        return None
