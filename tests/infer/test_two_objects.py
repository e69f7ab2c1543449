"""Laws about two objects of a class (two_objects), and what refutes laws that pools do not."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.usefixtures("short_histories")

SOURCE = """
from collections.abc import Callable
from math import gcd


class Ratio:
    def __init__(self, above: int, below: int = 1) -> None:
        if below == 0:
            raise ZeroDivisionError("below")
        common = gcd(above, below) * (-1 if below < 0 else 1)
        self.above = above // common
        self.below = below // common

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ratio):
            return NotImplemented
        return (self.above, self.below) == (other.above, other.below)

    def __hash__(self) -> int:
        return hash((self.above, self.below))

    def __add__(self, other: "Ratio") -> "Ratio":
        return Ratio(
            self.above * other.below + other.above * self.below, self.below * other.below
        )

    def __sub__(self, other: "Ratio") -> "Ratio":
        return Ratio(
            self.above * other.below - other.above * self.below, self.below * other.below
        )

    def __neg__(self) -> "Ratio":
        return Ratio(-self.above, self.below)

    def is_whole(self) -> bool:
        return self.below == 1

    def is_zero(self) -> bool:
        return self.above == 0


class Chain:
    def __init__(self, head: int = 0, rest: "Chain" = None, closed: bool = False) -> None:
        self.head = head
        self.rest = rest
        self.closed = closed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chain) and vars(self) == vars(other)

    __hash__ = None

    def joined(self, other: "Chain") -> "Chain":
        return Chain(self.head, other if self.rest is None else self.rest.joined(other))

    def kept(self, fn: Callable[[object], bool]) -> "Chain":
        if fn(self.head):
            return Chain(self.head)
        return Chain(None, None, True)


class Purse:
    def __init__(self) -> None:
        self._coins: dict[str, int] = {}

    def open(self, name: str) -> None:
        self._coins.setdefault(name, 0)

    def put(self, name: str, amount: int) -> None:
        if amount <= 0:
            raise ValueError(amount)
        self._coins[name] += amount

    def move(self, source: str, target: str) -> None:
        if source == target:
            raise ValueError(target)
        amount = self._coins[source]
        self._coins[target] += amount
        self._coins[source] = 0

    def held(self, name: str) -> int:
        return self._coins[name]
"""


def texts(specification):
    return [text for law in specification.laws for text in law.said]


def test_two_objects_may_change_places(specify):
    laws = texts(specify("Ratio"))
    assert "(S + other) == (other + S)" in laws
    assert not any("(S - other) == (other - S)" in law for law in laws)


def test_an_object_may_meet_itself_and_what_is_made_of_it(specify):
    laws = texts(specify("Ratio"))
    assert "above((S - S)) == 0" in laws
    assert "above((S + -S)) == 0" in laws


def test_an_object_that_changes_nothing(specify):
    assert "(S + other) == other if is_zero(S)" in texts(specify("Ratio"))


def test_what_no_two_objects_of_a_pool_show_is_refuted(specify):
    """1/2 + -1/2 is zero: that one object is the other, negated, is so in no pool."""
    laws = [law for law in texts(specify("Ratio")) if law.startswith("is_zero((S + other)) == ")]
    assert laws
    assert not any("is_whole(other)" not in law or " or " in law for law in laws)


def test_arguments_that_are_equal_may_be_what_raises(specify):
    assert "move(S, source, target) raises ValueError if source == target" in texts(
        specify("Purse")
    )


def test_three_names_that_one_history_opens_refute(specify):
    """Moving to one name and then to another is not the same as the other way round."""
    wrong = "move(move(S, source, target), source, target2) == "
    assert not any(law.startswith(wrong) for law in texts(specify("Purse")))


def test_the_constructor_is_given_objects_of_its_class(specify):
    """Without such a closed chain has no rest, and what it is joined to comes right after it."""
    laws = texts(specify("Chain"))
    assert "joined(S, joined(other, other2)) == joined(joined(S, other), other2)" in laws
    assert not any(law.startswith("rest(joined(S, other)) == other if closed(S)") for law in laws)


def test_functions_are_given_that_take_anything(specify):
    """``x > 1`` raises for None: that keeping twice is keeping once was said where it returns."""
    laws = texts(specify("Chain"))
    assert not any(law.startswith("kept(kept(S, fn), fn) == kept(S, fn)") for law in laws)
