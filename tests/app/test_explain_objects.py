"""``explain`` on examples of the literature: ``explain_summary``, ``method_summaries``.

Heirs in place of their base, classes that are tested for, nested lists, loops over constants.
"""

from __future__ import annotations

import pytest

CODE = """\
from __future__ import annotations


class CoinBox:
    def __init__(self) -> None:
        self.total = 0
        self.current = 0
        self.allow = False

    def add(self) -> None:
        self.current = self.current + 1
        if self.current > 1:
            self.allow = True

    def give_back(self) -> None:
        self.current = 0

    def vend(self) -> None:
        if self.allow:
            self.total = self.total + self.current
            self.current = 0
            self.allow = False


class Buffer:
    def __init__(self) -> None:
        self.cells = [0, 0]

    def fill(self, value: int) -> int:
        for place in range(2):
            self.cells[place] = -1
        return value if value > 0 else self.cells[0]


class Shape:
    def __init__(self, name: str) -> None:
        self.name = name

    def area(self) -> int:
        raise NotImplementedError


class Square(Shape):
    def __init__(self, side: int) -> None:
        super().__init__("square")
        self.side = side

    def area(self) -> int:
        return self.side * self.side


class Named(Shape):
    pass


def is_large(shape: Shape) -> bool:
    return shape.area() > 99


class Cell:
    def __init__(self, value: int) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cell):
            return False
        return self.value == other.value

    def divide(self, by: int) -> None:
        self.value = 12 // by


def diagonal(grid: list[list[int]]) -> str:
    if len(grid) == 2 and len(grid[0]) == 2 and len(grid[1]) == 2:
        return "target" if grid[0][0] > 5 and grid[1][1] == grid[0][0] + 1 else "square"
    return "other"
"""


@pytest.fixture
def explain(explain_code):
    return explain_code(CODE)


def outcomes(told):
    """Shape and condition of each path with what it comes to."""
    return {
        " and ".join([*path["shape"], *path["condition"]]): path["outcome"].partition(":")[0]
        for path in told["paths"]
    }


def test_the_summary_of_the_coin_box_has_six_paths(explain):
    rows = explain("CoinBox", "--summary")["paths"]
    told = [(row["call"], " and ".join(row["needs"]), ", ".join(row["changes"])) for row in rows]
    assert told == [
        ("CoinBox()", "", "self.total' = 0, self.current' = 0, self.allow' = False"),
        ("add()", "self.current + 1 <= 1", "self.current' = self.current + 1"),
        ("add()", "self.current + 1 > 1",
         "self.current' = self.current + 1, self.allow' = True"),
        ("give_back()", "", "self.current' = 0"),
        ("vend()", "self.allow is False", ""),
        ("vend()", "self.allow is True",
         "self.total' = self.total + self.current, self.current' = 0, self.allow' = False"),
    ]  # fmt: skip


def test_a_path_that_raises_says_so_in_the_summary(explain, run):
    rows = [row for row in explain("Cell", "--summary")["paths"] if row["call"] == "divide()"]
    assert [(row["needs"], row["changes"]) for row in rows] == [
        (["by == 0"], ["raises ZeroDivisionError"]),
        (["by != 0"], ["self.value' = 12 // by"]),
    ]
    text = run("explain", "things:CoinBox", "--summary").stdout.splitlines()
    assert text[0] == "things:CoinBox: 6 paths"
    assert text[2].split() == ["call", "path", "needs", "changes"]
    done = run("explain", "things:is_large", "--summary")
    assert (done.returncode, "[not-a-callable]" in done.stderr) == (2, True)


def test_the_coin_box_gives_a_drink_for_coins_that_it_gave_back(explain):
    told = explain("CoinBox.vend", "--sequences", "5")
    listed = [each["calls"] for each in told["lengths"][4]["sequences"]]
    assert ["CoinBox()", "add()", "add()", "give_back()", "vend()"] in listed


def test_a_loop_over_constants_adds_no_paths(explain):
    told = explain("Buffer.fill", "--calls", "0")
    assert outcomes(told) == {"value > 0": "returns 1", "value <= 0": "returns -1"}
    assert (told["unexplored"], told["branches_not_taken"][1:]) == (0, [])


def test_an_heir_stands_for_its_base_where_it_overrides(explain):
    assert outcomes(explain("is_large")) == {
        "type(shape) is Shape": "raises NotImplementedError at line 40",
        "type(shape) is Square and shape.side * shape.side <= 99": "returns False",
        "type(shape) is Square and shape.side * shape.side > 99": "returns True",
    }


def test_an_object_of_the_class_that_is_tested_for_is_tried_first(explain):
    told = outcomes(explain("Cell.__eq__"))
    assert next(iter(told.items())) == (
        "isinstance(other, Cell) and cell.value == other.value", "returns True",
    )  # fmt: skip
    assert told["isinstance(other, Cell) and cell.value != other.value"] == "returns False"
    assert told["other is self"] == "returns True"


def test_rows_of_one_length_are_reached(explain):
    assert "returns 'target'" in outcomes(explain("diagonal")).values()
    assert "returns 'target'" in outcomes(explain("diagonal", "--sequences", "1")).values()
