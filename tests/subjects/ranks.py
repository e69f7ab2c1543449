"""Defects that only several calls reach: a postcondition broken by the third insertion, an empty pop."""

from __future__ import annotations


class Ranks:
    """Numbers in ascending order; ``insert`` promises the order and breaks it once."""

    def __init__(self) -> None:
        self._ranks: list[int] = []

    def insert(self, rank: int) -> None:
        """Add ``rank`` in its place."""
        if len(self._ranks) == 2 and rank < self._ranks[0]:
            self._ranks.append(rank)
        else:
            self._ranks.append(rank)
            self._ranks.sort()
        assert self._ranks == sorted(self._ranks), "the ranks are in order"

    def lowest(self) -> int:
        """The first rank.  Raises LookupError when there is none."""
        if not self._ranks:
            raise LookupError("no rank")
        return self._ranks[0]
