"""A list whose length and items are chosen when they are read for the first time.

Invariant: every reading method of a list sees the chosen length and items; what would change the
list is refused and noted, so that a run leaves no trace in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unitcraft.heaps.guest.field_choices import FieldDomain

#: The key of the length among the known items.
LENGTH: Final = "length"
#: The names of the methods that were called to change a list; emptied by whoever reads it.
CHANGES: Final[list[str]] = []


class MonitoredList(list):  # type: ignore[type-arg]
    """Abstract state: the length and the items that are known, by place."""

    __slots__ = ("choose", "domain", "known")
    choose: Callable[[Any, Any, Any], Any]
    domain: FieldDomain
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
        """One item, or a plain list of several."""
        known = self.known
        if type(place) is int and place in known:
            return known[place]
        if isinstance(place, slice):
            return [self._item(number) for number in range(len(self))[place]]
        return self._item(range(len(self))[place])

    def _item(self, place: int) -> Any:
        if place in self.known:
            return self.known[place]
        return self.choose(self.known, place, self.domain.items)

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


def new_list(heap: Any, domain: FieldDomain) -> MonitoredList:
    """A list of ``domain`` that nobody has read, in ``heap`` (a LazyHeap)."""
    made = MonitoredList()
    made.choose, made.domain, made.known = heap.choose, domain, {}
    return made


def _reading(name: str) -> Callable[..., Any]:
    method = getattr(list, name)

    def read(self: MonitoredList, *args: Any, **kwargs: Any) -> Any:
        plain = [list(one) if type(one) is MonitoredList else one for one in args]
        return method(list(self), *plain, **kwargs)

    read.__name__ = name
    return read


def _refusing(name: str) -> Callable[..., NoReturn]:
    def refuse(_self: MonitoredList, *_args: Any, **_kwargs: Any) -> NoReturn:
        CHANGES.append(f"list.{name}")
        message = "a representation invariant may not change a list"
        raise TypeError(message)

    refuse.__name__ = name
    return refuse


for _name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__mul__",
              "__rmul__", "__repr__", "copy", "count", "index"):  # fmt: skip
    setattr(MonitoredList, _name, _reading(_name))
for _name in ("__setitem__", "__delitem__", "__iadd__", "__imul__", "append", "clear", "extend",
              "insert", "pop", "remove", "reverse", "sort"):  # fmt: skip
    setattr(MonitoredList, _name, _refusing(_name))
