"""BinSearchTree: a set of integers in an unbalanced binary search tree (SYMSTRA, "Example")."""

from __future__ import annotations


class Node:
    """A value and two subtrees."""

    def __init__(self, value: int) -> None:
        self.value = value
        self.left: Node | None = None
        self.right: Node | None = None


class BinSearchTree:
    """A set of integers; ``size`` counts them."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.size = 0

    def insert(self, value: int) -> None:
        """Add ``value``; a value that is there already changes nothing."""
        if self.root is None:
            self.root = Node(value)
            self.size += 1
            return
        node = self.root
        while True:
            if node.value < value:
                if node.right is None:
                    node.right = Node(value)
                    break
                node = node.right
            elif node.value > value:
                if node.left is None:
                    node.left = Node(value)
                    break
                node = node.left
            else:
                return
        self.size += 1

    def remove(self, value: int) -> None:
        """Remove ``value``; a value that is not there changes nothing."""
        parent: Node | None = None
        node = self.root
        while node is not None and node.value != value:
            parent = node
            node = node.right if node.value < value else node.left
        if node is None:
            return
        self.size -= 1
        if node.left is not None and node.right is not None:
            parent, node = self._put_successor_in(node)
        self._replace(parent, node, node.left if node.left is not None else node.right)

    def _put_successor_in(self, node: Node) -> tuple[Node, Node]:
        """Copy the next greater value into ``node``; return where it came from and its parent."""
        parent, successor = node, node.right
        assert successor is not None
        while successor.left is not None:
            parent, successor = successor, successor.left
        node.value = successor.value
        return parent, successor

    def _replace(self, parent: Node | None, node: Node, child: Node | None) -> None:
        if parent is None:
            self.root = child
        elif parent.left is node:
            parent.left = child
        else:
            parent.right = child

    def contains(self, value: int) -> bool:
        """Is ``value`` in the set?"""
        node = self.root
        while node is not None:
            if node.value < value:
                node = node.right
            elif node.value > value:
                node = node.left
            else:
                return True
        return False
