"""Five classes in other styles, on which inference was not run before their laws were written."""

# ruff: noqa: D102 - a reader sees from the code what each method does
from __future__ import annotations

from bisect import insort


class EmptyBatteryError(Exception):
    """More was asked for than there is."""


class Battery:
    """Energy in units, up to a limit."""

    def __init__(self, limit: int = 10) -> None:
        if limit <= 0:
            raise ValueError("limit")
        self._limit = limit
        self._units = limit

    @property
    def units(self) -> int:
        return self._units

    @property
    def limit(self) -> int:
        return self._limit

    @property
    def is_full(self) -> bool:
        return self._units == self._limit

    @property
    def is_dead(self) -> bool:
        return not self._units

    def use(self, units: int = 1) -> None:
        if units < 0:
            raise ValueError("units")
        if units > self._units:
            raise EmptyBatteryError(units)
        self._units -= units

    def charge(self, units: int) -> int:
        """Answers what is charged now."""
        if units < 0:
            raise ValueError("units")
        self._units = min(self._limit, self._units + units)
        return self._units

    def swap(self) -> Battery:
        """Put a full one in its place."""
        self._units = self._limit
        return self


class SortedBag:
    """Numbers in order, each as often as it was added."""

    def __init__(self) -> None:
        self._numbers: list[int] = []

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, number: object) -> bool:
        return number in self._numbers

    def to_list(self) -> list[int]:
        return self._numbers[:]

    def add(self, number: int) -> SortedBag:
        insort(self._numbers, number)
        return self

    def discard(self, number: int) -> bool:
        """Take one out; was there one?"""
        if number not in self._numbers:
            return False
        self._numbers.remove(number)
        return True

    def count(self, number: int) -> int:
        return self._numbers.count(number)

    @property
    def smallest(self) -> int | None:
        return self._numbers[0] if self._numbers else None

    def pop_smallest(self) -> int:
        if not self._numbers:
            raise LookupError("empty")
        return self._numbers.pop(0)


class Settings:
    """Values by name, over values that are given for all."""

    def __init__(self, default: int = 0) -> None:
        self._default = default
        self._values: dict[str, int] = {}

    def __getitem__(self, name: str) -> int:
        return self._values.get(name, self._default)

    def __setitem__(self, name: str, value: int) -> None:
        self._values[name] = value

    def __delitem__(self, name: str) -> None:
        del self._values[name]

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __len__(self) -> int:
        return len(self._values)

    def default(self) -> int:
        return self._default

    def reset(self) -> None:
        self._values.clear()

    def toggle(self, name: str) -> int:
        """1 becomes 0, all others 1."""
        self._values[name] = 0 if self[name] == 1 else 1
        return self._values[name]


class Groups:
    """Numbers up to a size, in groups that can be joined."""

    def __init__(self, size: int = 4) -> None:
        if size < 1:
            raise ValueError("size")
        self._leader = list(range(size))

    def _find(self, number: int) -> int:
        if not 0 <= number < len(self._leader):
            raise IndexError(number)
        while self._leader[number] != number:
            number = self._leader[number]
        return number

    def join(self, one: int, other: int) -> bool:
        """Were they apart?"""
        first, second = sorted((self._find(one), self._find(other)))
        self._leader[second] = first
        return first != second

    def joined(self, one: int, other: int) -> bool:
        return self._find(one) == self._find(other)

    def least(self, number: int) -> int:
        """The smallest number of the group."""
        return self._find(number)

    def groups(self) -> int:
        return sum(leader == place for place, leader in enumerate(self._leader))

    def size(self) -> int:
        return len(self._leader)


class Order:
    """An order on its way: new, paid, sent, or cancelled."""

    def __init__(self) -> None:
        self.state = "new"
        self._items = 0

    def add(self, items: int) -> None:
        if self.state != "new":
            raise RuntimeError("too late")
        if items < 1:
            raise ValueError("items")
        self._items += items

    def pay(self) -> None:
        if self.state != "new":
            raise RuntimeError("not new")
        if not self._items:
            raise ValueError("nothing to pay")
        self.state = "paid"

    def send(self) -> int:
        """Answers how many items are sent."""
        if self.state != "paid":
            raise RuntimeError("not paid")
        self.state = "sent"
        return self._items

    def cancel(self) -> bool:
        """Can it be called off?"""
        if self.state == "sent":
            return False
        self.state = "cancelled"
        return True

    def items(self) -> int:
        return self._items

    def is_open(self) -> bool:
        return self.state in ("new", "paid")
