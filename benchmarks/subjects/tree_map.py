"""TreeMap: a map in a red-black tree, after ``java.util.TreeMap`` (JDK 1.4).

Removing an entry with two children copies its successor's key and value into it; every entry
has a link to its parent.
"""

from __future__ import annotations

from typing import Final

RED: Final = False
BLACK: Final = True


class Entry:
    """A key, its value, and its place in the tree."""

    def __init__(self, key: int, value: object, parent: Entry | None) -> None:
        self.key = key
        self.value = value
        self.left: Entry | None = None
        self.right: Entry | None = None
        self.parent = parent
        self.color = BLACK


class TreeMap:
    """A map from integers to objects, in ascending order of keys."""

    def __init__(self) -> None:
        self.root: Entry | None = None
        self.size = 0

    def get(self, key: int) -> object:
        """The value of ``key``; None when it is not there."""
        entry = self._entry(key)
        return None if entry is None else entry.value

    def put(self, key: int, value: object = None) -> object:
        """Let ``key`` have ``value``; returns the value that it had, or None."""
        parent: Entry | None = None
        entry = self.root
        while entry is not None:
            if key == entry.key:
                old, entry.value = entry.value, value
                return old
            parent = entry
            entry = entry.left if key < entry.key else entry.right
        self._attach(Entry(key, value, parent))
        return None

    def remove(self, key: int) -> object:
        """Remove ``key``; returns the value that it had, or None."""
        entry = self._entry(key)
        if entry is None:
            return None
        value = entry.value
        self._delete(entry)
        return value

    def contains_key(self, key: int) -> bool:
        """Is there an entry for ``key``?"""
        return self._entry(key) is not None

    def keys(self) -> list[int]:
        """All keys in ascending order."""
        found: list[int] = []
        entry = _least(self.root)
        while entry is not None:
            found.append(entry.key)
            entry = _successor(entry)
        return found

    def _entry(self, key: int) -> Entry | None:
        entry = self.root
        while entry is not None and entry.key != key:
            entry = entry.left if key < entry.key else entry.right
        return entry

    def _attach(self, entry: Entry) -> None:
        self.size += 1
        if entry.parent is None:
            self.root = entry
            return
        if entry.key < entry.parent.key:
            entry.parent.left = entry
        else:
            entry.parent.right = entry
        self._fix_after_insertion(entry)

    def _fix_after_insertion(self, entry: Entry) -> None:
        x: Entry | None = entry
        entry.color = RED
        while x is not None and x is not self.root and _color(x.parent) == RED:
            grandparent = _parent(_parent(x))
            if _parent(x) is _left(grandparent):
                uncle = _right(grandparent)
                if _color(uncle) == RED:
                    x = self._recolor(x, uncle)
                    continue
                if x is _right(_parent(x)):
                    x = _parent(x)
                    self._rotate_left(x)
                self._blacken_parent(x)
                self._rotate_right(_parent(_parent(x)))
            else:
                uncle = _left(grandparent)
                if _color(uncle) == RED:
                    x = self._recolor(x, uncle)
                    continue
                if x is _left(_parent(x)):
                    x = _parent(x)
                    self._rotate_right(x)
                self._blacken_parent(x)
                self._rotate_left(_parent(_parent(x)))
        if self.root is not None:
            self.root.color = BLACK

    @staticmethod
    def _recolor(x: Entry, uncle: Entry | None) -> Entry | None:
        _set_color(x.parent, BLACK)
        _set_color(uncle, BLACK)
        grandparent = _parent(x.parent)
        _set_color(grandparent, RED)
        return grandparent

    @staticmethod
    def _blacken_parent(x: Entry | None) -> None:
        _set_color(_parent(x), BLACK)
        _set_color(_parent(_parent(x)), RED)

    def _delete(self, entry: Entry) -> None:
        self.size -= 1
        if entry.left is not None and entry.right is not None:
            successor = _successor(entry)
            assert successor is not None
            entry.key, entry.value = successor.key, successor.value
            entry = successor
        replacement = entry.left if entry.left is not None else entry.right
        if replacement is not None:
            self._put_in_place_of(entry, replacement)
            entry.left = entry.right = entry.parent = None
            if entry.color == BLACK:
                self._fix_after_deletion(replacement)
        elif entry.parent is None:
            self.root = None
        else:
            if entry.color == BLACK:
                self._fix_after_deletion(entry)
            self._unlink(entry)

    def _put_in_place_of(self, entry: Entry, replacement: Entry) -> None:
        replacement.parent = entry.parent
        if entry.parent is None:
            self.root = replacement
        elif entry is entry.parent.left:
            entry.parent.left = replacement
        else:
            entry.parent.right = replacement

    @staticmethod
    def _unlink(entry: Entry) -> None:
        if entry.parent is None:
            return
        if entry is entry.parent.left:
            entry.parent.left = None
        elif entry is entry.parent.right:
            entry.parent.right = None
        entry.parent = None

    def _fix_after_deletion(self, entry: Entry) -> None:
        x: Entry | None = entry
        while x is not self.root and _color(x) == BLACK:
            x = self._fix_left(x) if x is _left(_parent(x)) else self._fix_right(x)
        _set_color(x, BLACK)

    def _fix_left(self, x: Entry | None) -> Entry | None:
        """Repair a missing black above the left child ``x``; where to go on."""
        sibling = _right(_parent(x))
        if _color(sibling) == RED:
            _set_color(sibling, BLACK)
            _set_color(_parent(x), RED)
            self._rotate_left(_parent(x))
            sibling = _right(_parent(x))
        if _color(_left(sibling)) == BLACK and _color(_right(sibling)) == BLACK:
            _set_color(sibling, RED)
            return _parent(x)
        if _color(_right(sibling)) == BLACK:
            _set_color(_left(sibling), BLACK)
            _set_color(sibling, RED)
            self._rotate_right(sibling)
            sibling = _right(_parent(x))
        _set_color(sibling, _color(_parent(x)))
        _set_color(_parent(x), BLACK)
        _set_color(_right(sibling), BLACK)
        self._rotate_left(_parent(x))
        return self.root

    def _fix_right(self, x: Entry | None) -> Entry | None:
        """Repair a missing black above the right child ``x``; where to go on."""
        sibling = _left(_parent(x))
        if _color(sibling) == RED:
            _set_color(sibling, BLACK)
            _set_color(_parent(x), RED)
            self._rotate_right(_parent(x))
            sibling = _left(_parent(x))
        if _color(_right(sibling)) == BLACK and _color(_left(sibling)) == BLACK:
            _set_color(sibling, RED)
            return _parent(x)
        if _color(_left(sibling)) == BLACK:
            _set_color(_right(sibling), BLACK)
            _set_color(sibling, RED)
            self._rotate_left(sibling)
            sibling = _left(_parent(x))
        _set_color(sibling, _color(_parent(x)))
        _set_color(_parent(x), BLACK)
        _set_color(_left(sibling), BLACK)
        self._rotate_right(_parent(x))
        return self.root

    def _rotate_left(self, entry: Entry | None) -> None:
        if entry is None or entry.right is None:
            return
        pivot = entry.right
        entry.right = pivot.left
        if pivot.left is not None:
            pivot.left.parent = entry
        self._put_in_place_of(entry, pivot)
        pivot.left = entry
        entry.parent = pivot

    def _rotate_right(self, entry: Entry | None) -> None:
        if entry is None or entry.left is None:
            return
        pivot = entry.left
        entry.left = pivot.right
        if pivot.right is not None:
            pivot.right.parent = entry
        self._put_in_place_of(entry, pivot)
        pivot.right = entry
        entry.parent = pivot


def _color(entry: Entry | None) -> bool:
    return BLACK if entry is None else entry.color


def _set_color(entry: Entry | None, color: bool) -> None:  # noqa: FBT001
    if entry is not None:
        entry.color = color


def _parent(entry: Entry | None) -> Entry | None:
    return None if entry is None else entry.parent


def _left(entry: Entry | None) -> Entry | None:
    return None if entry is None else entry.left


def _right(entry: Entry | None) -> Entry | None:
    return None if entry is None else entry.right


def _least(entry: Entry | None) -> Entry | None:
    while entry is not None and entry.left is not None:
        entry = entry.left
    return entry


def _successor(entry: Entry) -> Entry | None:
    """The entry with the next greater key."""
    if entry.right is not None:
        return _least(entry.right)
    child, parent = entry, entry.parent
    while parent is not None and child is parent.right:
        child, parent = parent, parent.parent
    return parent
