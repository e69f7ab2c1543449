"""BinomialHeap: a mergeable priority queue of positive integers, after CLRS, chapter 19.

As in the class that SYMSTRA explores, ``insert`` ignores values below 1 and ``delete``
decreases a key below the minimum and extracts it.
"""

from __future__ import annotations


class Node:
    """The root of a binomial tree; ``sibling`` is the next tree, or the next smaller child."""

    def __init__(self, key: int) -> None:
        self.key = key
        self.degree = 0
        self.parent: Node | None = None
        self.child: Node | None = None
        self.sibling: Node | None = None

    def adopt(self, child: Node) -> None:
        """Make ``child``, of the same degree, the first child."""
        child.parent = self
        child.sibling = self.child
        self.child = child
        self.degree += 1


class BinomialHeap:
    """Trees in ascending order of degree, at most one of each degree."""

    def __init__(self) -> None:
        self.head: Node | None = None
        self.size = 0

    def insert(self, value: int) -> None:
        """Add ``value`` if it is positive."""
        if value > 0:
            self._unite(Node(value))
            self.size += 1

    def find_minimum(self) -> int:
        """The least key.  Raises IndexError on an empty heap."""
        return self._least_root().key

    def extract_min(self) -> int:
        """Remove and return the least key.  Raises IndexError on an empty heap."""
        least = self._least_root()
        self._cut_root(least)
        self._unite(_reversed_orphans(least.child))
        self.size -= 1
        return least.key

    def delete(self, value: int) -> None:
        """Remove one key equal to ``value``; a key that is not there changes nothing."""
        node = _find(self.head, value)
        if node is None:
            return
        node.key = self.find_minimum() - 1
        while node.parent is not None and node.key < node.parent.key:
            node.key, node.parent.key = node.parent.key, node.key
            node = node.parent
        self.extract_min()

    def _least_root(self) -> Node:
        if self.head is None:
            message = "the heap is empty"
            raise IndexError(message)
        least, root = self.head, self.head.sibling
        while root is not None:
            if root.key < least.key:
                least = root
            root = root.sibling
        return least

    def _cut_root(self, root: Node) -> None:
        if self.head is root:
            self.head = root.sibling
            return
        before = self.head
        while before is not None and before.sibling is not root:
            before = before.sibling
        assert before is not None
        before.sibling = root.sibling

    def _unite(self, other: Node | None) -> None:
        """Merge the trees that begin at ``other``, linking trees of equal degree."""
        self.head = _merged(self.head, other)
        before: Node | None = None
        root = self.head
        while root is not None and root.sibling is not None:
            following = root.sibling
            third = following.sibling
            if root.degree != following.degree or (
                third is not None and third.degree == root.degree
            ):
                before, root = root, following
            elif root.key <= following.key:
                root.sibling = third
                root.adopt(following)
            else:
                if before is None:
                    self.head = following
                else:
                    before.sibling = following
                following.adopt(root)
                root = following


def _merged(first: Node | None, second: Node | None) -> Node | None:
    """The trees of both lists in ascending order of degree; of equals those of ``first`` first."""
    anchor = tail = Node(0)
    while first is not None and second is not None:
        if first.degree <= second.degree:
            tail.sibling, first = first, first.sibling
        else:
            tail.sibling, second = second, second.sibling
        tail = tail.sibling
    tail.sibling = first if first is not None else second
    return anchor.sibling


def _reversed_orphans(child: Node | None) -> Node | None:
    """The children from ``child`` on as roots, in ascending order of degree."""
    head: Node | None = None
    while child is not None:
        child.parent = None
        child.sibling, head, child = head, child, child.sibling
    return head


def _find(node: Node | None, key: int) -> Node | None:
    """The first node with ``key`` in preorder among ``node``, its siblings and all below."""
    while node is not None:
        if node.key == key:
            return node
        found = _find(node.child, key)
        if found is not None:
            return found
        node = node.sibling
    return None
