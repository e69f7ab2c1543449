"""A dict or a set of which it is chosen, when it is asked, whether a key is there and its value.

Invariant: keys come in the canonical order of the domain; every reading method sees the chosen
content; what would change it is refused and noted, so that a run leaves no trace in it.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import ItemsView, Iterator, KeysView, ValuesView
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Final, NoReturn

from unitcraft.heaps.field_kind import SETS
from unitcraft.heaps.guest.field_choices import NO_VALUE
from unitcraft.heaps.guest.monitored_list import CHANGES, refusing
from unitcraft.symbolic.proxies.int_float import SymInt

if TYPE_CHECKING:
    from collections.abc import Callable

    from unitcraft.heaps.guest.field_choices import TableValues


class KnownKeys:
    """Abstract state: for some keys, by place, whether they are there, and the values of some.

    ``known`` holds the value at the place of its key, and at -1 - place whether the key is there.
    """

    __slots__ = ("choose", "domain", "known")

    def __init__(self, choose: Callable[[Any, Any, Any], Any], domain: TableValues) -> None:
        self.choose = choose
        self.domain = domain
        self.known: dict[int, Any] = {}

    def place_of(self, key: Any) -> int:
        """The place of a key of the domain that is there, -1 if it is not."""
        if type(key) is SymInt:
            places = (place for place, own in enumerate(self.domain.keys) if key == own)
            place = next(places, -1)
        else:
            place = self.domain.places.get(key, -1)
        return place if place >= 0 and self.has(place) else -1

    def has(self, place: int) -> bool:
        """Is the key number ``place`` there?  Chosen now if nobody has asked."""
        found = self.known.get(-1 - place)
        if found is None:
            found = self.choose(self.known, -1 - place, self.domain.present[place])
        return bool(found)

    def value(self, place: int) -> Any:
        """The value of a key that is there."""
        if place in self.known:
            return self.known[place]
        return self.choose(self.known, place, self.domain.items)

    @property
    def default(self) -> Any:
        """The value that nobody has read; NO_VALUE when it has to be chosen."""
        return NO_VALUE if self.domain.items is None else self.domain.items.default

    def chosen(self) -> list[int]:
        """The places of the keys that are known to be there."""
        known = self.known
        return [place for place in range(len(self.domain.keys)) if known.get(-1 - place)]

    def those_there(self) -> Iterator[Any]:
        """The keys that are there, one after another; those not reached are not chosen."""
        return (key for place, key in enumerate(self.domain.keys) if self.has(place))


class MonitoredTable:
    """What dicts and sets have in common: the keys, or items, that are ``inside``."""

    __slots__ = ()
    inside: KnownKeys

    def __len__(self) -> int:
        """The number of keys."""
        return sum(1 for _ in self.inside.those_there())

    def __bool__(self) -> bool:
        """Is there a key?"""
        return any(True for _ in self.inside.those_there())

    def __contains__(self, key: object) -> bool:
        """Is the key there?"""
        return self.inside.place_of(key) >= 0

    def __iter__(self) -> Iterator[Any]:
        """The keys in canonical order."""
        return iter(self.inside.those_there())


class MonitoredDict(MonitoredTable, dict):  # type: ignore[type-arg]
    """A dict whose content is ``inside``."""

    __slots__ = ("inside",)

    def __getitem__(self, key: Any) -> Any:
        """The value of a key.  Raises KeyError."""
        place = self.inside.place_of(key)
        if place < 0:
            return self.__missing__(key)
        return self.inside.value(place)

    def __missing__(self, key: Any) -> NoReturn:
        """Raises KeyError."""
        raise KeyError(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, ``default`` if it is not there."""
        place = self.inside.place_of(key)
        return default if place < 0 else self.inside.value(place)

    def __reversed__(self) -> Iterator[Any]:
        """The keys, the last one first."""
        return iter(list(self)[::-1])

    def keys(self) -> Any:
        """The keys as a view."""
        return KeysView(self)

    def values(self) -> Any:
        """The values as a view."""
        return ValuesView(self)

    def items(self) -> Any:
        """The pairs as a view."""
        return ItemsView(self)

    def copy(self) -> dict[Any, Any]:
        """A dict of the same content."""
        return {key: self[key] for key in self}


class MonitoredOrderedDict(MonitoredDict):
    """An OrderedDict, whose keys come in the canonical order."""

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """What ``isinstance`` is told."""
        return OrderedDict


class MonitoredDefaultDict(MonitoredDict):
    """A defaultdict; what it would make for a key that is not there is not known."""

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """What ``isinstance`` is told."""
        return defaultdict

    def __missing__(self, key: Any) -> NoReturn:
        """Refused and noted: it would add the key."""
        CHANGES.append("defaultdict.__missing__")
        raise KeyError(key)


class MonitoredSet(MonitoredTable, AbstractSet[Any]):
    """A set whose content is ``inside``; no subclass, whose content C code would read itself."""

    __slots__ = ("inside",)

    def __init__(self, inside: KnownKeys) -> None:
        self.inside = inside

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """What ``isinstance`` is told."""
        return set if self.inside.domain.kind == "set" else frozenset

    def __hash__(self) -> int:
        """That of a frozenset.  Raises TypeError for a set."""
        return hash(_plain(self))

    @classmethod
    def _from_iterable(cls, items: Any) -> Any:
        return set(items)

    def __repr__(self) -> str:
        """The text of a set of the same items."""
        return repr(set(self))


_CLASSES: Final = {
    "dict": MonitoredDict, "OrderedDict": MonitoredOrderedDict, "defaultdict": MonitoredDefaultDict
}  # fmt: skip
#: The classes of all dicts that are made here.
MONITORED_DICTS: Final = tuple(_CLASSES.values())


def new_table(heap: Any, domain: TableValues) -> MonitoredDict | MonitoredSet:
    """A dict or set of ``domain`` that nobody has read, in ``heap`` (a LazyHeap)."""
    inside = KnownKeys(heap.choose, domain)
    if domain.kind in SETS:
        return MonitoredSet(inside)
    made = _CLASSES[domain.kind]()
    made.inside = inside
    return made


def _plain(value: Any) -> Any:
    """What C code can compare: a table as a dict or a set of the same content, as it is else."""
    if type(value) in MONITORED_DICTS:
        return value.copy()
    if type(value) is MonitoredSet:
        return set(value) if value.inside.domain.kind == "set" else frozenset(value)
    return value


def _reading(kind: type, name: str) -> Callable[..., Any]:
    method = getattr(kind, name)

    def read(self: Any, *args: Any) -> Any:
        return method(_plain(self), *map(_plain, args))

    read.__name__ = name
    return read


for _name in ("__eq__", "__ne__", "__or__", "__ror__", "__repr__"):
    setattr(MonitoredDict, _name, _reading(dict, _name))
for _name in ("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault",
              "update", "move_to_end"):  # fmt: skip
    setattr(MonitoredDict, _name, refusing("dict", _name))
for _name in ("copy", "difference", "intersection", "isdisjoint", "issubset", "issuperset",
              "symmetric_difference", "union"):  # fmt: skip
    setattr(MonitoredSet, _name, _reading(set, _name))
for _name in ("__iand__", "__ior__", "__isub__", "__ixor__", "add", "clear", "difference_update",
              "discard", "intersection_update", "pop", "remove", "symmetric_difference_update",
              "update"):  # fmt: skip
    setattr(MonitoredSet, _name, refusing("set", _name))
