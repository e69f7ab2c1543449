"""UBStack: a bounded stack of integers without duplicates.

After the class that ROSTRA, "Experimental Subjects", lists.  Popping leaves the value in its slot
and does not look whether the stack is empty: the number of elements may become negative, and a
push then finds no slot and raises, as an array of Java does (an index below 0 is out of bounds).
"""

from __future__ import annotations


class UBStack:
    """A stack of at most ``max_size`` different integers."""

    def __init__(self, max_size: int = 8) -> None:
        self._elements: list[int | None] = [None] * max_size
        self._size = 0

    def push(self, value: int) -> None:
        """Put ``value`` on top, from wherever it was.  A full stack ignores a new value."""
        for index in range(self._size):
            if self._elements[index] == value:
                self._move_to_top(index)
                return
        if self._size < 0:
            message = f"no slot {self._size}"
            raise IndexError(message)
        if self._size < len(self._elements):
            self._elements[self._size] = value
            self._size += 1

    def _move_to_top(self, index: int) -> None:
        value = self._elements[index]
        for place in range(index, self._size - 1):
            self._elements[place] = self._elements[place + 1]
        self._elements[self._size - 1] = value

    def pop(self) -> None:
        """Forget the top."""
        self._size -= 1

    def top(self) -> int | None:
        """The value on top; -1 when there is none."""
        return self._elements[self._size - 1] if self._size >= 1 else -1

    def is_empty(self) -> bool:
        """Is the number of elements 0?"""
        return self._size == 0

    def is_full(self) -> bool:
        """Is there no room for another value?"""
        return self._size == len(self._elements)

    def is_member(self, value: int) -> bool:
        """Is ``value`` in the stack?"""
        return any(self._elements[index] == value for index in range(self._size))

    def size(self) -> int:
        """The number of elements."""
        return self._size

    def max_size(self) -> int:
        """The greatest number of elements."""
        return len(self._elements)

    def __eq__(self, other: object) -> bool:
        """Do both stacks hold the same values in the same order?"""
        if not isinstance(other, UBStack):
            return NotImplemented
        if self._size != other._size or self.max_size() != other.max_size():
            return False
        return all(
            self._elements[index] == other._elements[index]  # noqa: SLF001 - same class
            for index in range(self._size)
        )

    __hash__ = None  # type: ignore[assignment]
