"""Stand-ins for counters (``itertools.count``), which cannot be set back.

Invariant: a stand-in yields what the counter would have yielded, and goes back to its start.
Shared counters share their stand-in.  A counter of other values than int and float, or one
held where nothing can be assigned, is not replaced.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, MutableMapping
from operator import attrgetter
from types import CellType, MethodWrapperType
from typing import Any, Final

from unitcraft.execute.isolation.holders import LiveView

#: Sentinel of ``iter``: a stand-in never ends.
_NEVER: Final = object()

#: Reads the next number of a stand-in.
NEXT_NUMBER: Final = attrgetter("next_number")

Number = int | float


class ResettableCount:
    """Abstract state: the next number, the first one, the step."""

    __slots__ = ("first", "next_number", "step")

    def __init__(self, first: Number, step: Number) -> None:
        self.first = self.next_number = first
        self.step = step

    def take(self) -> Number:
        """The next number."""
        number = self.next_number
        self.next_number = number + self.step
        return number

    def rewind(self) -> None:
        """Go back to the first number."""
        self.next_number = self.first


class CountHolder:
    """The next numbers of stand-ins."""

    def __init__(self, counts: list[ResettableCount]) -> None:
        self._counts = counts

    def views(self) -> tuple[Iterable[Any], ...]:
        """The next numbers."""
        return (LiveView(lambda: map(NEXT_NUMBER, self._counts)),)

    def restore(self) -> bool:
        """Go back to the first numbers."""
        for count in self._counts:
            count.rewind()
        return True


class Counters:
    """Abstract state: counter -> stand-in, for the counters met so far."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Iterator[Number]]] = {}
        self._new: list[ResettableCount] = []

    def take_new(self) -> list[ResettableCount]:
        """The counts made since the last time."""
        made, self._new = self._new, []
        return made

    def stand_in_for(self, value: Any) -> Any:
        """The stand-in of a counter (or of its bound ``__next__``); any other ``value`` itself."""
        if type(value) is itertools.count:
            return self._stand_in(value)
        if type(value) is MethodWrapperType and type(value.__self__) is itertools.count:
            return getattr(self._stand_in(value.__self__), value.__name__, value)
        return value

    def replace_in_mapping(self, mapping: MutableMapping[Any, Any]) -> None:
        """Replace the counters among the values of a plain dict."""
        for name, value in list(mapping.items()):
            if type(value) in COUNTING:
                mapping[name] = self.stand_in_for(value)

    def replace_in_class(self, cls: type[Any], attributes: dict[str, Any]) -> None:
        """Replace the counters among a class's attributes."""
        for name, value in attributes.items():
            if type(value) in COUNTING and not name.startswith("__"):
                type.__setattr__(cls, name, self.stand_in_for(value))

    def replace_in_cell(self, cell: CellType) -> None:
        """Replace the counter in a closure cell."""
        if type(cell.cell_contents) in COUNTING:
            cell.cell_contents = self.stand_in_for(cell.cell_contents)

    def _stand_in(self, count: Any) -> Any:
        if id(count) not in self._known:
            numbers = _start_and_step(count)
            if not numbers:
                return count
            stand_in = ResettableCount(*(*numbers, 1)[:2])
            self._new.append(stand_in)
            self._known[id(count)] = (count, iter(stand_in.take, _NEVER))
        return self._known[id(count)][1]


#: Classes of values that ``stand_in_for`` may replace.
COUNTING: Final = frozenset({itertools.count, MethodWrapperType})


def _start_and_step(count: Any) -> tuple[Number, ...]:
    """Start and step of a counter of numbers, as its ``repr`` shows them; else ()."""
    try:
        return tuple(_number(part) for part in repr(count)[len("count(") : -1].split(", "))
    except ValueError:
        return ()


def _number(text: str) -> Number:
    try:
        return int(text)
    except ValueError:
        return float(text)
