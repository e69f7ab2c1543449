"""Eight classes in yet other styles, on which inference was not run before their laws were written.

Properties with setters, sets in a dict, states of an Enum, a frozen dataclass with a class method
that makes it, time as an argument, generators, objects of another class, bits.
"""

# ruff: noqa: D102 - a reader sees from the code what each method does
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


class Dial:
    """A mark between 0 and the top."""

    def __init__(self, top: int = 9, wraps: bool = False) -> None:  # noqa: FBT001,FBT002
        if top < 1:
            raise ValueError("top")
        self._top = top
        self._wraps = wraps
        self._mark = 0

    @property
    def top(self) -> int:
        return self._top

    @property
    def wraps(self) -> bool:
        return self._wraps

    @property
    def mark(self) -> int:
        return self._mark

    @mark.setter
    def mark(self, mark: int) -> None:
        if not 0 <= mark <= self._top:
            raise ValueError("mark")
        self._mark = mark

    @property
    def at_top(self) -> bool:
        return self._mark == self._top

    def up(self) -> int:
        if self._mark < self._top:
            self._mark += 1
        elif self._wraps:
            self._mark = 0
        return self._mark

    def down(self) -> int:
        if self._mark:
            self._mark -= 1
        elif self._wraps:
            self._mark = self._top
        return self._mark


class Roster:
    """Who attends which course."""

    def __init__(self) -> None:
        self._members: dict[str, set[str]] = {}

    def enroll(self, course: str, name: str) -> bool:
        """Is it news?"""
        names = self._members.setdefault(course, set())
        if name in names:
            return False
        names.add(name)
        return True

    def leave(self, course: str, name: str) -> None:
        if not self.attends(course, name):
            raise KeyError(name)
        self._members[course].remove(name)
        if not self._members[course]:
            del self._members[course]

    def cancel(self, course: str) -> int:
        """How many attended it?"""
        return len(self._members.pop(course, ()))

    def attends(self, course: str, name: str) -> bool:
        return name in self._members.get(course, ())

    def members(self, course: str) -> set[str]:
        return set(self._members.get(course, ()))

    def courses(self) -> list[str]:
        return sorted(self._members)

    def __len__(self) -> int:
        return sum(map(len, self._members.values()))


class Color(Enum):
    """What a light shows."""

    RED = "red"
    GREEN = "green"
    AMBER = "amber"
    DARK = "dark"


FOLLOWING = {Color.RED: Color.GREEN, Color.GREEN: Color.AMBER, Color.AMBER: Color.RED}


class Light:
    """Traffic lights, which can fail."""

    def __init__(self) -> None:
        self._color = Color.RED
        self._changes = 0

    @property
    def color(self) -> Color:
        return self._color

    @property
    def changes(self) -> int:
        return self._changes

    def next(self) -> Color:
        if self._color is Color.DARK:
            raise RuntimeError("dark")
        self._color = FOLLOWING[self._color]
        self._changes += 1
        return self._color

    def fail(self) -> None:
        self._color = Color.DARK

    def repair(self) -> None:
        if self._color is not Color.DARK:
            raise RuntimeError("works")
        self._color = Color.RED

    def may_go(self) -> bool:
        return self._color is Color.GREEN

    def is_dark(self) -> bool:
        return self._color is Color.DARK


@dataclass(frozen=True, order=True)
class Duration:
    """Minutes, none of them negative."""

    minutes: int = 0

    def __post_init__(self) -> None:
        if self.minutes < 0:
            raise ValueError("minutes")

    @classmethod
    def of_hours(cls, hours: int) -> Duration:
        return cls(60 * hours)

    def __add__(self, other: Duration) -> Duration:
        return Duration(self.minutes + other.minutes)

    def __sub__(self, other: Duration) -> Duration:
        return Duration(self.minutes - other.minutes)

    def times(self, factor: int) -> Duration:
        return Duration(self.minutes * factor)

    def longer(self, other: Duration) -> Duration:
        return max(self, other)

    def is_zero(self) -> bool:
        return not self.minutes


