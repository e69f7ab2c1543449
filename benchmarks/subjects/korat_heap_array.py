"""HeapArray with free slots marked by -1, and its invariant, as Korat's example has it."""

from __future__ import annotations


class HeapArray:
    """A max-heap of integers from 0 on in the first ``size`` slots of an array."""

    def __init__(self, capacity: int = 8) -> None:
        self.array: list[int] = [-1] * capacity
        self.size = 0

    def insert(self, value: int) -> None:
        """Add ``value``, at least 0.  Raises IndexError when the array is full."""
        place = self.size
        self.array[place] = value
        self.size += 1
        while place > 0 and self.array[(place - 1) // 2] < self.array[place]:
            above = (place - 1) // 2
            self.array[above], self.array[place] = self.array[place], self.array[above]
            place = above

    def greatest(self) -> int:
        """The greatest value.  Raises IndexError on an empty heap."""
        if self.size == 0:
            message = "the heap is empty"
            raise IndexError(message)
        return self.array[0]

    def rep_ok(self) -> bool:
        """Are the used slots in heap order, and the others free?"""
        if self.size < 0 or self.size > len(self.array):
            return False
        for place in range(self.size):
            value = self.array[place]
            if value == -1:
                return False
            if place > 0 and value > self.array[(place - 1) // 2]:
                return False
        return all(self.array[place] == -1 for place in range(self.size, len(self.array)))
