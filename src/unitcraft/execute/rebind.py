"""Counters (``itertools.count``) cannot be set back: a stand-in that can takes their place.

Invariant: a stand-in yields what the counter would have yielded, and goes back to its start
in one C call.  Shared counters share their stand-in.  A counter of floats, or one held where
nothing can be assigned, keeps counting.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, MutableMapping
from types import CellType, MethodWrapperType
from typing import Any, Final

#: How often a stand-in can be asked.
TURNS: Final = 1 << 40


class Counters:
    """Abstract state: counter -> stand-in, for the counters met so far."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Iterator[int]]] = {}

    def rewinders(self) -> list[Callable[[int], None]]:
        """One function for each stand-in; called with 0 it goes back to the start."""
        return [getattr(fresh, "__setstate__") for _, fresh in self._known.values()]  # noqa: B009

    def settle(self, value: Any) -> Any:
        """The stand-in of a counter (or of its bound ``__next__``); ``value`` itself if none."""
        if type(value) is itertools.count:
            return self._stand_in(value)
        if type(value) is MethodWrapperType and type(value.__self__) is itertools.count:
            return getattr(self._stand_in(value.__self__), value.__name__, value)
        return value

    def settle_mapping(self, mapping: MutableMapping[Any, Any]) -> None:
        """Replace the counters among the values of a plain dict."""
        for name, value in list(mapping.items()):
            if type(value) in COUNTING:
                mapping[name] = self.settle(value)

    def settle_class(self, cls: type[Any], attributes: dict[str, Any]) -> None:
        """Replace the counters among a class's attributes."""
        for name, value in attributes.items():
            if type(value) in COUNTING and not name.startswith("__"):
                type.__setattr__(cls, name, self.settle(value))

    def settle_cell(self, cell: CellType) -> None:
        """Replace the counter in a closure cell."""
        if type(cell.cell_contents) in COUNTING:
            cell.cell_contents = self.settle(cell.cell_contents)

    def _stand_in(self, count: Any) -> Any:
        if id(count) not in self._known:
            numbers = _arguments(count)
            if not numbers:
                return count
            start, step = (*numbers, 1)[:2]
            fresh = iter(range(start, start + step * TURNS, step))
            self._known[id(count)] = (count, fresh)
        return self._known[id(count)][1]


COUNTING: Final = frozenset({itertools.count, MethodWrapperType})


def _arguments(count: Any) -> tuple[int, ...]:
    """Start and step of a counter of integers, as its ``repr`` shows them; else nothing."""
    try:
        numbers = tuple(int(part) for part in repr(count)[len("count(") : -1].split(", "))
    except ValueError:
        return ()
    return numbers if 0 not in numbers[1:] else ()
