"""BinaryTree: nodes without keys, and the invariant that each is reached once."""

from __future__ import annotations


class Node:
    """A node with two subtrees."""

    def __init__(self) -> None:
        self.left: Node | None = None
        self.right: Node | None = None


class BinaryTree:
    """A tree of ``size`` nodes."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.size = 0

    def grow(self) -> None:
        """Add a node at the end of the leftmost path."""
        self.size += 1
        if self.root is None:
            self.root = Node()
            return
        node = self.root
        while node.left is not None:
            node = node.left
        node.left = Node()

    def height(self) -> int:
        """The number of nodes on the longest path from the root."""
        return _height(self.root)

    def rep_ok(self) -> bool:
        """Is every node reached once, and are there ``size`` of them?"""
        if self.root is None:
            return self.size == 0
        met = {self.root}
        waiting = [self.root]
        for node in waiting:
            left = node.left
            if left is not None:
                if left in met:
                    return False
                met.add(left)
                waiting.append(left)
            right = node.right
            if right is not None:
                if right in met:
                    return False
                met.add(right)
                waiting.append(right)
        return len(waiting) == self.size


def _height(node: Node | None) -> int:
    return 0 if node is None else 1 + max(_height(node.left), _height(node.right))
