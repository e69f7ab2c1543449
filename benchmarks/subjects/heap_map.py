"""HeapMap: a map from integers to objects that finds its least key at once.

Entries stand in a binary heap; an index tells where each key is.
"""

from __future__ import annotations


class HeapMap:
    """A map in a min-heap of (key, value) entries."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, object]] = []
        self._index: dict[int, int] = {}

    def put(self, key: int, value: object = None) -> object:
        """Let ``key`` have ``value``; returns the value that it had, or None."""
        if key in self._index:
            place = self._index[key]
            old = self._heap[place][1]
            self._heap[place] = (key, value)
            return old
        self._heap.append((key, value))
        self._index[key] = len(self._heap) - 1
        self._rise(len(self._heap) - 1)
        return None

    def get(self, key: int) -> object:
        """The value of ``key``; None when it is not there."""
        return self._heap[self._index[key]][1] if key in self._index else None

    def remove(self, key: int) -> object:
        """Remove ``key``; returns the value that it had, or None."""
        if key not in self._index:
            return None
        place = self._index.pop(key)
        value = self._heap[place][1]
        last = self._heap.pop()
        if place < len(self._heap):
            self._set(place, last)
            self._rise(place)
            self._sink(place)
        return value

    def first_key(self) -> int:
        """The least key.  Raises KeyError on an empty map."""
        if not self._heap:
            message = "the map is empty"
            raise KeyError(message)
        return self._heap[0][0]

    def contains_key(self, key: int) -> bool:
        """Is there an entry for ``key``?"""
        return key in self._index

    def size(self) -> int:
        """The number of entries."""
        return len(self._heap)

    def keys(self) -> list[int]:
        """All keys in ascending order."""
        return sorted(self._index)

    def _set(self, place: int, entry: tuple[int, object]) -> None:
        self._heap[place] = entry
        self._index[entry[0]] = place

    def _swap(self, first: int, second: int) -> None:
        one, other = self._heap[first], self._heap[second]
        self._set(first, other)
        self._set(second, one)

    def _rise(self, place: int) -> None:
        while place > 0 and self._heap[place][0] < self._heap[(place - 1) // 2][0]:
            self._swap(place, (place - 1) // 2)
            place = (place - 1) // 2

    def _sink(self, place: int) -> None:
        while True:
            least = place
            for child in (2 * place + 1, 2 * place + 2):
                if child < len(self._heap) and self._heap[child][0] < self._heap[least][0]:
                    least = child
            if least == place:
                return
            self._swap(place, least)
            place = least
