"""IntStack: a stack of integers in a fixed array that doubles when it is full.

After Henkel and Diwan's example (ROSTRA, "Example Code").  Popping leaves the value in its
slot; an empty slot holds None, so that a stored 0 differs from an empty slot.
"""

from __future__ import annotations


class IntStack:
    """A stack of integers; the array starts with three slots."""

    def __init__(self) -> None:
        self._store: list[int | None] = [None] * 3
        self._size = 0

    def push(self, value: int) -> None:
        """Put ``value`` on top."""
        if self._size == len(self._store):
            self._store.extend([None] * len(self._store))
        self._store[self._size] = value
        self._size += 1

    def pop(self) -> int | None:
        """Remove and return the top.  Raises IndexError on an empty stack."""
        if self._size == 0:
            message = "pop from an empty stack"
            raise IndexError(message)
        self._size -= 1
        return self._store[self._size]

    def is_empty(self) -> bool:
        """Does the stack hold nothing?"""
        return self._size == 0

    def __eq__(self, other: object) -> bool:
        """Do both stacks hold the same values?  Slots above the top do not count."""
        if not isinstance(other, IntStack):
            return NotImplemented
        if self._size != other._size:
            return False
        return all(
            self._store[index] == other._store[index]  # noqa: SLF001 - same class
            for index in range(self._size)
        )

    __hash__ = None  # type: ignore[assignment]
