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
    with the objects of Holder ``i``, each view closed by ``MARK``.
    """

    def __init__(self, holders: Iterable[Holder]) -> None:
        self._holders = list(holders)
        self._views: list[Iterable[Any]] = []
        self._first_view: list[int] = []
        self._starts: list[int] = []
        self._expected: list[Any] = []
        for holder in self._holders:
            self._first_view.append(len(self._views))
            self._starts.append(len(self._expected))
            for view in holder.views():
                self._views += [view, MARK]
                self._expected += [*view, *MARK]
        self._flat = itertools.chain.from_iterable

    def __len__(self) -> int:
        return len(self._expected)

    def is_clean(self) -> bool:
        """Does every Holder hold the saved objects?"""
        try:
            return all(map(is_, self._flat(self._views), self._expected))
        except Exception:  # noqa: BLE001 - an emptied cell or a hostile container
            return False

    def restore(self) -> bool:
        """Put everything back; False if something could not be."""
        number, complete = 0, True
        while number < len(self._holders):
            number = self._first_dirty(number)
            if number < len(self._holders):
                complete = self._holders[number].restore() and complete
            number += 1
        return complete and self.is_clean()

    def _first_dirty(self, begin: int) -> int:
        """The first Holder from ``begin`` on that changed; their number if none did."""
        start = self._starts[begin]
        found = self._flat(self._views[self._first_view[begin] :])
        saved = itertools.islice(self._expected, start, None)
        position = start
        try:
            for differs in map(is_not, found, saved):
                if differs:
                    return bisect_right(self._starts, position) - 1
                position += 1
        except Exception:  # noqa: BLE001
            return bisect_right(self._starts, min(position, len(self._expected) - 1)) - 1
        return len(self._holders)
