"""Compares many Holders at once with the objects that they held.

Invariant: the comparison is by identity, and runs no code of the Subject.  It is one C
pipeline over all containers and costs about 20 ns for each object held.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterable
from operator import is_, is_not
from typing import Any, Final

from unitcraft.execute.isolation.holders import Holder

#: Ends each container in the flat comparison, so that items cannot slide into the next one.
MARK: Final = (object(),)


class Snapshot:
    """Holders and the objects that they held, flat.

    Abstract state: a list of (Holder, objects).  Invariant: ``_expected[_starts[i]:]`` begins
    with the objects of Holder ``i``, each view closed by ``MARK``; both lists of starts end with
    the length of what they point into.
    """

    def __init__(self, holders: Iterable[Holder]) -> None:
        self._holders: list[Holder] = []
        self._views: list[Iterable[Any]] = []
        self._first_view: list[int] = [0]
        self._starts: list[int] = [0]
        self._expected: list[Any] = []
        self._flat = itertools.chain.from_iterable
        for holder in holders:
            views = [part for view in holder.views() for part in (view, MARK)]
            self._append(holder, views, list(self._flat(views)))

    def _append(self, holder: Holder, views: list[Iterable[Any]], expected: list[Any]) -> None:
        self._holders.append(holder)
        self._views += views
        self._expected += expected
        self._first_view.append(len(self._views))
        self._starts.append(len(self._expected))

    def __len__(self) -> int:
        return len(self._expected)

    def part(self, numbers: Iterable[int]) -> Snapshot:
        """The Snapshot of the Holders ``numbers``, with the objects that this one saved."""
        made = Snapshot(())
        for number in numbers:
            views = self._views[self._first_view[number] : self._first_view[number + 1]]
            expected = self._expected[self._starts[number] : self._starts[number + 1]]
            made._append(self._holders[number], views, expected)
        return made

    def is_clean(self) -> bool:
        """Does every Holder hold the saved objects?"""
        try:
            return all(map(is_, self._flat(self._views), self._expected))
        except Exception:  # noqa: BLE001 - an emptied cell or a hostile container
            return False

    def changed(self) -> list[int]:
        """The numbers of the Holders that do not hold the saved objects."""
        found: list[int] = []
        number = self._first_changed(0)
        while number < len(self._holders):
            found.append(number)
            number = self._first_changed(number + 1)
        return found

    def restore(self) -> bool:
        """Put everything back; False if something could not be."""
        complete = True
        for number in self.changed():
            complete = self._holders[number].restore() and complete
        return complete and self.is_clean()

    def _first_changed(self, begin: int) -> int:
        """The first Holder from ``begin`` on that changed; their number if none did."""
        positions = itertools.count(self._starts[begin])
        found = self._flat(itertools.islice(self._views, self._first_view[begin], None))
        saved = itertools.islice(self._expected, self._starts[begin], None)
        try:
            position = next(itertools.compress(positions, map(is_not, found, saved)), None)
        except Exception:  # noqa: BLE001
            position = min(next(positions), len(self._expected)) - 1
        return len(self._holders) if position is None else bisect_right(self._starts, position) - 1
