"""Eight everyday classes, on which inference was not run before their laws were written.

A clock that is passed, operators on numbers, nested dicts, a text with a cursor and a history,
counts of hits, links with a cursor, prices in Decimal, and a reader of tokens; two without types.
"""

# ruff: noqa: ANN001, ANN201, ANN204, D102, PLR2004 - a reader sees from the code what each method does
from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from decimal import Decimal
from typing import Any


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self, now: int = 0) -> None:
        self._now = now

    def now(self) -> int:
        return self._now

    def advance(self, seconds: int) -> None:
        if seconds < 0:
            raise ValueError("time goes forward")
        self._now += seconds


class RateLimiter:
    """At most so many calls in so many seconds."""

    def __init__(self, calls: int, seconds: int, clock: Clock | None = None) -> None:
        if calls < 1 or seconds < 1:
            raise ValueError("calls and seconds are positive")
        self.calls = calls
        self.seconds = seconds
        self._clock = clock or Clock()
        self._taken: list[int] = []

    def _recent(self) -> list[int]:
        start = self._clock.now() - self.seconds
        return [moment for moment in self._taken if moment > start]

    def remaining(self) -> int:
        return self.calls - len(self._recent())

    def allow(self) -> bool:
        self._taken = self._recent()
        if len(self._taken) >= self.calls:
            return False
        self._taken.append(self._clock.now())
        return True

    def wait_time(self) -> int:
        recent = self._recent()
        if len(recent) < self.calls:
            return 0
        return recent[0] + self.seconds - self._clock.now()

    def wait(self, seconds: int) -> None:
        self._clock.advance(seconds)

    def reset(self) -> None:
        self._taken.clear()


class Vector:
    """A vector of the plane."""

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __eq__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __repr__(self):
        return f"Vector({self.x!r}, {self.y!r})"

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    def __bool__(self):
        return self.x != 0 or self.y != 0

    def dot(self, other):
        return self.x * other.x + self.y * other.y

    def norm_squared(self):
        return self.dot(self)

    def turned(self):
        return Vector(-self.y, self.x)


class Trie:
    """A set of words by their letters."""

    def __init__(self) -> None:
        self._root: dict[str, Any] = {}
        self._size = 0

    def _node(self, prefix: str) -> dict[str, Any] | None:
        node = self._root
        for letter in prefix:
            if letter not in node:
                return None
            node = node[letter]
        return node

    def insert(self, word: str) -> bool:
        node = self._root
        for letter in word:
            node = node.setdefault(letter, {})
        if "end" in node:
            return False
        node["end"] = True
        self._size += 1
        return True

    def remove(self, word: str) -> None:
        path = [self._root]
        for letter in word:
            if letter not in path[-1]:
                raise KeyError(word)
            path.append(path[-1][letter])
        if "end" not in path[-1]:
            raise KeyError(word)
        del path[-1]["end"]
        self._size -= 1
        for letter, parent in zip(reversed(word), reversed(path[:-1]), strict=True):
            if parent[letter]:
                break
            del parent[letter]

    def __contains__(self, word: str) -> bool:
        node = self._node(word)
        return node is not None and "end" in node

    def __len__(self) -> int:
        return self._size

    def has_prefix(self, prefix: str) -> bool:
        node = self._node(prefix)
        return bool(node)

    def words(self, prefix: str = "") -> list[str]:
        node = self._node(prefix)
        return sorted(self._walk(node, prefix)) if node is not None else []

    def _walk(self, node: dict[str, Any], prefix: str) -> Iterator[str]:
        for letter, child in node.items():
            if letter == "end":
                yield prefix
            else:
                yield from self._walk(child, prefix + letter)


class Editor:
    """A line of text with a cursor, and a history of its changes."""

    def __init__(self, text: str = "") -> None:
        self._text = text
        self._cursor = len(text)
        self._history: list[tuple[str, int]] = []

    @property
    def text(self) -> str:
        return self._text

    @property
    def cursor(self) -> int:
        return self._cursor

    @property
    def can_undo(self) -> bool:
        return bool(self._history)

    def _remember(self) -> None:
        self._history.append((self._text, self._cursor))

    def type(self, piece: str) -> None:
        self._remember()
        self._text = self._text[: self._cursor] + piece + self._text[self._cursor :]
        self._cursor += len(piece)

    def backspace(self) -> str:
        if self._cursor == 0:
            return ""
        self._remember()
        gone = self._text[self._cursor - 1]
        self._text = self._text[: self._cursor - 1] + self._text[self._cursor :]
        self._cursor -= 1
        return gone

    def left(self) -> None:
        self._cursor = max(0, self._cursor - 1)

    def right(self) -> None:
        self._cursor = min(len(self._text), self._cursor + 1)

    def home(self) -> None:
        self._cursor = 0

    def end(self) -> None:
        self._cursor = len(self._text)

    def undo(self) -> None:
        if not self._history:
            raise IndexError("nothing to undo")
        self._text, self._cursor = self._history.pop()


