"""The canonical form of a heap as plain data: objects numbered breadth first, for each class.

A form is a tuple of objects in breadth-first order, the receiver first: (number of the class,
values of its fields in their order).  A value is an atom, ``(class, number)`` for an object, or a
list of values for a list; a dict for a dict, its keys in canonical order; a
dict for a set, its items the keys of ``()``, and so is SET.

Invariant: isomorphic heaps have one form; a symbolic integer has its value of the moment, and a
field that was never read the default of its domain.

Source: FIELDCOVERAGE, section II (identifiers by breadth-first traversal, for each type).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from unitcraft.heaps.field_kind import SET, key_order
from unitcraft.heaps.guest.monitored_classes import identity
from unitcraft.heaps.guest.monitored_list import LENGTH, MonitoredList
from unitcraft.heaps.guest.monitored_table import MonitoredDict, MonitoredSet
from unitcraft.state.heap.object_layout import class_id, dictionary_of, slots_of
from unitcraft.symbolic.proxies.int_float import SymInt

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unitcraft.core.encoding import Plain
    from unitcraft.heaps.guest.monitored_classes import ObjectFields


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
    """What is in containers; values of a dict that have no default are chosen."""
    if type(found) is MonitoredList:
        for item in list(found.known.values()):
            yield from _contents(item)
    elif type(found) is MonitoredDict:
        inside = found.inside
        for place in inside.chosen():
            if place in inside.known or inside.default is None:
                yield from _contents(inside.value(place))
    else:
        yield found


def write_form(root: Any, objects: Mapping[int, ObjectFields], classes: Mapping[int, int]) -> Plain:
    """The form of what is reachable from ``root``; ``classes``: the class number by identity."""
    numbers: dict[int, tuple[int, int]] = {}
    counts: dict[int, int] = {}
    queue: list[Any] = []

    def mention(value: Any) -> Plain:
        if type(value) is MonitoredList:
            known, items = value.known, value.domain.items
            default = items.default if items is not None else None
            return [mention(known.get(at, default)) for at in range(known.get(LENGTH, 0))]
        if type(value) is MonitoredDict:
            inside = value.inside
            return {
                inside.domain.keys[at]: mention(inside.known.get(at, inside.default))
                for at in inside.chosen()
            }
        if type(value) is MonitoredSet:
            inside = value.inside
            return dict.fromkeys([SET, *[inside.domain.keys[at] for at in inside.chosen()]], ())
        if type(value) is SymInt:
            return value.concrete
        place = classes.get(identity(value))
        if place is None:
            return value
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

    None when something is reachable that forms do not know: another class, a dict by
    objects; or when there are more than ``most`` objects.
    """
    numbers: dict[int, tuple[int, int]] = {}
    counts: dict[int, int] = {}
    queue: list[Any] = []

    def mention(value: Any) -> Plain:
        if _is_atom(value):
            return value
        if type(value) is list:
            return [mention(item) for item in value]
        if type(value) is dict and all(map(_is_atom, value)):
            return {key: mention(value[key]) for key in sorted(value, key=key_order)}
        if type(value) is set and all(map(_is_atom, value)):
            return dict.fromkeys([SET, *sorted(value, key=key_order)], ())
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
            fields = [mention(read_field(value, name)) for name in names]
            made.append((number, tuple(fields)))
    except (KeyError, RecursionError):
        return None
    return tuple(made)


def _is_atom(value: Any) -> bool:
    return value is None or type(value) in (bool, int, str, float, bytes)


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
