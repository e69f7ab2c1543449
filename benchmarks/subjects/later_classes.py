"""Four classes on which inference was not run before their laws were written."""

# ruff: noqa: D102 - a reader sees from the code what each method does
from __future__ import annotations


class Reservations:
    """Pieces of one kind: some are promised, some are free."""

    def __init__(self, stock: int = 0) -> None:
        if stock < 0:
            raise ValueError("stock")
        self.stock = stock
        self.promised = 0

    def free(self) -> int:
        return self.stock - self.promised

    def receive(self, pieces: int) -> None:
        if pieces <= 0:
            raise ValueError("pieces")
        self.stock += pieces

    def promise(self, pieces: int) -> None:
        if pieces <= 0:
            raise ValueError("pieces")
        if pieces > self.free():
            raise LookupError("not so many are free")
        self.promised += pieces

    def release(self) -> None:
        self.promised = 0

    def ship(self) -> int:
        shipped = self.promised
        self.stock -= shipped
        self.promised = 0
        return shipped


class Shelf:
    """Titles in a row, each once."""

    def __init__(self) -> None:
        self._titles: list[str] = []

    def put(self, title: str) -> bool:
        if title in self._titles:
            return False
        self._titles.append(title)
        return True

    def take(self, title: str) -> None:
        self._titles.remove(title)

    def lift(self, title: str) -> None:
        self._titles.remove(title)
        self._titles.insert(0, title)

    def first(self) -> str:
        return self._titles[0]

    def titles(self) -> list[str]:
        return list(self._titles)

    def holds(self, title: str) -> bool:
        return title in self._titles


class Thermostat:
    """A target between two limits."""

    def __init__(self, low: int, high: int) -> None:
        if low > high:
            raise ValueError("limits")
        self.low = low
        self.high = high
        self._target = low

    def target(self) -> int:
        return self._target

    def choose(self, degrees: int) -> None:
        self._target = max(self.low, min(self.high, degrees))

    def raise_floor(self, degrees: int) -> None:
        if degrees > self.high:
            raise ValueError("above the ceiling")
        self.low = max(self.low, degrees)
        self._target = max(self._target, degrees)

    def off(self) -> None:
        self._target = self.low

    def is_low(self) -> bool:
        return self._target == self.low


class Score:
    """Points of two sides."""

    def __init__(self, home: int = 0, guests: int = 0) -> None:
        if home < 0 or guests < 0:
            raise ValueError("points")
        self.home = home
        self.guests = guests

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return (self.home, self.guests) == (other.home, other.guests)

    def __hash__(self) -> int:
        return hash((self.home, self.guests))

    def scored(self) -> Score:
        return Score(self.home + 1, self.guests)

    def conceded(self) -> Score:
        return Score(self.home, self.guests + 1)

    def turned(self) -> Score:
        return Score(self.guests, self.home)

    def __add__(self, other: Score) -> Score:
        return Score(self.home + other.home, self.guests + other.guests)

    def lead(self) -> int:
        return self.home - self.guests

    def is_draw(self) -> bool:
        return self.home == self.guests
