"""TreeSet: a red-black tree with links to the parents, and its representation invariant.

Keys are put in by recolouring and rotating towards the root, as CLRS does, chapter 13.
"""

from __future__ import annotations


class Node:
    """A node with its colour and its neighbours."""

    def __init__(self, key: int, parent: Node | None) -> None:
        self.left: Node | None = None
        self.right: Node | None = None
        self.parent: Node | None = parent
        self.red: bool = True
        self.key = key


class TreeSet:
    """Integers in ascending order, none twice."""

    def __init__(self) -> None:
        self.root: Node | None = None

    def insert(self, key: int) -> None:
        """Add ``key``, unless it is there."""
        before, node = None, self.root
        while node is not None:
            if key == node.key:
                return
            before, node = node, (node.left if key < node.key else node.right)
        made = Node(key, before)
        if before is None:
            self.root = made
        elif key < before.key:
            before.left = made
        else:
            before.right = made
        self._recolour(made)

    def contains(self, key: int) -> bool:
        """Is ``key`` there?"""
        node = self.root
        while node is not None and key != node.key:
            node = node.left if key < node.key else node.right
        return node is not None

    def rep_ok(self) -> bool:
        """Is this a tree with right parents, ordered, black on top and balanced in black?"""
        root = self.root
        if root is None:
            return True
        if root.parent is not None:
            return False
        met = {root}
        waiting = [root]
        for node in waiting:
            left = node.left
            if left is not None:
                if left in met or left.parent is not node:
                    return False
                met.add(left)
                waiting.append(left)
            right = node.right
            if right is not None:
                if right in met or right.parent is not node:
                    return False
                met.add(right)
                waiting.append(right)
        if root.red or not _is_ordered(root, None, None):
            return False
        return _black_height(root) is not None

    def _recolour(self, node: Node) -> None:
        while node.parent is not None and node.parent.red:
            parent, top = node.parent, node.parent.parent
            assert top is not None
            uncle = top.right if parent is top.left else top.left
            if uncle is not None and uncle.red:
                parent.red = uncle.red = False
                top.red = True
                node = top
                continue
            if (node is parent.left) is not (parent is top.left):
                self._rotate(parent, node)
                node, parent = parent, node
            self._rotate(top, parent)
            parent.red, top.red = False, True
        assert self.root is not None
        self.root.red = False

    def _rotate(self, top: Node, child: Node) -> None:
        """Put ``child`` in the place of ``top``, which becomes its child."""
        above = top.parent
        if child is top.left:
            top.left = moved = child.right
            child.right = top
        else:
            top.right = moved = child.left
            child.left = top
        if moved is not None:
            moved.parent = top
        top.parent, child.parent = child, above
        if above is None:
            self.root = child
        elif above.left is top:
            above.left = child
        else:
            above.right = child


def _is_ordered(node: Node, low: int | None, high: int | None) -> bool:
    if (low is not None and node.key <= low) or (high is not None and node.key >= high):
        return False
    if node.left is not None and not _is_ordered(node.left, low, node.key):
        return False
    return node.right is None or _is_ordered(node.right, node.key, high)


def _black_height(node: Node | None) -> int | None:
    """Black nodes on each path down; None where paths differ or a red node has a red child."""
    if node is None:
        return 0
    for child in (node.left, node.right):
        if node.red and child is not None and child.red:
            return None
    left = _black_height(node.left)
    if left is None or left != _black_height(node.right):
        return None
    return left + (not node.red)
