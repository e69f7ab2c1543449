"""Twelve classes whose laws were written before inference was run on any of them."""

# ruff: noqa: D102 - a reader sees from the code what each method does
from __future__ import annotations

import heapq
from collections import Counter, deque
from dataclasses import dataclass
from math import gcd


class BoundedQueue:
    """First in, first out, and never more than ``capacity`` items."""

    def __init__(self, capacity: int = 3) -> None:
        if capacity <= 0:
            raise ValueError("capacity must be positive")
        self._capacity = capacity
        self._items: deque[int] = deque()

    @property
    def capacity(self) -> int:
        return self._capacity

    @property
    def is_full(self) -> bool:
        return len(self._items) == self._capacity

    def __len__(self) -> int:
        return len(self._items)

    def offer(self, item: int) -> bool:
        if self.is_full:
            return False
        self._items.append(item)
        return True

    def poll(self) -> int:
        if not self._items:
            raise LookupError("nothing is waiting")
        return self._items.popleft()

    def peek(self) -> int | None:
        return self._items[0] if self._items else None

    def clear(self) -> None:
        self._items.clear()


@dataclass(frozen=True)
class Interval:
    """The integers from ``low`` up to and without ``high``."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if self.high < self.low:
            raise ValueError("high is below low")

    @property
    def length(self) -> int:
        return self.high - self.low

    @property
    def is_empty(self) -> bool:
        return self.low == self.high

    def __contains__(self, point: int) -> bool:
        return self.low <= point < self.high

    def shift(self, by: int) -> Interval:
        return Interval(self.low + by, self.high + by)

    def hull(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def overlaps(self, other: Interval) -> bool:
        return max(self.low, other.low) < min(self.high, other.high)


class Ratio:
    """A rational number in lowest terms."""

    def __init__(self, numerator: int, denominator: int = 1) -> None:
        if denominator == 0:
            raise ZeroDivisionError("denominator is zero")
        common = gcd(numerator, denominator)
        sign = -1 if denominator < 0 else 1
        self.numerator = sign * numerator // common
        self.denominator = sign * denominator // common

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ratio):
            return NotImplemented
        return (self.numerator, self.denominator) == (other.numerator, other.denominator)

    def __hash__(self) -> int:
        return hash((self.numerator, self.denominator))

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(
            self.numerator * other.denominator + other.numerator * self.denominator,
            self.denominator * other.denominator,
        )

    def __neg__(self) -> Ratio:
        return Ratio(-self.numerator, self.denominator)

    def times(self, other: Ratio) -> Ratio:
        return Ratio(self.numerator * other.numerator, self.denominator * other.denominator)

    def reciprocal(self) -> Ratio:
        return Ratio(self.denominator, self.numerator)

    def is_integer(self) -> bool:
        return self.denominator == 1

    def is_zero(self) -> bool:
        return self.numerator == 0


class Graph:
    """An undirected graph without loops."""

    def __init__(self) -> None:
        self._neighbours: dict[str, set[str]] = {}

    def add_node(self, node: str) -> None:
        self._neighbours.setdefault(node, set())

    def connect(self, one: str, other: str) -> None:
        if one == other:
            raise ValueError("no loops")
        self.add_node(one)
        self.add_node(other)
        self._neighbours[one].add(other)
        self._neighbours[other].add(one)

    def disconnect(self, one: str, other: str) -> None:
        if not self.has_edge(one, other):
            raise KeyError((one, other))
        self._neighbours[one].remove(other)
        self._neighbours[other].remove(one)

    def has_edge(self, one: str, other: str) -> bool:
        return other in self._neighbours.get(one, set())

    def degree(self, node: str) -> int:
        return len(self._neighbours.get(node, ()))

    def nodes(self) -> list[str]:
        return sorted(self._neighbours)

    def edge_count(self) -> int:
        return sum(map(len, self._neighbours.values())) // 2

    def __contains__(self, node: str) -> bool:
        return node in self._neighbours


class Multiset:
    """A set in which an item may be several times."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Multiset) and self._counts == other._counts

    __hash__ = None

    def add(self, item: int) -> int:
        self._counts[item] += 1
        return self._counts[item]

    def discard(self, item: int) -> bool:
        if item not in self:
            return False
        self._counts[item] -= 1
        if not self._counts[item]:
            del self._counts[item]
        return True

    def count(self, item: int) -> int:
        return self._counts[item]

    def distinct(self) -> list[int]:
        return sorted(self._counts)

    def __len__(self) -> int:
        return self._counts.total()

    def __contains__(self, item: int) -> bool:
        return item in self._counts

    def clear(self) -> None:
        self._counts.clear()


class PriorityQueue:
    """The smallest item comes first."""

    def __init__(self) -> None:
        self._heap: list[int] = []

    def push(self, item: int) -> None:
        heapq.heappush(self._heap, item)

    def pop(self) -> int:
        if not self._heap:
            raise IndexError("empty")
        return heapq.heappop(self._heap)

    def smallest(self) -> int:
        if not self._heap:
            raise IndexError("empty")
        return self._heap[0]

    def __len__(self) -> int:
        return len(self._heap)

    def is_empty(self) -> bool:
        return not self._heap

    def items(self) -> list[int]:
        return sorted(self._heap)


