"""How the objects of each class are read: one plan for each class, made once.

Invariant: a plan reads an object completely, through type slots and descriptors only, or
declares it opaque.  It never calls what a class of the Subject may define
(``__getattr__``, ``__iter__``, ``__eq__``, ``__hash__``, ``__len__``, properties), and its
header determines how many of the last children are fields.
"""

from __future__ import annotations

import enum
import logging
import sys
import threading
from functools import partial
from operator import itemgetter
from posix import urandom
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from unitcraft.state.heap.atoms import ABSENT, order_atoms
from unitcraft.state.heap.builtin_containers import Unreadable, contents_of
from unitcraft.state.heap.object_layout import (
    Hidden,
    class_id,
    dictionary_of,
    mro_of,
    slots_of,
    solid_base,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from unitcraft.state.heap.builtin_containers import Contents
    from unitcraft.state.heap.object_layout import Getter

    Ranks = Mapping[int, int] | None
    Read = tuple[bytes, Iterable[Any]]
    #: (object, ranks) -> (header, children); ``ranks`` matters to sets only.
    Plan = Callable[[Any, Ranks], Read]
    Ordered = Callable[[Any, Ranks], Iterable[Any]]

#: Bytes that make an opaque object unlike everything else, in every process of a run.
_UNIQUE_SIZE: Final = 16

#: The number of calls of ``unique_bytes``; if it grew while a form was made, the form is unlike
#: every other.
UNIQUE_COUNT: Final = [0]


class NeedsRanks(Exception):  # noqa: N818
    """A set holds more than one object: their order has to be found first."""


def plan_of(kind: type) -> Plan:
    """The plan of class ``kind``, made at the first request and kept in ``PLANS``."""
    plan = PLANS.get(kind)
    if plan is None:
        plan = PLANS[kind] = _make_plan(kind)
    return plan


def make_opaque(kind: type) -> None:
    """Make instances of exactly ``kind`` opaque in this process: they equal nothing."""
    PLANS[kind] = _read_opaque


def holds_set(kind: type) -> bool:
    """Are instances of ``kind`` sets, whose members have no order of their own?"""
    return solid_base(kind) in (set, frozenset)


def _make_plan(kind: type) -> Plan:
    order = mro_of(kind)
    for base, plan in _BY_BASE:
        if base in order:
            return plan
    try:
        return _plan_by_layout(kind)
    except Hidden:
        return _read_opaque


def _plan_by_layout(kind: type) -> Plan:
    """The plan that follows from where instances keep their state.  Raises Hidden."""
    solid = solid_base(kind)
    name, slots, dictionary = class_id(kind), slots_of(kind), dictionary_of(kind)
    if solid is not None:
        contents = contents_of(solid)
        if contents is None:
            return _read_opaque
        reader = partial(_set_contents if holds_set(kind) else _unordered_contents, contents)
        return _mixed_plan(name, reader, slots, dictionary)
    if dictionary is None:
        return _slots_plan(name, slots)
    return _mixed_plan(name, None, slots, dictionary) if slots else _instance_plan(name, dictionary)


def _instance_plan(name: str, dictionary: Getter) -> Plan:
    """The plan of a class whose instances have a dictionary and nothing else."""
    shapes: dict[str, tuple[int, bytes, Callable[[Any], Iterable[Any]]]] = {}

    def plan(value: Any, ranks: Ranks) -> Read:
        del ranks
        fields = dictionary(value)
        try:
            size, header, getter = shapes["\0".join(fields)]
        except (KeyError, TypeError):
            return _read_fields(name, fields, shapes)
        return (header, getter(fields)) if size == len(fields) else _read_odd_fields(name, fields)

    return plan


def _read_fields(
    name: str,
    fields: dict[str, Any],
    shapes: dict[str, tuple[int, bytes, Callable[[Any], Iterable[Any]]]],
) -> Read:
    """Read ``fields`` by name; remember how in ``shapes`` under the joined names."""
    if not all(type(field) is str and field and "\0" not in field for field in fields):
        return _read_odd_fields(name, fields)
    names = sorted(fields)
    getter = dict.values if names == list(fields) else itemgetter(*names)
    header = _header(name, names)
    shapes["\0".join(fields)] = (len(names), header, getter)
    return header, getter(fields)


def _read_odd_fields(name: str, fields: dict[Any, Any]) -> Read:
    """An instance dictionary with keys that are no names."""
    return f"{name}(**)".encode("utf-8", "surrogatepass"), (fields,)


def _header(name: str, fields: Iterable[str]) -> bytes:
    return f"{name}({','.join(fields)})".encode("utf-8", "surrogatepass")


def _slots_plan(name: str, slots: tuple[tuple[str, Getter], ...]) -> Plan:
    """The plan of a class whose instances have slots only (or no state at all)."""
    header = _header(name, [field for field, _ in slots])
    getters = [getter for _, getter in slots]

    def plan(value: Any, ranks: Ranks) -> Read:
        del ranks
        try:
            return header, [get(value) for get in getters]
        except AttributeError:
            return header, [slot_content(get, value) for get in getters]

    return plan


def slot_content(get: Getter, value: Any) -> Any:
    """What a slot holds; ``ABSENT`` when nothing was assigned."""
    try:
        return get(value)
    except AttributeError:
        return ABSENT


def _mixed_plan(
    name: str,
    contents: Ordered | None,
    slots: tuple[tuple[str, Getter], ...],
    dictionary: Getter | None,
) -> Plan:
    """The plan of C contents, slots and a dictionary, whichever there are."""
    bare = name.encode("utf-8", "surrogatepass")
    header = _header(name, [field for field, _ in slots])

    def plan(value: Any, ranks: Ranks) -> Read:
        try:
            children = list(contents(value, ranks)) if contents is not None else []
        except Unreadable:
            return _read_opaque(value, ranks)
        children += [slot_content(get, value) for _, get in slots]
        fields = dictionary(value) if dictionary is not None else None
        if not fields:
            return header, children
        shape, values = _read_fields(name, fields, {})
        return header + shape[len(bare) :], [*children, *values]

    return plan


def unique_bytes() -> bytes:
    """Bytes that no other call returns, in any process."""
    UNIQUE_COUNT[0] += 1
    return urandom(_UNIQUE_SIZE)


def _read_opaque(value: Any, ranks: Ranks) -> Read:
    """A state that cannot be read equals no other, not even itself a moment later."""
    del ranks
    return f"opaque {class_id(type(value))}".encode("utf-8", "surrogatepass"), (unique_bytes(),)


def _unordered_contents(contents: Contents, value: Any, ranks: Ranks) -> Iterable[Any]:
    del ranks
    return contents(value)


def _set_contents(contents: Contents, value: Any, ranks: Ranks) -> Iterable[Any]:
    """The members of a set: leaves by content, objects by rank.  Raises NeedsRanks."""
    leaves, objects = order_atoms(contents(value))
    if len(objects) > 1:
        if ranks is None:
            raise NeedsRanks
        objects.sort(key=lambda member: ranks[id(member)])
    return [*leaves, *objects]


def _read_class(value: type, ranks: Ranks) -> Read:
    del ranks
    return b"class", (class_id(value),)


def _read_module(value: ModuleType, ranks: Ranks) -> Read:
    """A registered module is named, as functions and classes are; its globals do not count."""
    name = ModuleType.__getattribute__(value, "__name__")
    return (b"module", (name,)) if sys.modules.get(name) is value else _read_opaque(value, ranks)


def _read_enum_member(value: enum.Enum, ranks: Ranks) -> Read:
    """A member by its name; a combination of flags has none and counts by its value."""
    del ranks
    fields = object.__getattribute__(value, "__dict__")
    name = fields.get("_name_")
    header = f"{class_id(type(value))}.{name}".encode("utf-8", "surrogatepass")
    return header, () if name is not None else (fields.get("_value_"),)


def _read_logger(value: logging.Logger, ranks: Ranks) -> Read:
    """A logger belongs to the process and is named."""
    del ranks
    return b"logger", (object.__getattribute__(value, "__dict__").get("name"),)


def _read_local(value: threading.local, ranks: Ranks) -> Read:
    """What this thread sees of it."""
    del ranks
    return b"_thread:_local", (threading.local.__getattribute__(value, "__dict__"),)


#: Classes whose plan holds for all subclasses, whatever fields those add.
_BY_BASE: Final[tuple[tuple[type, Plan], ...]] = (
    (type, _read_class),
    (ModuleType, _read_module),
    (enum.Enum, _read_enum_member),
    (logging.Logger, _read_logger),
    (threading.Thread, _read_opaque),
    (threading.local, _read_opaque),  # but for the exact class: a thread's first look runs code
)

#: Class -> plan, for every class met so far; the commonest exact classes have a short one.
PLANS: Final[dict[type, Plan]] = {
    list: lambda value, _: (b"list", value),
    tuple: lambda value, _: (b"tuple", value),
    dict: lambda value, _: (b"dict", [*value, *value.values()]),
    threading.local: _read_local,
}
