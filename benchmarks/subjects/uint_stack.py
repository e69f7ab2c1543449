"""UIntStack: a stack of integers without duplicates (ROSTRA, "Symbolic State Representation")."""

from __future__ import annotations


class UIntStack:
    """A stack that ignores a value which it holds already."""

    def __init__(self) -> None:
        self._store: list[int | None] = [None] * 3
        self._size = 0

    def push(self, value: int) -> None:
        """Put ``value`` on top unless it is somewhere in the stack."""
        for index in range(self._size):
            if self._store[index] == value:
                return
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