class UndoHistory:
    """A value that can be set, and set back."""

    def __init__(self, value: str = "") -> None:
        self._done = [value]
        self._undone: list[str] = []

    @property
    def current(self) -> str:
        return self._done[-1]

    @property
    def can_undo(self) -> bool:
        return len(self._done) > 1

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    def record(self, value: str) -> None:
        self._done.append(value)
        self._undone.clear()

    def undo(self) -> bool:
        if not self.can_undo:
            return False
        self._undone.append(self._done.pop())
        return True

    def redo(self) -> bool:
        if not self.can_redo:
            return False
        self._done.append(self._undone.pop())
        return True

    def depth(self) -> int:
        return len(self._done) - 1


class Countdown:
    """Counts down to zero while it runs."""

    def __init__(self, start: int) -> None:
        if start < 0:
            raise ValueError(start)
        self.start = start
        self.left = start
        self.running = False

    def go(self) -> None:
        if self.running:
            raise RuntimeError("runs already")
        self.running = True

    def pause(self) -> None:
        self.running = False

    def tick(self) -> int:
        if self.running and self.left > 0:
            self.left -= 1
            if self.left == 0:
                self.running = False
        return self.left

    def is_over(self) -> bool:
        return self.left == 0

    def reset(self) -> None:
        self.left = self.start
        self.running = False


class Bank:
    """Accounts by name."""

    def __init__(self) -> None:
        self._balances: dict[str, int] = {}

    def open(self, name: str) -> None:
        if name in self._balances:
            raise ValueError(name)
        self._balances[name] = 0

    def close(self, name: str) -> int:
        return self._balances.pop(name)

    def balance(self, name: str) -> int:
        return self._balances[name]

    def deposit(self, name: str, amount: int) -> int:
        if amount <= 0:
            raise ValueError(amount)
        self._balances[name] += amount
        return self._balances[name]

    def transfer_all(self, source: str, target: str) -> None:
        if target not in self._balances:
            raise KeyError(target)
        amount = self._balances[source]
        self._balances[source] = 0
        self._balances[target] += amount

    def has(self, name: str) -> bool:
        return name in self._balances

    def names(self) -> list[str]:
        return sorted(self._balances)

    def total(self) -> int:
        return sum(self._balances.values())


@dataclass(frozen=True)
class Vector:
    """A vector of the plane."""

    x: int
    y: int

    @classmethod
    def origin(cls) -> Vector:
        return cls(0, 0)

    @classmethod
    def diagonal(cls, size: int) -> Vector:
        return cls(size, size)

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.x - other.x, self.y - other.y)

    def __neg__(self) -> Vector:
        return Vector(-self.x, -self.y)

    def scale(self, by: int) -> Vector:
        return Vector(self.x * by, self.y * by)

    def dot(self, other: Vector) -> int:
        return self.x * other.x + self.y * other.y

    def turned(self) -> Vector:
        return Vector(-self.y, self.x)

    def norm(self) -> int:
        return abs(self.x) + abs(self.y)


class Elevator:
    """Moves one floor at a time, with closed doors."""

    def __init__(self, *, top: int, floor: int = 0) -> None:
        if not 0 <= floor <= top:
            raise ValueError("no such floor")
        self.top = top
        self._floor = floor
        self._is_open = False

    @property
    def floor(self) -> int:
        return self._floor

    @property
    def is_open(self) -> bool:
        return self._is_open

    def open(self) -> None:
        self._is_open = True

    def close(self) -> None:
        self._is_open = False

    def up(self) -> None:
        if self._is_open:
            raise RuntimeError("doors are open")
        self._floor = min(self._floor + 1, self.top)

    def down(self) -> None:
        if self._is_open:
            raise RuntimeError("doors are open")
        self._floor = max(self._floor - 1, 0)

    def at_top(self) -> bool:
        return self._floor == self.top

    def at_bottom(self) -> bool:
        return self._floor == 0


class Draft:
    """A text that grows at its end."""

    def __init__(self, text: str = "") -> None:
        self._text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Draft) and other._text == self._text

    __hash__ = None

    @property
    def text(self) -> str:
        return self._text

    def __len__(self) -> int:
        return len(self._text)

    def write(self, more: str) -> Draft:
        self._text += more
        return self

    def erase(self) -> str:
        if not self._text:
            raise ValueError("nothing to erase")
        last, self._text = self._text[-1], self._text[:-1]
        return last

    def clear(self) -> None:
        self._text = ""

    def is_blank(self) -> bool:
        return not self._text

    def starts_with(self, prefix: str, *, fold: bool = False) -> bool:
        if fold:
            return self._text.casefold().startswith(prefix.casefold())
        return self._text.startswith(prefix)
