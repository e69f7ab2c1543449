"""HeapArray: a priority queue of integers, the greatest first, as a binary heap in an array.

Extraction clears the slot that becomes free; an empty slot holds None.
"""

from __future__ import annotations


class HeapArray:
    """A max-heap in an array of eight slots that doubles when it is full."""

    def __init__(self) -> None:
        self._array: list[int] = [None] * 8  # type: ignore[list-item]
        self._size = 0

    def insert(self, value: int) -> None:
        """Add ``value``."""
        if self._size == len(self._array):
            self._array.extend([None] * self._size)  # type: ignore[list-item]
        index = self._size
        self._size += 1
        while index > 0 and self._array[(index - 1) // 2] < value:
            self._array[index] = self._array[(index - 1) // 2]
            index = (index - 1) // 2
        self._array[index] = value

    def extract_max(self) -> int:
        """Remove and return the greatest value.  Raises IndexError on an empty heap."""
        if self._size == 0:
            message = "extract_max from an empty heap"
            raise IndexError(message)
        greatest = self._array[0]
        self._size -= 1
        last = self._array[self._size]
        self._array[self._size] = None  # type: ignore[call-overload]
        if self._size > 0:
            self._sift_down(last)
        return greatest

    def _sift_down(self, value: int) -> None:
        """Let ``value`` sink from the root to its place."""
        index, child = 0, 1
        while child < self._size:
            if child + 1 < self._size and self._array[child + 1] > self._array[child]:
                child += 1
            if self._array[child] <= value:
                break
            self._array[index] = self._array[child]
            index, child = child, 2 * child + 1
        self._array[index] = value

    def is_empty(self) -> bool:
        """Does the heap hold nothing?"""
        return self._size == 0
