"""Laws of objects that follow from what observers show (observation) and from sums (polynomials).

Orders of dicts that no call shows make no two objects of one (state_equality).
"""

from __future__ import annotations

import pytest

from unitcraft.infer.algebraic.law_terms import Compute, Constant, Var
from unitcraft.infer.derivation.polynomials import are_one_polynomial
from unitcraft.infer.output.law_parsing import split_condition
from unitcraft.infer.universe.values import Values

pytestmark = pytest.mark.usefixtures("short_histories")

SOURCE = """
from dataclasses import dataclass


class Stock:
    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, name: str) -> None:
        self._counts[name] = self._counts.get(name, 0) + 1

    def drop(self, name: str) -> None:
        self._counts.pop(name, None)

    def count(self, name: str) -> int:
        return self._counts.get(name, 0)


class Queue:
    def __init__(self) -> None:
        self._waiting: dict[str, int] = {}

    def join(self, name: str) -> None:
        self._waiting[name] = 1

    def first(self) -> str:
        return next(iter(self._waiting), "")


@dataclass(frozen=True)
class Point:
    x: int
    y: int

    def __add__(self, other: "Point") -> "Point":
        return Point(self.x + other.x, self.y + other.y)

    def scale(self, by: int) -> "Point":
        return Point(self.x * by, self.y * by)

    def size(self) -> int:
        return abs(self.x) + abs(self.y)


class Lows:
    def __init__(self) -> None:
        self._all: list[int] = []

    def put(self, number: int) -> None:
        self._all.append(number)

    def lowest(self) -> int:
        return min(self._all)

    def is_empty(self) -> bool:
        return not self._all


class Funds:
    def __init__(self) -> None:
        self._held: dict[str, int] = {}

    def pay(self, name: str, amount: int) -> None:
        if amount <= 0:
            raise ValueError(amount)
        self._held[name] = self._held.get(name, 0) + amount

    def close(self, name: str) -> None:
        self._held.pop(name, None)

    def held(self, name: str) -> int:
        return self._held.get(name, 0)

    def total(self) -> int:
        return sum(self._held.values())
"""


def texts(specification):
    return [text for law in specification.laws for text in law.said]


def test_what_observers_with_arguments_show_makes_laws_of_two_calls_follow(specify):
    laws = texts(specify("Stock"))
    assert "count(drop(S, name), name) == 0" in laws
    assert not any(law.startswith(("add(add(", "drop(drop(", "drop(add(")) for law in laws), laws


def test_that_one_call_changes_nothing_is_shown_all_the_same(specify):
    assert any(law.startswith("drop(S, name) == S if ") for law in texts(specify("Stock")))


def test_the_order_of_a_dict_counts_where_a_call_shows_it(specify):
    assert "in any order" in specify("Stock").equality
    assert "in any order" not in specify("Queue").equality
    assert not any(law.startswith("join(join(S, name), name2) ==") for law in texts(
        specify("Queue")
    ))  # fmt: skip


def test_sums_and_products_make_laws_of_points_follow(specify):
    laws = texts(specify("Point"))
    assert "x((S + other)) == x(S) + x(other)" in laws
    assert "x(scale(S, by)) == x(S) * by" in laws
    twice = ("scale(scale(S, by), by2)", "scale((", "((S + other) +")
    assert not any(law.startswith(twice) for law in laws), laws


def test_the_smaller_of_two_numbers(specify):
    laws = texts(specify("Lows"))
    assert "lowest(put(S, number)) == min(lowest(S), number) if not is_empty(S)" in laws


def test_what_an_observer_shows_of_the_argument_is_taken_away(specify):
    assert "total(close(S, name)) == total(S) - held(S, name)" in texts(specify("Funds"))


@pytest.mark.parametrize("condition", ["", "holds(S, x)", "x in [1 if y else 2]"])
def test_the_condition_of_a_law_stands_in_no_brackets(condition):
    equation = "items(take(S, x)) == [one for one in items(S) if one != x]"
    text = f"{equation} if {condition}" if condition else equation
    assert split_condition(text) == (equation, " if ", condition)


class FakeRows:
    """Rows on which every variable is 1 and then 2, or the given value."""

    def __init__(self, value=None):
        self.values = Values()
        self.universe = self
        self.table = self
        self._value = value

    def vector(self, _term):
        given = (1, 2) if self._value is None else (self._value, self._value)
        return tuple(self.values.of_plain(one) for one in given)

    def distinct(self, term):
        return dict.fromkeys(self.vector(term)).keys()


A, B, C = (Var("int", number) for number in range(3))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Compute(A, "+", B), Compute(B, "+", A)),
        (Compute(Compute(A, "+", B), "*", C), Compute(Compute(C, "*", B), "+", Compute(A, "*", C))),
        (Compute(Compute(A, "-", B), "*", C), Compute(Compute(A, "*", C), "-", Compute(B, "*", C))),
        (Compute(A, "negated", A), Compute(Compute(B, "-", A), "-", B)),
    ],
)
def test_forms_of_one_polynomial(left, right):
    assert are_one_polynomial(left, right, FakeRows())
    assert not are_one_polynomial(left, Compute(right, "+", A), FakeRows())


def test_two_terms_that_are_no_sums_are_not_compared():
    assert not are_one_polynomial(A, A, FakeRows())


def test_texts_are_no_polynomials():
    one, other = Compute(A, "+", B), Compute(B, "+", A)
    assert not are_one_polynomial(one, other, FakeRows("text"))


def test_constants_are_counted():
    rows = FakeRows()
    one = Constant(rows.values.of_plain(1))
    assert are_one_polynomial(Compute(Compute(A, "+", one), "-", A), Compute(one, "*", one), rows)
