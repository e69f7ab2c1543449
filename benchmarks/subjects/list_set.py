"""ListSet: a set of integers in a list, in the order of their first insertion."""

from __future__ import annotations


class ListSet:
    """A set of integers."""

    def __init__(self) -> None:
        self._items: list[int] = []

    def insert(self, item: int) -> bool:
        """Put ``item`` in; was it new?"""
        if item in self._items:
            return False
        self._items.append(item)
        return True

    def remove(self, item: int) -> None:
        """Take ``item`` out.  Raises KeyError when it is not in."""
        if item not in self._items:
            raise KeyError(item)
        self._items.remove(item)

    def contains(self, item: int) -> bool:
        """Is ``item`` in the set?"""
        return item in self._items

    def size(self) -> int:
        """The number of items."""
        return len(self._items)

    def is_empty(self) -> bool:
        """Is nothing in the set?"""
        return not self._items

    def clear(self) -> None:
        """Take everything out."""
        self._items.clear()

    def __eq__(self, other: object) -> bool:
        """Have both the same items, in whatever order?"""
        if not isinstance(other, ListSet):
            return NotImplemented
        return sorted(self._items) == sorted(other._items)

    __hash__ = None  # type: ignore[assignment]
