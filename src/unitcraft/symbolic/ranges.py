"""``range`` of symbolic bounds: each round of a loop over it is a branch.

Invariant: iterating yields the numbers that the plain range would yield; the trace says at
each of them that the end was not yet reached, and after the last that it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unitcraft.symbolic.trace import note, pin, plain, term_of


class SymRange:
    """A range of which a bound is a proxy; what it is not asked for as a range pins it."""

    __slots__ = ("bounds",)

    def __init__(self, start: Any, stop: Any, step: Any) -> None:
        self.bounds = (start, stop, step)

    def plain(self) -> range:
        """The range itself, its bounds pinned."""
        return range(*[pin(bound) for bound in self.bounds])

    def __iter__(self) -> Iterator[Any]:
        start, stop, step = self.bounds
        current = start
        while True:
            more = plain(current) < plain(stop) if step > 0 else plain(current) > plain(stop)
            op = "<" if step > 0 else ">"
            note(((op, term_of(current), term_of(stop)), more))
            if not more:
                return
            yield current
            current = current + step

    def __contains__(self, item: Any) -> bool:
        start, stop, step = self.bounds
        if plain(step) == 1 and isinstance(item, int):
            return bool(item >= start and item < stop)
        return pin(item) in self.plain()

    def __len__(self) -> int:
        return len(self.plain())

    def __getitem__(self, index: Any) -> Any:
        return self.plain()[index]

    def __reversed__(self) -> Iterator[int]:
        return reversed(self.plain())

    def __eq__(self, other: object) -> bool:
        return self.plain() == (other.plain() if isinstance(other, SymRange) else other)

    def __hash__(self) -> int:
        return hash(self.plain())

    def __repr__(self) -> str:
        return repr(self.plain())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain(), name)


def sym_range(*args: Any) -> Any:
    """``range(*args)`` with a proxy among them.  Raises what range raises."""
    range(*[plain(arg) for arg in args])
    start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
    return SymRange(start, stop, pin(step))
