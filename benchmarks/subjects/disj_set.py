"""DisjSet: a partition of 0 … n-1 as a forest, with union by rank and path compression."""

from __future__ import annotations


class DisjSet:
    """Disjoint sets of the integers below ``size``; every one begins alone."""

    def __init__(self, size: int = 4) -> None:
        if size < 0:
            message = "the size must not be negative"
            raise ValueError(message)
        self._parent = list(range(size))
        self._rank = [0] * size
        self._count = size

    def find(self, element: int) -> int:
        """The representative of the set of ``element``.  Raises IndexError outside 0 … n-1."""
        self._check(element)
        root = element
        while self._parent[root] != root:
            root = self._parent[root]
        while self._parent[element] != root:
            self._parent[element], element = root, self._parent[element]
        return root

    def union(self, first: int, second: int) -> bool:
        """Join the sets of ``first`` and ``second``; were they different?"""
        first, second = self.find(first), self.find(second)
        if first == second:
            return False
        if self._rank[first] < self._rank[second]:
            first, second = second, first
        self._parent[second] = first
        if self._rank[first] == self._rank[second]:
            self._rank[first] += 1
        self._count -= 1
        return True

    def connected(self, first: int, second: int) -> bool:
        """Are both in one set?"""
        return self.find(first) == self.find(second)

    def count(self) -> int:
        """The number of sets."""
        return self._count

    def members(self, element: int) -> list[int]:
        """All elements of the set of ``element``, in ascending order."""
        root = self.find(element)
        return [other for other in range(len(self._parent)) if self.find(other) == root]

    def _check(self, element: int) -> None:
        if not 0 <= element < len(self._parent):
            message = f"no element {element}"
            raise IndexError(message)
