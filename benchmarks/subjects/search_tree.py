"""SearchTree: a binary search tree that knows its size, and its representation invariant."""

from __future__ import annotations


class Node:
    """A node with its key and two subtrees."""

    def __init__(self, key: int) -> None:
        self.left: Node | None = None
        self.right: Node | None = None
        self.key = key


class SearchTree:
    """Integers in ascending order from left to right, none twice."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.size = 0

    def insert(self, key: int) -> bool:
        """Add ``key``; was it missing?"""
        node, before = self.root, None
        while node is not None:
            if key == node.key:
                return False
            node, before = (node.left if key < node.key else node.right), node
        self.size += 1
        if before is None:
            self.root = Node(key)
        elif key < before.key:
            before.left = Node(key)
        else:
            before.right = Node(key)
        return True

    def contains(self, key: int) -> bool:
        """Is ``key`` there?"""
        node = self.root
        while node is not None and key != node.key:
            node = node.left if key < node.key else node.right
        return node is not None

    def remove(self, key: int) -> bool:
        """Take out ``key``; was it there?"""
        size = self.size
        self.root = self._without(self.root, key)
        return self.size < size

    def _without(self, node: Node | None, key: int) -> Node | None:
        if node is None:
            return None
        if key < node.key:
            node.left = self._without(node.left, key)
        elif key > node.key:
            node.right = self._without(node.right, key)
        elif node.left is None or node.right is None:
            self.size -= 1
            return node.right if node.left is None else node.left
        else:
            following = node.right
            while following.left is not None:
                following = following.left
            node.key = following.key
            node.right = self._without(node.right, following.key)
        return node

    def rep_ok(self) -> bool:
        """Is this a tree of ``size`` nodes, ordered?"""
        if self.root is None:
            return self.size == 0
        return self._is_tree() and _is_ordered(self.root, None, None)

    def _is_tree(self) -> bool:
        """Is every node reached once, and are there ``size`` of them?"""
        root = self.root
        met = {root}
        waiting = [root]
        for node in waiting:
            left = node.left  # type: ignore[union-attr]
            if left is not None:
                if left in met:
                    return False
                met.add(left)
                waiting.append(left)
            right = node.right  # type: ignore[union-attr]
            if right is not None:
                if right in met:
                    return False
                met.add(right)
                waiting.append(right)
        return len(waiting) == self.size


def _is_ordered(node: Node, low: int | None, high: int | None) -> bool:
    if (low is not None and node.key <= low) or (high is not None and node.key >= high):
        return False
    if node.left is not None and not _is_ordered(node.left, low, node.key):
        return False
    return node.right is None or _is_ordered(node.right, node.key, high)
