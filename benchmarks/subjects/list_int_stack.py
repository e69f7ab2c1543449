"""ListIntStack: a stack of integers on a Python list, without stale slots."""

from __future__ import annotations


class ListIntStack:
    """A stack of integers."""

    def __init__(self) -> None:
        self._items: list[int] = []

    def push(self, value: int) -> None:
        """Put ``value`` on top."""
        self._items.append(value)

    def pop(self) -> int:
        """Remove and return the top.  Raises IndexError on an empty stack."""
        return self._items.pop()

    def is_empty(self) -> bool:
        """Does the stack hold nothing?"""
        return not self._items

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ListIntStack):
            return NotImplemented
        return self._items == other._items

    __hash__ = None  # type: ignore[assignment]
