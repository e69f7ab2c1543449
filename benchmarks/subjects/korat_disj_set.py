"""DisjSet over records of parent and rank, and its invariant, as Korat's example has it."""

from __future__ import annotations


class Record:
    """One element: the number of its parent, which is its own for a root, and its rank."""

    def __init__(self, parent: int) -> None:
        self.parent = parent
        self.rank = 0


class DisjSet:
    """A partition of 0 ... size-1 as a forest with union by rank."""

    def __init__(self, size: int = 4) -> None:
        self.elements: list[Record] = [Record(number) for number in range(size)]
        self.size = size

    def find(self, number: int) -> int:
        """The representative of the set of ``number``."""
        while self.elements[number].parent != number:
            number = self.elements[number].parent
        return number

    def union(self, first: int, second: int) -> None:
        """Join two sets."""
        one, other = self.elements[self.find(first)], self.elements[self.find(second)]
        if one is other:
            return
        if one.rank < other.rank:
            one, other = other, one
        other.parent = self.elements.index(one)
        one.rank += one.rank == other.rank

    def rep_ok(self) -> bool:
        """Are records distinct, and do ranks rise towards the roots as unions make them?"""
        if len(self.elements) != self.size or not self._are_distinct():
            return False
        roots = 0
        supported = set()
        for number in range(self.size):
            parent = self.elements[number].parent
            if parent < 0 or parent >= self.size:
                return False
            if parent == number:
                roots += 1
                continue
            rank = self.elements[parent].rank
            if rank <= self.elements[number].rank:
                return False
            if self.elements[number].rank == rank - 1:
                supported.add(parent)
        flat = sum(
            1
            for number in range(self.size)
            if number not in supported and self.elements[number].rank == 0
        )
        return roots <= flat

    def _are_distinct(self) -> bool:
        for first in range(self.size - 1):
            for second in range(first + 1, self.size):
                if self.elements[first] is self.elements[second]:
                    return False
        return True
