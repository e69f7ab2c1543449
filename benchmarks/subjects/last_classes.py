"""Three classes on which inference was not run before their laws were written."""

# ruff: noqa: D102 - a reader sees from the code what each method does
from __future__ import annotations


class Carousel:
    """Items in a circle, of which one is at the front."""

    def __init__(self) -> None:
        self._items: list[int] = []

    def put(self, item: int) -> None:
        """Put an item to the front."""
        self._items.insert(0, item)

    def take(self) -> int:
        """Take the item at the front."""
        if not self._items:
            raise IndexError("empty")
        return self._items.pop(0)

    def turn(self) -> None:
        """The item at the front goes to the end."""
        if self._items:
            self._items.append(self._items.pop(0))

    def turn_back(self) -> None:
        """The item at the end comes to the front."""
        if self._items:
            self._items.insert(0, self._items.pop())

    def front(self) -> int:
        if not self._items:
            raise IndexError("empty")
        return self._items[0]

    def items(self) -> list[int]:
        return list(self._items)

    def is_empty(self) -> bool:
        return not self._items

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, item: int) -> bool:
        return item in self._items


class Phonebook:
    """A number for each name."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def add(self, name: str, number: int) -> None:
        if name in self._numbers:
            raise ValueError("known already")
        self._numbers[name] = number

    def change(self, name: str, number: int) -> int:
        """Answers the number before."""
        if name not in self._numbers:
            raise KeyError(name)
        before = self._numbers[name]
        self._numbers[name] = number
        return before

    def remove(self, name: str) -> int:
        if name not in self._numbers:
            raise KeyError(name)
        return self._numbers.pop(name)

    def number(self, name: str) -> int:
        return self._numbers[name]

    def has(self, name: str) -> bool:
        return name in self._numbers

    def names(self) -> list[str]:
        return sorted(self._numbers)

    def size(self) -> int:
        return len(self._numbers)


class Climate:
    """The lowest and the highest of what was measured."""

    def __init__(self) -> None:
        self._count = 0
        self._lowest = 0
        self._highest = 0
        self._latest = 0

    def record(self, degrees: int) -> bool:
        """Is it a new lowest or highest?"""
        is_new = self._count == 0 or degrees < self._lowest or degrees > self._highest
        self._lowest = degrees if self._count == 0 else min(self._lowest, degrees)
        self._highest = degrees if self._count == 0 else max(self._highest, degrees)
        self._latest = degrees
        self._count += 1
        return is_new

    def clear(self) -> None:
        self._count = self._lowest = self._highest = self._latest = 0

    def count(self) -> int:
        return self._count

    def has_any(self) -> bool:
        return self._count > 0

    def lowest(self) -> int:
        if self._count == 0:
            raise LookupError("nothing was measured")
        return self._lowest

    def highest(self) -> int:
        if self._count == 0:
            raise LookupError("nothing was measured")
        return self._highest

    def latest(self) -> int:
        if self._count == 0:
            raise LookupError("nothing was measured")
        return self._latest

    def spread(self) -> int:
        return self._highest - self._lowest
