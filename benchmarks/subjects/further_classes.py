"""Four classes on which inference was not run before their laws were written."""

# ruff: noqa: D102 - a reader sees from the code what each method does
from __future__ import annotations


class Tank:
    """Litres in a tank; what it cannot hold or give is left out."""

    def __init__(self, capacity: int = 5) -> None:
        if capacity < 1:
            raise ValueError("capacity")
        self._capacity = capacity
        self._level = 0

    def fill(self, litres: int) -> int:
        """Fill in ``litres``; answers how many did not fit."""
        if litres < 0:
            raise ValueError("litres")
        fitting = min(litres, self._capacity - self._level)
        self._level += fitting
        return litres - fitting

    def drain(self, litres: int) -> int:
        """Take out at most ``litres``; answers how many came."""
        if litres < 0:
            raise ValueError("litres")
        coming = min(litres, self._level)
        self._level -= coming
        return coming

    def empty(self) -> int:
        """Take out all; answers how many litres that were."""
        coming, self._level = self._level, 0
        return coming

    def level(self) -> int:
        return self._level

    def capacity(self) -> int:
        return self._capacity

    def room(self) -> int:
        return self._capacity - self._level

    def is_empty(self) -> bool:
        return self._level == 0

    def is_full(self) -> bool:
        return self._level == self._capacity


class TicketQueue:
    """People take numbers and are called by them, in order."""

    def __init__(self, first: int = 1) -> None:
        self._next = first
        self._called = first - 1

    def take(self) -> int:
        """Answers the number that was taken."""
        number = self._next
        self._next += 1
        return number

    def call(self) -> int:
        """Answers the number whose turn it is now."""
        if self._called + 1 == self._next:
            raise LookupError("nobody waits")
        self._called += 1
        return self._called

    def skip_all(self) -> int:
        """Send all who wait home; answers how many they were."""
        count = self.waiting()
        self._called = self._next - 1
        return count

    def waiting(self) -> int:
        return self._next - self._called - 1

    def called(self) -> int:
        return self._called

    def last_taken(self) -> int:
        return self._next - 1

    def is_idle(self) -> bool:
        return self.waiting() == 0


class TodoList:
    """Titles of things to do, in order, and which of them are done."""

    def __init__(self) -> None:
        self._done: dict[str, bool] = {}

    def add(self, title: str) -> None:
        if title in self._done:
            raise ValueError("known already")
        self._done[title] = False

    def finish(self, title: str) -> bool:
        """Mark as done; False when it was."""
        if title not in self._done:
            raise KeyError(title)
        if self._done[title]:
            return False
        self._done[title] = True
        return True

    def reopen(self, title: str) -> None:
        if title not in self._done:
            raise KeyError(title)
        self._done[title] = False

    def remove(self, title: str) -> None:
        del self._done[title]

    def is_done(self, title: str) -> bool:
        return self._done.get(title, False)

    def knows(self, title: str) -> bool:
        return title in self._done

    def titles(self) -> list[str]:
        return list(self._done)

    def remaining(self) -> int:
        return sum(not done for done in self._done.values())

    def __len__(self) -> int:
        return len(self._done)


class Release:
    """A version of two numbers."""

    def __init__(self, major: int = 0, minor: int = 0) -> None:
        if major < 0 or minor < 0:
            raise ValueError("negative")
        self._major = major
        self._minor = minor

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Release):
            return NotImplemented
        return (self._major, self._minor) == (other._major, other._minor)

    def __hash__(self) -> int:
        return hash((self._major, self._minor))

    def major(self) -> int:
        return self._major

    def minor(self) -> int:
        return self._minor

    def next_major(self) -> Release:
        return Release(self._major + 1)

    def next_minor(self) -> Release:
        return Release(self._major, self._minor + 1)

    def is_before(self, other: Release) -> bool:
        return (self._major, self._minor) < (other._major, other._minor)

    def suits(self, needed: Release) -> bool:
        """May it be used where ``needed`` is asked for?"""
        return self._major == needed._major and self._minor >= needed._minor

    def later(self, other: Release) -> Release:
        return other if self.is_before(other) else self
