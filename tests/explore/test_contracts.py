"""Contracts: which asserts are preconditions, and who broke the one that failed."""

from __future__ import annotations

import textwrap

import pytest

from unitcraft.core.goals import Family
from unitcraft.explore.contracts import assert_lines

CODE = '''
    class Ranks:
        def __init__(self, ranks: list[int]) -> None:
            assert ranks == sorted(ranks)
            self.ranks = ranks

        def insert(self, rank: int) -> None:
            """Keep the ranks in order."""
            assert rank > 0, "ranks are positive"
            self.ranks.append(rank)
            assert self.ranks == sorted(self.ranks), "the ranks are in order"

        def lower(self, by: int) -> None:
            self.insert(self.ranks[0] - by)

        def copy(self) -> "Ranks":
            return Ranks(self.ranks[::-1])


    def fail() -> None:
        raise AssertionError("never")
    '''


def broken_asserts(made, run):
    """The lines of the asserts for which a search keeps the run."""
    goals = made.goals()
    goals.offer(run, 1)
    return [goal.number for goal in goals.best if goal.family is Family.CONTRACT]


def lines(body):
    text = "def f(values, size):\n" + textwrap.indent(textwrap.dedent(body), "    ")
    return assert_lines(text)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("assert size", {2: "f"}),
        ("'doc'\nassert size\nsize += 1\nassert size", {3: "f", 5: ""}),
        ("if size:\n    assert values\nassert size", {3: "f", 4: "f"}),
        ("for one in values:\n    assert one\n", {3: "f"}),
        ("count = len(values)\nassert count", {3: "f"}),
        ("total = sum(values)\nassert total", {3: ""}),
        ("half = size / 2\nassert half", {3: ""}),
        ("if not values:\n    return 0\nassert size", {4: "f"}),
        ("values.sort()\nassert size", {3: "f"}),
        ("def inner():\n    assert size\ninner()", {3: ""}),
        ("def inner():\n    assert size\nassert size.all", {3: "", 4: "f"}),
        ("@size\ndef inner(): ...\none = size[0]\nassert one", {5: ""}),
        ("with size as values:\n    assert values", {3: ""}),
        ("size.add(1)\nassert values is not None and len(size) > 1", {3: "f"}),
        ("size = 1\nvalues.sort()\nassert size", {4: ""}),
        ("values.sort()\nassert size\nsize = 1", {3: "f"}),
        ("values.sort()\nassert values.size", {3: ""}),
        ("total = sum(values)\nassert len(values.size) == 1", {3: ""}),
        ("values.kind.sort()\nassert isinstance(values.size, str)", {3: "f"}),
        ("values.kind.sort()\nassert values.kind.name", {3: ""}),
        ("values.size = 1\nassert values.size", {3: ""}),
        ("sum(size)\nassert values.f", {3: ""}),
        (
            "k = 1 + 1\nfor one, n in values:\n    one = str(one)\n    assert isinstance(one, str)",
            {5: "f"},
        ),
        ("k = 1 + 1\nfor one in values:\n    assert one > k", {4: ""}),
        ("k = 1 + 1\nfor one in sum(values):\n    assert isinstance(one, int)", {4: ""}),
        ("k = 1 + 1\ndef inner():\n    assert isinstance(size, int)\ninner()", {4: ""}),
        ("assert (\n    size\n)", {2: "f", 3: "f", 4: "f"}),
    ],
)
def test_a_precondition_stands_before_all_that_computes(body, expected):
    assert lines(body) == expected


def test_a_constructor_may_keep_its_arguments_before_it_checks_them():
    text = "class A(B):\n    def {}(self, x):\n        super().__init__(x)\n        self.x = x\n"
    text += "        assert self.x\n        self.y = x + 1\n        assert self.y\n"
    assert assert_lines(text.format("__init__")) == {5: "__init__", 7: ""}
    assert assert_lines(text.format("keep")) == {5: "", 7: ""}


@pytest.mark.parametrize(
    ("calls", "line"),
    [
        ("Ranks([1]).insert(2)", 0),
        ("Ranks([1]).insert(-1)", 0),
        ("Ranks([2]).insert(1)", 11),
        ("Ranks([2, 1])", 0),
        ("Ranks([1]).lower(3)", 9),
        ("Ranks([1, 2]).copy()", 4),
        ("fail()", 0),
    ],
)
def test_the_code_is_blamed_for_what_fails_after_valid_calls(lab, calls, line):
    made = lab(CODE)
    first, _, last = calls.partition(").")
    text = f"it = {first})\nit.{last}" if last else calls
    run = made.run(text, "Ranks" if calls == "Ranks([2, 1])" else "")
    assert broken_asserts(made, run) == ([line] if line else [])


def test_a_state_that_the_test_itself_stored_says_nothing(lab):
    made = lab(CODE)
    run = made.run("it = Ranks([1])\nit.ranks = [5]\nit.insert(2)")
    assert run.failed is not None
    assert broken_asserts(made, run) == []
