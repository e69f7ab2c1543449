"""A list, deque or tuple whose length and items are chosen when they are read for the first time.

Invariant: every reading method sees the chosen length and items; what would change them is refused
and noted, so that a run leaves no trace in it.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unitcraft.heaps.guest.field_choices import ListValues

#: The key of the length among the known items.
LENGTH: Final = "length"
#: The names of the methods that were called to change a list; emptied by whoever reads it.
CHANGES: Final[list[str]] = []


class KnownItems:
    """Abstract state: the length and the items that are known, by place."""

    __slots__ = ()
    choose: Callable[[Any, Any, Any], Any]
    domain: ListValues
    known: dict[Any, Any]

    def __len__(self) -> int:
        """The length, chosen now if nobody has asked for it."""
        length = self.known.get(LENGTH)
        if length is None:
            length = self.choose(self.known, LENGTH, self.domain.lengths)
        return int(length)

    def __bool__(self) -> bool:
        """Is there an item?"""
        return len(self) > 0

    def __getitem__(self, place: Any) -> Any:
        """One item, or a plain list, or tuple, of several."""
        known = self.known
        if type(place) is int and place in known:
            return known[place]
        if isinstance(place, slice):
            found = [self._item(number) for number in range(len(self))[place]]
            return tuple(found) if isinstance(self, tuple) else found
        return self._item(range(len(self))[place])

    def _item(self, place: int) -> Any:
        if place in self.known:
            return self.known[place]
        return self.choose(self.known, place, self.domain.at(place))

    def __iter__(self) -> Iterator[Any]:
        """The items one after another; those not reached are not chosen."""
        place = 0
        while place < len(self):
            yield self._item(place)
            place += 1

    def __reversed__(self) -> Iterator[Any]:
        """The items, the last one first."""
        return (self._item(place) for place in reversed(range(len(self))))

    def __contains__(self, item: object) -> bool:
        """Is one of the items ``item``?"""
        return any(own is item or own == item for own in self)


class MonitoredList(KnownItems, list):  # type: ignore[type-arg]
    """A list of known items."""

    __slots__ = ("choose", "domain", "known")


class MonitoredDeque(KnownItems, deque):  # type: ignore[type-arg]
    """A deque of known items; it has no bound."""

    __slots__ = ("choose", "domain", "known")


class MonitoredTuple(KnownItems, tuple):  # type: ignore[type-arg]  # noqa: SLOT001
    """A tuple of known items; CPython allows no slots in one."""

    def __hash__(self) -> int:
        """The hash of a plain tuple of the same items."""
        return hash(tuple(self))


_CLASSES: Final = {
    "list": MonitoredList, "deque": MonitoredDeque, "tuple": MonitoredTuple, "row": MonitoredTuple
}  # fmt: skip
#: The classes of all that is made here.
MONITORED_ROWS: Final = (MonitoredList, MonitoredDeque, MonitoredTuple)


def new_list(heap: Any, domain: ListValues) -> Any:
    """A list, deque or tuple of ``domain`` that nobody has read, in ``heap`` (a LazyHeap)."""
    made: Any = _CLASSES[domain.kind]()
    made.choose, made.domain, made.known = heap.choose, domain, {}
    return made


def _plain(value: Any, kind: type) -> Any:
    """What C code can compare: a plain ``kind`` of the same items, as it is else."""
    return kind(islice(value, len(value))) if type(value) in MONITORED_ROWS else value


def _reading(kind: type, name: str) -> Callable[..., Any]:
    method = getattr(kind, name)

    def read(self: Any, *args: Any, **kwargs: Any) -> Any:
        plain = [_plain(one, _BASES[type(one)]) if type(one) in _BASES else one for one in args]
        return method(_plain(self, kind), *plain, **kwargs)

    read.__name__ = name
    return read


def refusing(kind: str, name: str) -> Callable[..., NoReturn]:
    """A method of a ``kind`` of container that is refused, and noted, as it would change one."""

    def refuse(_self: Any, *_args: Any, **_kwargs: Any) -> NoReturn:
        CHANGES.append(f"{kind}.{name}")
        message = f"a representation invariant may not change a {kind}"
        raise TypeError(message)

    refuse.__name__ = name
    return refuse


_BASES: Final[dict[type, type]] = {
    MonitoredList: list, MonitoredDeque: deque, MonitoredTuple: tuple
}  # fmt: skip
_READ: Final = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__mul__",
                "__rmul__", "__repr__", "copy", "count", "index")  # fmt: skip
_REFUSED: Final = ("__setitem__", "__delitem__", "__iadd__", "__imul__", "append", "appendleft",
                   "clear", "extend", "extendleft", "insert", "pop", "popleft", "remove", "reverse",
                   "rotate", "sort")  # fmt: skip
for _class, _base in _BASES.items():
    for _name in _READ:
        if hasattr(_base, _name):
            setattr(_class, _name, _reading(_base, _name))
    for _name in _REFUSED:
        if hasattr(_base, _name):
            setattr(_class, _name, refusing(_base.__name__, _name))
