"""Ten classes whose laws (``held_out_laws.txt``) were written before inference saw them."""

# ruff: noqa: D102 - a reader sees from the code what each method does
from __future__ import annotations

from collections import OrderedDict


class TwoStackQueue:
    """A queue of integers held by two stacks; equal queues may divide them differently."""

    def __init__(self) -> None:
        self._inbox: list[int] = []
        self._outbox: list[int] = []

    def enqueue(self, value: int) -> None:
        self._inbox.append(value)

    def dequeue(self) -> int:
        self._shift()
        if not self._outbox:
            raise IndexError("dequeue from an empty queue")
        return self._outbox.pop()

    def front(self) -> int:
        self._shift()
        if not self._outbox:
            raise IndexError("an empty queue has no front")
        return self._outbox[-1]

    def is_empty(self) -> bool:
        return not self._inbox and not self._outbox

    def __len__(self) -> int:
        return len(self._inbox) + len(self._outbox)

    def _shift(self) -> None:
        if not self._outbox:
            while self._inbox:
                self._outbox.append(self._inbox.pop())


class Matrix:
    """A matrix of two by two integers; operations make new ones."""

    def __init__(self, a: int = 1, b: int = 0, c: int = 0, d: int = 1) -> None:
        self._rows = (a, b, c, d)

    def transpose(self) -> Matrix:
        a, b, c, d = self._rows
        return Matrix(a, c, b, d)

    def negate(self) -> Matrix:
        return Matrix(*[-one for one in self._rows])

    def scale(self, factor: int) -> Matrix:
        return Matrix(*[factor * one for one in self._rows])

    def trace(self) -> int:
        return self._rows[0] + self._rows[3]

    def determinant(self) -> int:
        a, b, c, d = self._rows
        return a * d - b * c

    def is_symmetric(self) -> bool:
        return self._rows[1] == self._rows[2]

    def __add__(self, other: Matrix) -> Matrix:
        return Matrix(*[x + y for x, y in zip(self._rows, other._rows, strict=True)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Matrix) and self._rows == other._rows

    def __hash__(self) -> int:
        return hash(self._rows)


class RateLimiter:
    """Allows a number of requests in a window of ticks."""

    def __init__(self, limit: int = 3) -> None:
        if limit < 1:
            raise ValueError("limit must be positive")
        self.limit = limit
        self._used = 0

    def request(self) -> bool:
        if self._used >= self.limit:
            return False
        self._used += 1
        return True

    def remaining(self) -> int:
        return self.limit - self._used

    def used(self) -> int:
        return self._used

    def is_exhausted(self) -> bool:
        return self._used == self.limit

    def release(self) -> None:
        if self._used > 0:
            self._used -= 1

    def reset(self) -> None:
        self._used = 0


class LruCache:
    """Keeps the keys that were used last."""

    def __init__(self, capacity: int = 2) -> None:
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._data: OrderedDict[str, int] = OrderedDict()

    def put(self, key: str, value: int) -> None:
        if key in self._data:
            self._data.move_to_end(key)
        self._data[key] = value
        if len(self._data) > self.capacity:
            self._data.popitem(last=False)

    def get(self, key: str) -> int:
        if key not in self._data:
            return -1
        self._data.move_to_end(key)
        return self._data[key]

    def keys(self) -> list[str]:
        return list(self._data)

    def clear(self) -> None:
        self._data.clear()

    def __len__(self) -> int:
        return len(self._data)

    def __contains__(self, key: str) -> bool:
        return key in self._data


class TextBuffer:
    """A text with a cursor."""

    def __init__(self, text: str = "") -> None:
        self._text = text
        self._cursor = len(text)

    def insert(self, piece: str) -> None:
        self._text = self._text[: self._cursor] + piece + self._text[self._cursor :]
        self._cursor += len(piece)

    def backspace(self) -> None:
        if self._cursor > 0:
            self._text = self._text[: self._cursor - 1] + self._text[self._cursor :]
            self._cursor -= 1

    def left(self) -> bool:
        if self._cursor == 0:
            return False
        self._cursor -= 1
        return True

    def right(self) -> bool:
        if self._cursor == len(self._text):
            return False
        self._cursor += 1
        return True

    def home(self) -> None:
        self._cursor = 0

    def end(self) -> None:
        self._cursor = len(self._text)

    def text(self) -> str:
        return self._text

    def cursor(self) -> int:
        return self._cursor

    def at_start(self) -> bool:
        return self._cursor == 0

    def at_end(self) -> bool:
        return self._cursor == len(self._text)

    def __len__(self) -> int:
        return len(self._text)


class Polynomial:
    """A polynomial with integer coefficients, the constant first."""

    def __init__(self, coefficients: list[int]) -> None:
        found = list(coefficients)
        while found and found[-1] == 0:
            found.pop()
        self._coefficients = found

    def degree(self) -> int:
        return len(self._coefficients) - 1

    def evaluate(self, x: int) -> int:
        result = 0
        for one in reversed(self._coefficients):
            result = result * x + one
        return result

    def derivative(self) -> Polynomial:
        return Polynomial([n * one for n, one in enumerate(self._coefficients)][1:])

    def is_zero(self) -> bool:
        return not self._coefficients

    def shift(self) -> Polynomial:
        """The product with x."""
        return Polynomial([0, *self._coefficients])

    def __neg__(self) -> Polynomial:
        return Polynomial([-one for one in self._coefficients])

    def __add__(self, other: Polynomial) -> Polynomial:
        size = max(len(self._coefficients), len(other._coefficients))
        mine = self._coefficients + [0] * (size - len(self._coefficients))
        theirs = other._coefficients + [0] * (size - len(other._coefficients))
        return Polynomial([x + y for x, y in zip(mine, theirs, strict=True)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and self._coefficients == other._coefficients

    __hash__ = None  # type: ignore[assignment]


class Inventory:
    """Quantities of items."""

    def __init__(self) -> None:
        self._stock: dict[str, int] = {}

    def add(self, item: str, amount: int) -> int:
        if amount <= 0:
            raise ValueError("amount must be positive")
        self._stock[item] = self._stock.get(item, 0) + amount
        return self._stock[item]

    def remove(self, item: str, amount: int) -> int:
        if amount <= 0:
            raise ValueError("amount must be positive")
        if item not in self._stock:
            raise KeyError(item)
        if self._stock[item] < amount:
            raise ValueError("not enough")
        self._stock[item] -= amount
        left = self._stock[item]
        if left == 0:
            del self._stock[item]
        return left

    def discard(self, item: str) -> None:
        self._stock.pop(item, None)

    def quantity(self, item: str) -> int:
        return self._stock.get(item, 0)

    def has(self, item: str) -> bool:
        return item in self._stock

    def items(self) -> list[str]:
        return sorted(self._stock)

    def total(self) -> int:
        return sum(self._stock.values())


class IntervalSet:
    """Integers held as disjoint half-open intervals."""

    def __init__(self) -> None:
        self._parts: list[tuple[int, int]] = []

    def add(self, start: int, stop: int) -> None:
        if start >= stop:
            raise ValueError("empty interval")
        kept = []
        for low, high in self._parts:
            if high < start or stop < low:
                kept.append((low, high))
            else:
                start, stop = min(start, low), max(stop, high)
        self._parts = sorted([*kept, (start, stop)])

    def contains(self, point: int) -> bool:
        return any(low <= point < high for low, high in self._parts)

    def clear(self) -> None:
        self._parts = []

    def is_empty(self) -> bool:
        return not self._parts

    def total(self) -> int:
        return sum(high - low for low, high in self._parts)

    def count(self) -> int:
        return len(self._parts)

    def first(self) -> int:
        if not self._parts:
            raise LookupError("no intervals")
        return self._parts[0][0]


class Door:
    """A door that is open, closed or locked."""

    def __init__(self) -> None:
        self._state = "closed"

    def open(self) -> None:
        if self._state != "closed":
            raise RuntimeError(f"cannot open a door that is {self._state}")
        self._state = "open"

    def close(self) -> None:
        if self._state != "open":
            raise RuntimeError(f"cannot close a door that is {self._state}")
        self._state = "closed"

    def lock(self) -> None:
        if self._state == "open":
            raise RuntimeError("cannot lock an open door")
        self._state = "locked"

    def unlock(self) -> None:
        if self._state == "locked":
            self._state = "closed"

    def state(self) -> str:
        return self._state

    def is_open(self) -> bool:
        return self._state == "open"

    def is_locked(self) -> bool:
        return self._state == "locked"


class Money:
    """An amount of cents in a currency."""

    def __init__(self, cents: int = 0, currency: str = "EUR") -> None:
        self.cents = cents
        self.currency = currency

    def __add__(self, other: Money) -> Money:
        if self.currency != other.currency:
            raise ValueError("different currencies")
        return Money(self.cents + other.cents, self.currency)

    def __sub__(self, other: Money) -> Money:
        if self.currency != other.currency:
            raise ValueError("different currencies")
        return Money(self.cents - other.cents, self.currency)

    def __neg__(self) -> Money:
        return Money(-self.cents, self.currency)

    def __lt__(self, other: Money) -> bool:
        if self.currency != other.currency:
            raise ValueError("different currencies")
        return self.cents < other.cents

    def convert(self, currency: str) -> Money:
        return Money(self.cents, currency)

    def is_zero(self) -> bool:
        return self.cents == 0

    def is_debt(self) -> bool:
        return self.cents < 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Money) and (self.cents, self.currency) == (
            other.cents,
            other.currency,
        )

    def __hash__(self) -> int:
        return hash((self.cents, self.currency))
