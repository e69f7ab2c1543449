"""Six classes on which nothing was mended: their laws were written before, and judged once."""

# ruff: noqa: D102 - a reader sees from the code what each method does
from __future__ import annotations

from dataclasses import dataclass


class Playlist:
    """Titles in order, and the one that plays."""

    def __init__(self) -> None:
        self._titles: list[str] = []
        self._place = 0

    def append(self, title: str) -> None:
        self._titles.append(title)

    def playing(self) -> str | None:
        return self._titles[self._place] if self._titles else None

    def skip(self) -> bool:
        if self._place + 1 >= len(self._titles):
            return False
        self._place += 1
        return True

    def back(self) -> None:
        self._place = max(0, self._place - 1)

    @property
    def place(self) -> int:
        return self._place

    def __len__(self) -> int:
        return len(self._titles)

    def __contains__(self, title: str) -> bool:
        return title in self._titles

    def titles(self) -> list[str]:
        return list(self._titles)

    def clear(self) -> None:
        self._titles.clear()
        self._place = 0


@dataclass(frozen=True)
class Rights:
    """What somebody may do, as bits."""

    bits: int = 0

    def grant(self, other: Rights) -> Rights:
        return Rights(self.bits | other.bits)

    def revoke(self, other: Rights) -> Rights:
        return Rights(self.bits & ~other.bits)

    def shared(self, other: Rights) -> Rights:
        return Rights(self.bits & other.bits)

    def allows(self, other: Rights) -> bool:
        return self.bits & other.bits == other.bits

    def is_none(self) -> bool:
        return self.bits == 0


class RingBuffer:
    """The last items; a new one replaces the oldest when there is no room."""

    def __init__(self, room: int = 2) -> None:
        if room < 1:
            raise ValueError("no room")
        self.room = room
        self._items: list[int] = []

    def put(self, item: int) -> int | None:
        lost = self._items.pop(0) if self.is_full() else None
        self._items.append(item)
        return lost

    def take(self) -> int:
        if not self._items:
            raise IndexError("nothing to take")
        return self._items.pop(0)

    def newest(self) -> int:
        if not self._items:
            raise IndexError("nothing there")
        return self._items[-1]

    def is_full(self) -> bool:
        return len(self._items) == self.room

    def is_empty(self) -> bool:
        return not self._items

    def items(self) -> list[int]:
        return list(self._items)

    def __len__(self) -> int:
        return len(self._items)


class Vending:
    """Takes coins and sells one thing for a price."""

    def __init__(self, *, price: int = 2, stock: int = 3) -> None:
        if price <= 0 or stock < 0:
            raise ValueError("price or stock")
        self.price = price
        self._stock = stock
        self._credit = 0

    @property
    def stock(self) -> int:
        return self._stock

    @property
    def credit(self) -> int:
        return self._credit

    def insert(self, coins: int) -> None:
        if coins <= 0:
            raise ValueError("no coins")
        self._credit += coins

    def can_buy(self) -> bool:
        return self._stock > 0 and self._credit >= self.price

    def buy(self) -> int:
        if not self.can_buy():
            raise RuntimeError("cannot buy")
        self._stock -= 1
        self._credit -= self.price
        return self._credit

    def refund(self) -> int:
        back, self._credit = self._credit, 0
        return back


class Tally:
    """Votes for names."""

    def __init__(self) -> None:
        self._votes: dict[str, int] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and self._votes == other._votes

    __hash__ = None

    def vote(self, name: str) -> None:
        self._votes[name] = self._votes.get(name, 0) + 1

    def withdraw(self, name: str) -> None:
        if name not in self._votes:
            raise KeyError(name)
        self._votes[name] -= 1
        if self._votes[name] == 0:
            del self._votes[name]

    def votes(self, name: str) -> int:
        return self._votes.get(name, 0)

    def total(self) -> int:
        return sum(self._votes.values())

    def names(self) -> list[str]:
        return sorted(self._votes)

    def reset(self) -> None:
        self._votes = {}


@dataclass(frozen=True, order=True)
class Span:
    """A span of time in minutes."""

    minutes: int

    def __post_init__(self) -> None:
        if self.minutes < 0:
            raise ValueError("negative")

    @classmethod
    def of_hours(cls, hours: int) -> Span:
        return cls(60 * hours)

    def __add__(self, other: Span) -> Span:
        return Span(self.minutes + other.minutes)

    def __sub__(self, other: Span) -> Span:
        return Span(self.minutes - other.minutes)

    def longer(self, other: Span) -> Span:
        return max(self, other)

    def times(self, count: int) -> Span:
        return Span(self.minutes * count)

    def is_zero(self) -> bool:
        return self.minutes == 0
