"""Laws of classes in other styles: names of enumerations, class methods, objects of others."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    Apply,
    Atom,
    Compute,
    Constant,
    Guard,
    TermOrder,
)
from unitcraft.infer.derivation.definitions import NO_DEFINITIONS, equations_of
from unitcraft.infer.output.specs_contracts import as_contracts
from unitcraft.infer.output.specs_suite import as_suite
from unitcraft.infer.universe.values import Values

pytestmark = pytest.mark.usefixtures("short_histories")

SOURCE = """
from dataclasses import dataclass
from datetime import datetime
from enum import Enum


class Color(Enum):
    RED = "red"
    GREEN = "green"
    DARK = "dark"


class Light:
    def __init__(self):
        self._color = Color.RED

    @property
    def color(self) -> Color:
        return self._color

    def next(self) -> None:
        if self._color is Color.DARK:
            raise RuntimeError
        self._color = Color.RED if self._color is Color.GREEN else Color.GREEN

    def fail(self) -> None:
        self._color = Color.DARK

    def may_go(self) -> bool:
        return self._color is Color.GREEN


@dataclass(frozen=True)
class Span:
    minutes: int = 0

    def __post_init__(self):
        if self.minutes < 0:
            raise ValueError

    @classmethod
    def of_hours(cls, hours: int) -> "Span":
        return cls(60 * hours)

    @classmethod
    def today(cls) -> "Span":
        return cls(datetime.now().day)

    def times(self, factor: int) -> "Span":
        return Span(self.minutes * factor)

    def longer(self, other: "Span") -> "Span":
        return max(self, other, key=lambda one: one.minutes)


@dataclass(frozen=True)
class Player:
    name: str
    pay: int = 1


class Team:
    def __init__(self, most: int = 3, strict: bool = False):
        if most < 1:
            raise ValueError
        self._most = most
        self._strict = strict
        self._players = {}

    def most(self) -> int:
        return self._most

    def sign(self, player: Player) -> bool:
        if len(self._players) == self._most or player.name in self._players:
            return False
        self._players[player.name] = player
        return True

    def plays(self, player: Player) -> bool:
        return player.name in self._players

    def __len__(self) -> int:
        return len(self._players)


class Pile:
    def __init__(self):
        self.sizes = {}

    def put(self, item: int, size: int) -> None:
        self.sizes[item] = size

    def __iter__(self):
        return iter(self.sizes)

    def __len__(self) -> int:
        return len(self.sizes)


class Roster:
    def __init__(self, owner: str = "me"):
        self._owner = owner
        self._members = {}

    def enroll(self, course: str, name: str) -> None:
        self._members.setdefault(course, set()).add(name)

    def cancel(self, course: str) -> int:
        return len(self._members.pop(course, ()))

    def attends(self, course: str, name: str) -> bool:
        return name in self._members.get(course, ())

    def members(self, course: str) -> set[str]:
        return set(self._members.get(course, ()))

    def owner(self) -> str:
        return self._owner


class Badge:
    def __init__(self, owner: str = "me"):
        self._owner = owner

    def first(self) -> str:
        return self._owner[:1]

    def owner(self) -> str:
        return self._owner

    def is_short(self) -> bool:
        return self._owner[:1] == self._owner
"""


def texts(specification):
    return [text for one in specification.laws for text in one.said]


@pytest.mark.parametrize(
    "law",
    [
        "color(Light()) == Color.RED",
        "may_go(S) == (color(S) == Color.GREEN)",
        "color(fail(S)) == Color.DARK",
        "next(S) raises RuntimeError if color(S) == Color.DARK",
    ],
)
def test_members_of_an_enumeration_are_named(specify, law):
    assert law in texts(specify("Light"))


def test_modules_of_laws_import_the_enumeration(specify):
    found = specify("Light")
    assert "from sample import Color" in as_suite(found)
    assert "from sample import Color" in as_contracts(found)


def test_class_methods_that_make_objects_have_laws(specify):
    found = texts(specify("Span"))
    assert "Span.of_hours(hours) raises ValueError if hours < 0" in found
    assert "minutes(Span.of_hours(hours)) == hours * 60 if Span.of_hours(hours) returns" in found


def test_class_methods_that_ask_the_clock_are_left_out(specify):
    found = specify("Span")
    assert ("Span.today", "its outcome differs from run to run") in found.excluded
    assert not [text for text in texts(found) if "today" in text]


def test_a_value_that_is_too_large_ends_no_proof(specify):
    """``longer(S, S) == S`` follows from what is shown, and is shown no more."""
    found = texts(specify("Span"))
    assert "longer(S, other) == S if minutes(S) >= minutes(other)" in found


def test_objects_of_another_class_are_passed(specify):
    found = specify("Team", checked=("most(Team(most)) == most if 0 < most",))
    assert not found.excluded
    assert "sign(S, player) == S if plays(S, player) or most(S) == len(S)" in texts(found)


def test_what_holds_with_one_optional_argument_follows_from_both(specify):
    found = specify("Team", checked=("most(Team(most)) == most if 0 < most",))
    assert [one.confirmed.confirmed for one in found.checked] == [True]
    assert "most(Team(most, strict)) == most if Team(most, strict) returns" in texts(found)
    assert not [text for text in texts(found) if "Team(most)" in text]


@pytest.mark.parametrize(
    ("name", "law"),
    [
        ("Roster", "attends(S, course, name) == (name in members(S, course))"),
        ("Roster", "cancel(S, course).result == len(members(S, course))"),
        ("Roster", "members(Roster(owner), course) == set()"),
        ("Badge", "is_short(S) == (first(S) == owner(S))"),
    ],
)
def test_observers_that_are_asked_with_arguments_are_defined(specify, name, law):
    assert law in texts(specify(name))


def test_that_a_list_without_items_is_empty_follows_from_its_length(specify):
    found = texts(specify("Pile"))
    assert "len(list(S)) == len(S)" in found
    assert not {"list(S) == [] if len(S) == 0", "len(S) == 0 if list(S) == []"} & {*found}


def test_a_condition_that_a_list_is_empty_says_its_length():
    values = Values()
    items = Apply(0, (RECEIVER,), "value")
    none, zero, empty = (Constant(values.of_plain(one)) for one in (None, 0, []))
    rows = SimpleNamespace(
        universe=SimpleNamespace(table=SimpleNamespace(values=values)), guard=lambda _: 1
    )
    condition = Guard((Atom(items, "==", empty),))
    found = equations_of(condition, NO_DEFINITIONS, rows, TermOrder([False]))
    assert (Compute(items, "len", none), zero) in found
