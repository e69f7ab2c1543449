"""A binary search tree as source, and its scopes."""

from __future__ import annotations

#: A tree, its invariant in two parts as papers write it.
TREE = """\
class Node:
    def __init__(self, key):
        self.left = None
        self.right = None
        self.key = key


class Tree:
    def __init__(self):
        self.root = None
        self.size = 0

    def rep_ok(self):
        if self.root is None:
            return self.size == 0
        met, waiting = {self.root}, [self.root]
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
        return len(waiting) == self.size and ordered(self.root, None, None)


def ordered(node, low, high):
    if (low is not None and node.key <= low) or (high is not None and node.key >= high):
        return False
    if node.left is not None and not ordered(node.left, low, node.key):
        return False
    return node.right is None or ordered(node.right, node.key, high)
"""


def tree_classes(nodes, sizes, keys):
    """The scope of TREE with so many nodes; sizes and keys are domains."""
    link = ("ref", (1,), True)
    return (
        ("Tree", 1, (("root", link), ("size", sizes))),
        ("Node", nodes, (("left", link), ("right", link), ("key", keys))),
    )
