"""Compares many Holders at once with the objects that they held.

Invariant: the comparison is by identity, and runs no code of the Subject.  It is one C
pipeline over all containers and costs about 20 ns for each object held.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterable
from operator import is_, length_hint
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
        changed = self.changed()
        complete = True
        for number in changed:
            complete = self._holders[number].restore() and complete
        return complete and all(map(self._is_restored, changed))

    def _is_restored(self, number: int) -> bool:
        """Does the Holder hold the saved objects again?"""
        first, last = self._first_view[number : number + 2]
        saved = self._expected[slice(*self._starts[number : number + 2])]
        try:
            return all(map(is_, self._flat(self._views[first:last]), saved))
        except Exception:  # noqa: BLE001
            return False

    def _first_changed(self, begin: int) -> int:
        """The first Holder from ``begin`` on that changed; their number if none did.

        Where the comparison stops, the iterator over the saved objects tells how many are left.
        """
        views: Any = iter(self._views)
        saved: Any = iter(self._expected)
        views.__setstate__(self._first_view[begin])
        saved.__setstate__(self._starts[begin])
        try:
            if all(map(is_, self._flat(views), saved)):
                return len(self._holders)
            taken = 1
        except Exception:  # noqa: BLE001 - as above; the object of the failed view is still there
            taken = 0
        position = len(self._expected) - length_hint(saved) - taken
        return bisect_right(self._starts, position) - 1
