"""BinomialQueue: a mergeable priority queue of binomial trees, and its representation invariant.

The trees are those of ``binomial_heap``, in ascending order of degree.
"""

from __future__ import annotations


class Node:
    """The root of a binomial tree; ``sibling`` is the next tree, or the next smaller child."""

    def __init__(self, key: int) -> None:
        self.parent: Node | None = None
        self.child: Node | None = None
        self.sibling: Node | None = None
        self.degree = 0
        self.key = key


class BinomialQueue:
    """At most one tree of each degree."""

    def __init__(self) -> None:
        self.head: Node | None = None

    def insert(self, key: int) -> None:
        """Add ``key``: trees of equal degree are linked as ones are carried in an addition."""
        tree = Node(key)
        while self.head is not None and self.head.degree == tree.degree:
            other, self.head = self.head, self.head.sibling
            small, large = (tree, other) if tree.key <= other.key else (other, tree)
            large.parent, large.sibling, small.child = small, small.child, large
            small.degree += 1
            tree = small
        tree.sibling, self.head = self.head, tree

    def minimum(self) -> int | None:
        """The least key; None of an empty queue."""
        least, tree = None, self.head
        while tree is not None:
            if least is None or tree.key < least:
                least = tree.key
            tree = tree.sibling
        return least

    def rep_ok(self) -> bool:
        """Are there binomial trees only, in heap order, of rising degree?"""
        met: set[Node] = set()
        degree = -1
        tree = self.head
        while tree is not None:
            if tree in met or tree.parent is not None:
                return False
            met.add(tree)
            size = _size_of(tree, met)
            if size is None or size <= degree or size != tree.degree:
                return False
            degree = size
            tree = tree.sibling
        return True


def _size_of(tree: Node, met: set[Node]) -> int | None:
    """The degree of the binomial tree below ``tree``; None if it is none."""
    degrees = []
    child = tree.child
    while child is not None:
        if child in met or child.parent is not tree:
            return None
        met.add(child)
        degree = _size_of(child, met)
        if degree is None or child.degree != degree or child.key < tree.key:
            return None
        degrees.append(degree)
        child = child.sibling
    return len(degrees) if degrees == list(reversed(range(len(degrees)))) else None
