"""The receiver as its own argument, one object in two places."""


class Node:
    def __init__(self, name):
        self.name = name
        self.parent = None
        self.children = []

    def append(self, child):
        """Adopt a node, which leaves its former parent."""
        if child is self:
            raise ValueError("a node cannot be its own child")
        if child.parent is self:
            return
        if child.parent is not None:
            child.parent.children.remove(child)
        child.parent = self
        self.children.append(child)


class Matrix:
    def __init__(self, rows):
        self.rows = [list(row) for row in rows]

    def add_into(self, other, result):
        """The sum of two matrices in a third, which may be one of them."""
        if result is self or result is other:
            result.rows = [list(row) for row in result.rows]
        result.rows = [[a + b for a, b in zip(x, y)] for x, y in zip(self.rows, other.rows)]
        return result


def same_group(first: Node, second: Node) -> str:
    if first is second:
        return "itself"
    if first.parent is not None and first.parent is second.parent:
        return "siblings"
    return "strangers"
