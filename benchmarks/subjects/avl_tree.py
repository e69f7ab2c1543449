"""AvlTree: a search tree whose subtrees differ in height by one at most, and its invariant."""

from __future__ import annotations


class Node:
    """A node that knows the height of its tree."""

    def __init__(self, key: int) -> None:
        self.left: Node | None = None
        self.right: Node | None = None
        self.key = key
        self.height = 1


class AvlTree:
    """Integers in ascending order, none twice."""

    def __init__(self) -> None:
        self.root: Node | None = None

    def insert(self, key: int) -> None:
        """Add ``key``, unless it is there."""
        self.root = _with(self.root, key)

    def remove(self, key: int) -> None:
        """Take out ``key``, if it is there."""
        self.root = _without(self.root, key)

    def contains(self, key: int) -> bool:
        """Is ``key`` there?"""
        node = self.root
        while node is not None and key != node.key:
            node = node.left if key < node.key else node.right
        return node is not None

    def rep_ok(self) -> bool:
        """Is this a tree, ordered and balanced, whose heights are right?"""
        if self.root is None:
            return True
        met = {self.root}
        return _is_tree(self.root, met) and _is_valid(self.root, None, None)


def _is_tree(node: Node, met: set[Node]) -> bool:
    left = node.left
    if left is not None:
        if left in met:
            return False
        met.add(left)
        if not _is_tree(left, met):
            return False
    right = node.right
    if right is not None:
        if right in met:
            return False
        met.add(right)
        return _is_tree(right, met)
    return True


def _is_valid(node: Node, low: int | None, high: int | None) -> bool:
    left, right = node.left, node.right
    if left is not None and not _is_valid(left, low, node.key):
        return False
    if right is not None and not _is_valid(right, node.key, high):
        return False
    below = _height(left) - _height(right)
    if below < -1 or below > 1 or node.height != 1 + max(_height(left), _height(right)):
        return False
    return (low is None or node.key > low) and (high is None or node.key < high)


def _height(node: Node | None) -> int:
    return 0 if node is None else node.height


def _with(node: Node | None, key: int) -> Node:
    if node is None:
        return Node(key)
    if key < node.key:
        node.left = _with(node.left, key)
    elif key > node.key:
        node.right = _with(node.right, key)
    return _balanced(node)


def _without(node: Node | None, key: int) -> Node | None:
    if node is None:
        return None
    if key < node.key:
        node.left = _without(node.left, key)
    elif key > node.key:
        node.right = _without(node.right, key)
    elif node.left is None or node.right is None:
        return node.right if node.left is None else node.left
    else:
        following = node.right
        while following.left is not None:
            following = following.left
        node.key = following.key
        node.right = _without(node.right, following.key)
    return _balanced(node)


def _balanced(node: Node) -> Node:
    """The tree of ``node``, rotated where one side is two higher."""
    difference = _height(node.left) - _height(node.right)
    if difference > 1:
        assert node.left is not None
        if _height(node.left.left) < _height(node.left.right):
            node.left = _rotated_left(node.left)
        node = _rotated_right(node)
    elif difference < -1:
        assert node.right is not None
        if _height(node.right.right) < _height(node.right.left):
            node.right = _rotated_right(node.right)
        node = _rotated_left(node)
    else:
        _measure(node)
    return node


def _measure(node: Node) -> None:
    node.height = 1 + max(_height(node.left), _height(node.right))


def _rotated_left(node: Node) -> Node:
    top = node.right
    assert top is not None
    node.right, top.left = top.left, node
    _measure(node)
    _measure(top)
    return top


def _rotated_right(node: Node) -> Node:
    top = node.left
    assert top is not None
    node.left, top.right = top.right, node
    _measure(node)
    _measure(top)
    return top
