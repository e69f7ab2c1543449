"""Cached functions and properties, and a lock."""

from functools import cached_property, lru_cache
from threading import Lock


@lru_cache(maxsize=None)
def ways(steps: int) -> int:
    """Ways to climb some steps, one or two at a time."""
    if steps < 0:
        raise ValueError("steps must not be negative")
    return 1 if steps < 2 else ways(steps - 1) + ways(steps - 2)


class Text:
    def __init__(self, content: str) -> None:
        self.content = content

    @cached_property
    def words(self) -> list[str]:
        return self.content.lower().split()

    @cached_property
    def longest(self) -> str:
        return max(self.words, key=len, default="")


class Counter:
    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: dict[str, int] = {}

    def count(self, name: str) -> int:
        with self._lock:
            self._counts[name] = self._counts.get(name, 0) + 1
            return self._counts[name]
