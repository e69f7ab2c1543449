"""LinkedList: a circular doubly linked list with a header sentinel, after ``java.util``."""

from __future__ import annotations


class Entry:
    """An element and its neighbours."""

    def __init__(self, element: object) -> None:
        self.element = element
        self.next: Entry = self
        self.previous: Entry = self


class LinkedList:
    """A list of objects; the entry after the last one is the header."""

    def __init__(self) -> None:
        self.header = Entry(None)
        self.size = 0

    def add(self, element: object) -> None:
        """Append ``element``."""
        entry = Entry(element)
        entry.next = self.header
        entry.previous = self.header.previous
        entry.previous.next = entry
        entry.next.previous = entry
        self.size += 1

    def remove(self, element: object) -> bool:
        """Remove the first element equal to ``element``; was there one?"""
        entry = self.header.next
        while entry is not self.header:
            if entry.element == element:
                self._unlink(entry)
                return True
            entry = entry.next
        return False

    def remove_last(self) -> object:
        """Remove and return the last element.  Raises IndexError on an empty list."""
        last = self.header.previous
        if last is self.header:
            message = "remove_last from an empty list"
            raise IndexError(message)
        self._unlink(last)
        return last.element

    def _unlink(self, entry: Entry) -> None:
        entry.previous.next = entry.next
        entry.next.previous = entry.previous
        self.size -= 1

    def contains(self, element: object) -> bool:
        """Is there an element equal to ``element``?"""
        entry = self.header.next
        while entry is not self.header:
            if entry.element == element:
                return True
            entry = entry.next
        return False
