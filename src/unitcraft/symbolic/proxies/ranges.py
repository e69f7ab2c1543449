"""``range`` of symbolic bounds: each round of a loop over it is a branch.

Invariant: iterating yields the numbers that the plain range would yield; the trace says at
each of them that the end was not yet reached, and after the last that it was.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterator
from typing import Any, Final

from unitcraft.symbolic.proxies.trace import (
    PROXIES,
    concrete_value,
    concretize,
    is_symbolic,
    record,
    term_of,
)

#: Functions of this module take proxies as they are, as rewritten code does.
__unitcraft_call__: Final = None


class SymRange:
    """A range with a symbolic bound; all but iteration, ``in``, truth and ``size`` concretize it.

    It has no ``__len__``, which ``list`` would ask for a hint: ``size`` is its length.
    """

    __slots__ = ("bounds",)
    __class__ = property(lambda _: range)

    def __init__(self, start: Any, stop: Any, step: Any) -> None:
        self.bounds = (start, stop, step)

    def concretized(self) -> range:
        """The range itself, its bounds concretized."""
        return range(*[concretize(bound) for bound in self.bounds])

    def __iter__(self) -> Iterator[Any]:
        start, stop, step = self.bounds
        known, last = range(*map(concrete_value, self.bounds)), term_of(stop)
        op = "<" if step > 0 else ">"
        current = start
        for _ in known:
            if is_symbolic((current, stop)):
                record(((op, term_of(current), last), True))
            yield current
            current = current + step
        if is_symbolic((current, stop)):
            record(((op, term_of(current), last), False))

    def __reversed__(self) -> Iterator[Any]:
        start, stop, step = self.bounds
        if step not in (1, -1):
            return reversed(self.concretized())
        return iter(SymRange(stop - step, start - step, -step))

    def __contains__(self, item: Any) -> bool:
        start, stop, step = self.bounds
        if step == 1 and isinstance(item, int):
            return bool(item >= start and item < stop)
        return concretize(item) in self.concretized()

    def __bool__(self) -> bool:
        start, stop, step = self.bounds
        return bool(start < stop) if step > 0 else bool(start > stop)

    def size(self) -> Any:
        """``len`` of it, followed when the step is one."""
        start, stop, step = self.bounds
        if step != 1:
            return len(self.concretized())
        size = stop - start if start < stop else 0
        return size if size <= sys.maxsize else len(self.concretized())

    def __getitem__(self, index: Any) -> Any:
        return self.concretized()[concretize(index) if type(index) in PROXIES else index]

    def __eq__(self, other: object) -> bool:
        return self.concretized() == (other.concretized() if type(other) is SymRange else other)

    def __hash__(self) -> int:
        return hash(self.concretized())

    def __repr__(self) -> str:
        return repr(self.concretized())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.concretized(), name)


SymRange.__name__ = SymRange.__qualname__ = "range"


def sym_range(*args: Any) -> Any:
    """``range(*args)`` with a proxy among them.  Raises what range raises."""
    step = concretize(args[2]) if len(args) > 2 else 1  # noqa: PLR2004 - start, stop, step
    range(*[concrete_value(arg) for arg in args])
    bounds = [arg if type(arg) in PROXIES else operator.index(arg) for arg in args]
    start, stop = (0, bounds[0]) if len(args) == 1 else bounds[:2]
    return SymRange(start, stop, step)


def is_in_range(item: Any, known: range) -> bool:
    """``item in known`` for a proxy of an int."""
    if known.step == 1:
        return bool(item >= known.start and item < known.stop)
    result = concrete_value(item) in known
    record((("in", item.term, ("range", known.start, known.stop, known.step)), result))
    return result
