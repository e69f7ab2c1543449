"""SortedList: a singly linked list in ascending order, and its representation invariant."""

from __future__ import annotations


class Node:
    """A link with its value."""

    def __init__(self, value: int, following: Node | None = None) -> None:
        self.next = following
        self.value = value


class SortedList:
    """Integers in ascending order; equal ones stay."""

    def __init__(self) -> None:
        self.head: Node | None = None

    def insert(self, value: int) -> None:
        """Add ``value`` before the first that is not less."""
        if self.head is None or self.head.value >= value:
            self.head = Node(value, self.head)
            return
        node = self.head
        while node.next is not None and node.next.value < value:
            node = node.next
        node.next = Node(value, node.next)

    def contains(self, value: int) -> bool:
        """Is ``value`` there?"""
        node = self.head
        while node is not None and node.value < value:
            node = node.next
        return node is not None and node.value == value

    def remove(self, value: int) -> bool:
        """Take out one ``value``; was there one?"""
        before, node = None, self.head
        while node is not None and node.value < value:
            before, node = node, node.next
        if node is None or node.value != value:
            return False
        if before is None:
            self.head = node.next
        else:
            before.next = node.next
        return True

    def rep_ok(self) -> bool:
        """Does the list end, and is it in order?"""
        met = set()
        before, node = None, self.head
        while node is not None:
            if node in met:
                return False
            met.add(node)
            if before is not None and before.value > node.value:
                return False
            before, node = node, node.next
        return True
