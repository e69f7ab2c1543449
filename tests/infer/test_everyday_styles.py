"""Laws of everyday classes: numbers of the standard library, texts, typed_constructors."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Const, Symbol
from unitcraft.infer.universe.values import Values

SOURCE = """
from decimal import Decimal


class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __eq__(self, other):
        return isinstance(other, Vector) and (self.x, self.y) == (other.x, other.y)

    __hash__ = None

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    def norm(self):
        return self.x * self.x + self.y * self.y


class Box:
    def __init__(self, content):
        self.content = content

    def swap(self, content):
        self.content = content


class Words:
    def __init__(self, text: str):
        self._words = text.split()
        self._place = 0

    def left(self) -> int:
        return len(self._words) - self._place

    def peek(self) -> str | None:
        return self._words[self._place] if self.left() else None

    def next(self) -> str:
        if not self.left():
            raise EOFError
        self._place += 1
        return self._words[self._place - 1]

    def accept(self, word: str) -> bool:
        if self.peek() != word:
            return False
        self._place += 1
        return True


class Till:
    def __init__(self, percent: int = 0):
        self._lines: list[Decimal] = []
        self.set_percent(percent)

    def percent(self) -> int:
        return self._percent

    def set_percent(self, percent: int) -> None:
        if not 0 <= percent <= 100:
            raise ValueError
        self._percent = percent

    def ring(self, price: Decimal) -> None:
        if price < 0:
            raise ValueError
        self._lines.append(price)

    def total(self) -> Decimal:
        return sum(self._lines, Decimal(0))


class Line:
    def __init__(self, text: str = ""):
        self._text = text
        self._cursor = 0

    def text(self) -> str:
        return self._text

    def cursor(self) -> int:
        return self._cursor

    def type(self, piece: str) -> None:
        self._text = self._text[:self._cursor] + piece + self._text[self._cursor:]
        self._cursor += len(piece)

    def home(self) -> None:
        self._cursor = 0

    def end(self) -> None:
        self._cursor = len(self._text)


class Tank:
    def __init__(self, limit: int):
        if limit < 1:
            raise ValueError
        self.limit = limit
        self.level = 0

    def fill(self, amount: int) -> None:
        if amount < 0:
            raise ValueError
        self.level = min(self.limit, self.level + amount)

    def fits(self, amount: int) -> bool:
        return amount <= self.limit
"""


@pytest.fixture(scope="module")
def said(specify):
    return lambda name: " | ".join(sorted(one.text for one in specify(name).laws))


def test_a_constructor_parameter_without_a_type_is_given_what_the_methods_can_use(said):
    found = said("Vector")
    assert "Vector(x, y) has x == x, y == y" in found
    assert "keeps norm" in found
    assert "TypeError" not in found
    assert "-(-S) == S" in found


def test_a_parameter_that_takes_anything_has_no_type(said):
    assert "Box(" not in said("Box")


def test_a_product_is_an_operator(said):
    assert "x == x(S) * factor" in said("Vector")


def test_a_text_that_is_taken_apart_has_several_parts(said):
    found = said("Words")
    assert "(peek(S) == word)" in found
    assert "left(S) - 1" in found
    assert "'a'" not in found


def test_decimals_are_numbers(said):
    found = said("Till")
    assert "total == total(S) + price" in found
    assert "ring(S, price) raises ValueError if price < 0" in found
    assert "0 <= percent(S), total(S)" in found


def test_equal_decimals_are_one_value():
    values = Values()
    made = [values.of_arg(Build(Symbol("decimal", "Decimal"), (Const(text),)))
            for text in ("1.5", "1.50", "0", "-0.0", "2")]  # fmt: skip
    assert made[0] == made[1] != made[2] == made[3] != made[4]


def test_a_law_that_a_far_value_refutes_is_tried_where_the_call_returns(said):
    assert "set_percent(S, percent) has percent == percent" in said("Till")


def test_lengths_of_texts_are_numbers(said):
    found = said("Line")
    assert "cursor(S) <= len(text(S))" in found
    assert "end(S) has cursor == len(text(S))" in found
    assert "len(text(type(S, piece))) == len(text(S)) + len(piece)" in found


def test_an_answer_compares_the_argument_with_what_is_shown(said):
    assert "fits(S, amount) == (amount <= limit(S))" in said("Tank")
