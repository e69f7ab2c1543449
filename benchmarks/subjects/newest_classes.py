"""Four small classes that a list of laws was written for before inference was run on them."""

# ruff: noqa: D102, PLR2004 - a reader sees from the code what each method does

from __future__ import annotations


class Garage:
    """Cars by their plates, in so many places."""

    def __init__(self, places: int = 3) -> None:
        if places < 1:
            raise ValueError("places")
        self._places = places
        self._plates: list[str] = []

    def enter(self, plate: str) -> None:
        if plate in self._plates:
            raise ValueError("already inside")
        if len(self._plates) == self._places:
            raise OverflowError("full")
        self._plates.append(plate)

    def leave(self, plate: str) -> None:
        if plate not in self._plates:
            raise KeyError(plate)
        self._plates.remove(plate)

    def is_inside(self, plate: str) -> bool:
        return plate in self._plates

    def cars(self) -> int:
        return len(self._plates)

    def free(self) -> int:
        return self._places - len(self._plates)

    def places(self) -> int:
        return self._places

    def is_full(self) -> bool:
        return self.free() == 0

    def close(self) -> int:
        """Send all cars out; answers how many."""
        count = len(self._plates)
        self._plates = []
        return count


class Pager:
    """A page of a list that is shown in pages."""

    def __init__(self, items: int, size: int = 2) -> None:
        if items < 0 or size < 1:
            raise ValueError("pages")
        self.items = items
        self.size = size
        self._page = 0

    def page(self) -> int:
        return self._page

    def last_page(self) -> int:
        return max(0, (self.items - 1) // self.size)

    def is_first(self) -> bool:
        return self._page == 0

    def is_last(self) -> bool:
        return self._page == self.last_page()

    def forward(self) -> bool:
        if self.is_last():
            return False
        self._page += 1
        return True

    def back(self) -> bool:
        if self.is_first():
            return False
        self._page -= 1
        return True

    def rewind(self) -> None:
        self._page = 0

    def jump(self, page: int) -> None:
        if page < 0 or page > self.last_page():
            raise IndexError(page)
        self._page = page


class Auction:
    """An item that goes to whoever bids most."""

    def __init__(self, least: int = 1) -> None:
        self.least = max(1, least)
        self._price = 0
        self._winner: str | None = None
        self._open = True

    def bid(self, name: str, price: int) -> bool:
        if not self._open:
            raise RuntimeError("closed")
        if price < self.least or price <= self._price:
            return False
        self._price = price
        self._winner = name
        return True

    def price(self) -> int:
        return self._price

    def winner(self) -> str | None:
        return self._winner

    def is_open(self) -> bool:
        return self._open

    def close(self) -> str | None:
        if not self._open:
            raise RuntimeError("closed")
        self._open = False
        return self._winner


class Hour:
    """An hour of the day."""

    def __init__(self, hour: int = 0) -> None:
        self._hour = hour % 24

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hour):
            return NotImplemented
        return self._hour == other._hour

    def __hash__(self) -> int:
        return hash(self._hour)

    def hour(self) -> int:
        return self._hour

    def later(self, hours: int) -> Hour:
        return Hour(self._hour + hours)

    def earlier(self, hours: int) -> Hour:
        return Hour(self._hour - hours)

    def until(self, other: Hour) -> int:
        """The hours from here to ``other``, going forward."""
        return (other._hour - self._hour) % 24

    def is_morning(self) -> bool:
        return self._hour < 12

    def opposite(self) -> Hour:
        return Hour(self._hour + 12)
