"""FibonacciHeap: a priority queue of integers with lazy consolidation, after CLRS, chapter 20."""

from __future__ import annotations


class Node:
    """A key in circular lists of siblings; ``mark``: it has lost a child since it became one."""

    def __init__(self, key: int) -> None:
        self.key = key
        self.degree = 0
        self.mark = False
        self.parent: Node | None = None
        self.child: Node | None = None
        self.left: Node = self
        self.right: Node = self

    def insert_right(self, other: Node) -> None:
        """Put ``other`` alone to the right of this node."""
        other.left = self
        other.right = self.right
        self.right.left = other
        self.right = other

    def unlink(self) -> None:
        """Leave the list of siblings."""
        self.left.right = self.right
        self.right.left = self.left
        self.left = self.right = self

    def siblings(self) -> list[Node]:
        """This node and those beside it, to the right."""
        found = [self]
        node = self.right
        while node is not self:
            found.append(node)
            node = node.right
        return found


class FibonacciHeap:
    """A circular list of heap-ordered trees; ``minimum`` is the root with the least key."""

    def __init__(self) -> None:
        self.minimum: Node | None = None
        self.size = 0

    def is_empty(self) -> bool:
        """Does the heap hold nothing?"""
        return self.minimum is None

    def insert(self, value: int) -> None:
        """Add ``value``."""
        self._add_root(Node(value))
        self.size += 1

    def find_minimum(self) -> int:
        """The least key.  Raises IndexError on an empty heap."""
        return self._least().key

    def extract_min(self) -> int:
        """Remove and return the least key.  Raises IndexError on an empty heap."""
        least = self._least()
        for child in least.child.siblings() if least.child is not None else []:
            child.unlink()
            child.parent = None
            least.insert_right(child)
        rest = least.right
        least.unlink()
        self.minimum = None if rest is least else rest
        self.size -= 1
        self._consolidate()
        return least.key

    def decrease_key(self, old: int, new: int) -> None:
        """Let one key ``old`` become ``new``.

        Raises ValueError when ``new`` is greater, KeyError when ``old`` is not there.
        """
        if new > old:
            message = f"{new} is greater than {old}"
            raise ValueError(message)
        node = _find(self.minimum, old)
        if node is None:
            raise KeyError(old)
        self._decrease(node, new)

    def delete(self, value: int) -> None:
        """Remove one key equal to ``value``; a key that is not there changes nothing."""
        node = _find(self.minimum, value)
        if node is not None:
            self._decrease(node, self.find_minimum() - 1)
            self.extract_min()

    def _least(self) -> Node:
        if self.minimum is None:
            message = "the heap is empty"
            raise IndexError(message)
        return self.minimum

    def _add_root(self, node: Node) -> None:
        if self.minimum is None:
            self.minimum = node
            return
        self.minimum.insert_right(node)
        if node.key < self.minimum.key:
            self.minimum = node

    def _consolidate(self) -> None:
        """Link roots until all degrees differ, then find the minimum."""
        if self.minimum is None:
            return
        by_degree: dict[int, Node] = {}
        for root in self.minimum.siblings():
            root.unlink()
            tree = root
            while tree.degree in by_degree:
                other = by_degree.pop(tree.degree)
                if other.key < tree.key:
                    tree, other = other, tree
                _link(other, tree)
            by_degree[tree.degree] = tree
        self.minimum = None
        for degree in sorted(by_degree):
            self._add_root(by_degree[degree])

    def _decrease(self, node: Node, key: int) -> None:
        node.key = key
        parent = node.parent
        if parent is not None and key < parent.key:
            self._cut(node, parent)
            self._cascade(parent)
        if key < self._least().key:
            self.minimum = node

    def _cut(self, node: Node, parent: Node) -> None:
        if parent.child is node:
            parent.child = None if node.right is node else node.right
        node.unlink()
        parent.degree -= 1
        node.parent = None
        node.mark = False
        self._least().insert_right(node)

    def _cascade(self, node: Node) -> None:
        """Cut marked ancestors of a node that lost a child."""
        while node.parent is not None:
            parent = node.parent
            if not node.mark:
                node.mark = True
                return
            self._cut(node, parent)
            node = parent


def _link(child: Node, parent: Node) -> None:
    """Make the lone root ``child`` a child of ``parent``."""
    child.parent = parent
    child.mark = False
    if parent.child is None:
        parent.child = child
    else:
        parent.child.insert_right(child)
    parent.degree += 1


def _find(node: Node | None, key: int) -> Node | None:
    """The first node with ``key``, siblings and what is below them."""
    for sibling in node.siblings() if node is not None else []:
        if sibling.key == key:
            return sibling
        found = _find(sibling.child, key)
        if found is not None:
            return found
    return None