class CountingCache:
    """The entries used last, and how often one was found."""

    def __init__(self, maxsize: int = 3) -> None:
        if maxsize <= 0:
            raise ValueError("maxsize must be positive")
        self._maxsize = maxsize
        self._data: OrderedDict[str, int] = OrderedDict()
        self.hits = 0
        self.misses = 0

    @property
    def maxsize(self) -> int:
        return self._maxsize

    def get(self, key: str) -> int | None:
        if key not in self._data:
            self.misses += 1
            return None
        self.hits += 1
        self._data.move_to_end(key)
        return self._data[key]

    def put(self, key: str, value: int) -> None:
        self._data[key] = value
        self._data.move_to_end(key)
        if len(self._data) > self._maxsize:
            self._data.popitem(last=False)

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def __len__(self) -> int:
        return len(self._data)

    def keys(self) -> list[str]:
        return list(self._data)

    def clear(self) -> None:
        self._data.clear()

    def reset_statistics(self) -> None:
        self.hits = self.misses = 0


class _Node:
    def __init__(self, value, after=None):
        self.value = value
        self.after = after


class Playlist:
    """Linked items with a cursor between them: before the first, or on one."""

    def __init__(self):
        self._first = None
        self._current = None

    def items(self):
        found = []
        node = self._first
        while node is not None:
            found.append(node.value)
            node = node.after
        return found

    def __len__(self):
        return len(self.items())

    def add_front(self, item):
        self._first = _Node(item, self._first)

    def current(self):
        if self._current is None:
            raise LookupError("nothing is played")
        return self._current.value

    def is_playing(self):
        return self._current is not None

    def play(self):
        if self._first is None:
            raise LookupError("no items")
        self._current = self._first
        return self._current.value

    def stop(self):
        self._current = None

    def skip(self):
        if self._current is None:
            return False
        self._current = self._current.after
        return self._current is not None

    def add_next(self, item):
        if self._current is None:
            raise LookupError("nothing is played")
        self._current.after = _Node(item, self._current.after)

    def drop_first(self):
        if self._first is None:
            raise LookupError("no items")
        gone = self._first
        if self._current is gone:
            self._current = None
        self._first = gone.after
        return gone.value


class Basket:
    """What a customer wants to buy."""

    def __init__(self, discount: int = 0) -> None:
        if not 0 <= discount <= 100:
            raise ValueError("discount is a percentage")
        self._discount = discount
        self._lines: dict[str, Decimal] = {}

    @property
    def discount(self) -> int:
        return self._discount

    def put(self, name: str, price: Decimal) -> None:
        if price < 0:
            raise ValueError("price must not be negative")
        if name in self._lines:
            raise KeyError(f"{name} is in the basket")
        self._lines[name] = price

    def drop(self, name: str) -> Decimal:
        return self._lines.pop(name)

    def price(self, name: str) -> Decimal:
        return self._lines[name]

    def __contains__(self, name: str) -> bool:
        return name in self._lines

    def __len__(self) -> int:
        return len(self._lines)

    def subtotal(self) -> Decimal:
        return sum(self._lines.values(), Decimal(0))

    def total(self) -> Decimal:
        return self.subtotal() * (100 - self._discount) / 100

    def set_discount(self, percent: int) -> None:
        if not 0 <= percent <= 100:
            raise ValueError("discount is a percentage")
        self._discount = percent

    def empty(self) -> None:
        self._lines.clear()


class Tokens:
    """The words of a text, one after the other."""

    def __init__(self, text: str) -> None:
        self._words = text.split()
        self._place = 0

    def peek(self) -> str | None:
        return self._words[self._place] if self._place < len(self._words) else None

    def next(self) -> str:
        if self._place >= len(self._words):
            raise EOFError("no more words")
        self._place += 1
        return self._words[self._place - 1]

    def accept(self, word: str) -> bool:
        if self.peek() != word:
            return False
        self._place += 1
        return True

    def expect(self, word: str) -> None:
        if not self.accept(word):
            raise SyntaxError(f"expected {word}")

    def at_end(self) -> bool:
        return self._place == len(self._words)

    def position(self) -> int:
        return self._place

    def left(self) -> int:
        return len(self._words) - self._place

    def rest(self) -> list[str]:
        return self._words[self._place :]

    def back(self) -> None:
        if self._place == 0:
            raise IndexError("at the start")
        self._place -= 1

    def rewind(self) -> None:
        self._place = 0