class Lease:
    """What one owner has for a term from when it was taken."""

    __slots__ = ("_end", "_owner", "_term")

    def __init__(self, term: int = 10) -> None:
        if term < 1:
            raise ValueError("term")
        self._term = term
        self._owner: str | None = None
        self._end = 0

    @property
    def term(self) -> int:
        return self._term

    def take(self, owner: str, now: int) -> bool:
        """Take it, or take it once more; not while another has it."""
        if self.is_held(now) and self._owner != owner:
            return False
        self._owner = owner
        self._end = now + self._term
        return True

    def free(self, owner: str) -> bool:
        if self._owner != owner:
            return False
        self._owner = None
        self._end = 0
        return True

    def is_held(self, now: int) -> bool:
        return self._owner is not None and now < self._end

    def holder(self, now: int) -> str | None:
        return self._owner if self.is_held(now) else None

    def left(self, now: int) -> int:
        return self._end - now if self.is_held(now) else 0


class Route:
    """Stops one after another, no two alike next to each other."""

    def __init__(self, start: str = "home") -> None:
        self._stops = [start]

    def go(self, stop: str) -> Route:
        if stop == self._stops[-1]:
            raise ValueError(stop)
        self._stops.append(stop)
        return self

    def back(self) -> str:
        if len(self._stops) == 1:
            raise IndexError("at the start")
        return self._stops.pop()

    def __iter__(self) -> Iterator[str]:
        yield from self._stops

    def legs(self) -> Iterator[tuple[str, str]]:
        yield from zip(self._stops, self._stops[1:], strict=False)

    def __len__(self) -> int:
        return len(self._stops) - 1

    @property
    def start(self) -> str:
        return self._stops[0]

    @property
    def end(self) -> str:
        return self._stops[-1]

    def turned(self) -> Route:
        route = Route()
        route._stops = self._stops[::-1]
        return route

    def is_round(self) -> bool:
        return self.start == self.end


@dataclass(frozen=True)
class Player:
    """Somebody who plays for pay."""

    name: str
    pay: int = 1

    def __post_init__(self) -> None:
        if self.pay < 0:
            raise ValueError("pay")


class Team:
    """Players, by name, who together cost no more than there is."""

    def __init__(self, budget: int = 10) -> None:
        if budget < 0:
            raise ValueError("budget")
        self._budget = budget
        self._players: dict[str, Player] = {}

    @property
    def budget(self) -> int:
        return self._budget

    def sign(self, player: Player) -> bool:
        """Is there money for this one?"""
        if player.name in self._players:
            raise ValueError(player.name)
        if self.costs() + player.pay > self._budget:
            return False
        self._players[player.name] = player
        return True

    def release(self, name: str) -> Player:
        return self._players.pop(name)

    def plays(self, player: Player) -> bool:
        return player.name in self._players

    def names(self) -> list[str]:
        return sorted(self._players)

    def costs(self) -> int:
        return sum(player.pay for player in self._players.values())

    def __len__(self) -> int:
        return len(self._players)


PLACES = 8


class Mask:
    """Numbers below PLACES, as bits."""

    def __init__(self, bits: int = 0) -> None:
        if not 0 <= bits < 1 << PLACES:
            raise ValueError("bits")
        self._bits = bits

    @property
    def bits(self) -> int:
        return self._bits

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mask) and self._bits == other._bits

    def __hash__(self) -> int:
        return hash(self._bits)

    def __or__(self, other: Mask) -> Mask:
        return Mask(self._bits | other._bits)

    def __and__(self, other: Mask) -> Mask:
        return Mask(self._bits & other._bits)

    def __xor__(self, other: Mask) -> Mask:
        return Mask(self._bits ^ other._bits)

    def __contains__(self, place: int) -> bool:
        return 0 <= place < PLACES and bool(self._bits >> place & 1)

    def __len__(self) -> int:
        return self._bits.bit_count()

    def add(self, place: int) -> Mask:
        return self | Mask(1 << place)

    def flip(self, place: int) -> Mask:
        return self ^ Mask(1 << place)

    def places(self) -> list[int]:
        return [place for place in range(PLACES) if place in self]
