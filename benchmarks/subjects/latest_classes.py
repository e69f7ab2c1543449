"""Three classes on which inference was not run before their laws were written."""

# ruff: noqa: D102 - a reader sees from the code what each method does
from __future__ import annotations


class Basket:
    """Pieces of articles, each counted."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, article: str) -> None:
        self._counts[article] = self._counts.get(article, 0) + 1

    def drop(self, article: str) -> None:
        if article not in self._counts:
            raise KeyError(article)
        self._counts[article] -= 1
        if not self._counts[article]:
            del self._counts[article]

    def pieces(self, article: str) -> int:
        return self._counts.get(article, 0)

    def total(self) -> int:
        return sum(self._counts.values())

    def is_empty(self) -> bool:
        return not self._counts

    def clear(self) -> None:
        self._counts = {}


class Cursor:
    """A place on a line of limited length."""

    def __init__(self, length: int = 4) -> None:
        if length < 0:
            raise ValueError("length")
        self.length = length
        self.place = 0

    def right(self) -> bool:
        if self.place == self.length:
            return False
        self.place += 1
        return True

    def left(self) -> bool:
        if self.place == 0:
            return False
        self.place -= 1
        return True

    def home(self) -> None:
        self.place = 0

    def end(self) -> None:
        self.place = self.length

    def at_end(self) -> bool:
        return self.place == self.length


class Lock:
    """A lock that its owner may take more than once."""

    def __init__(self) -> None:
        self._owner: int | None = None
        self._times = 0

    def take(self, who: int) -> bool:
        if self._owner is not None and self._owner != who:
            return False
        self._owner = who
        self._times += 1
        return True

    def free(self, who: int) -> None:
        if self._owner != who:
            raise PermissionError(who)
        self._times -= 1
        if not self._times:
            self._owner = None

    def owner(self) -> int | None:
        return self._owner

    def depth(self) -> int:
        return self._times

    def is_held(self) -> bool:
        return self._owner is not None
