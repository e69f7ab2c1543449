"""Tests taken out of a text: exactly their lines or rows go, every other byte stays."""

from __future__ import annotations

import pytest

from unitcraft.app.editing import WHOLE, without
from unitcraft.suite.sources import parsed

OLD = '''\
#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Tests of a cart — with an umlaut: ä."""
import os, sys   # unused, and stays
import pytest


# --- helpers ------------------------------------------------

def helper( x ):        # odd spacing stays
    return x


@pytest.fixture
def cart():
    yield {}            # a fixture

# About the first test,
# in two lines.
@pytest.mark.slow
def test_first(cart):
    """Docstring."""
    assert helper(1)   # why


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        # small ones
        (1, 2),  # one
        (2, 3),  # two
        # large ones
        (1000, 1001),
        pytest.param(7, 8, id="ä-seven"),
    ],
)
def test_rows(number, expected):
    assert number + 1 == expected


@pytest.mark.parametrize("a", [1, 2, 3, 4])
@pytest.mark.parametrize("b", ("ä", "y"), ids=["first", "second"])
def test_product(a, b):
    assert a and b



class TestGroup:
    """A group."""

    size = 3

    def setup_method(self):
        self.value = 1

    # About alpha.
    def test_alpha(self):
        assert self.value

    def test_beta(self):
        assert (
            self.value
        )

    # A comment that closes the class.


class TestLonely:
    """Only one."""

    def test_alone(self):
        assert True


if sys.version_info > (3,):
    def test_conditional():
        assert True

x = 1; y = 2
def test_last():
    assert x
# The end.
'''

NEW = '''\
#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Tests of a cart — with an umlaut: ä."""
import os, sys   # unused, and stays
import pytest


# --- helpers ------------------------------------------------

def helper( x ):        # odd spacing stays
    return x


@pytest.fixture
def cart():
    yield {}            # a fixture

@pytest.mark.parametrize(
    ("number", "expected"),
    [
        # small ones
        (1, 2),  # one
        # large ones
        (1000, 1001),
    ],
)
def test_rows(number, expected):
    assert number + 1 == expected


@pytest.mark.parametrize("a", [1, 4])
@pytest.mark.parametrize("b", ("ä", "y"), ids=["first", "second"])
def test_product(a, b):
    assert a and b



class TestGroup:
    """A group."""

    size = 3

    def setup_method(self):
        self.value = 1

    # About alpha.
    def test_alpha(self):
        assert self.value

    # A comment that closes the class.


if sys.version_info > (3,):
    pass

x = 1; y = 2
# The end.
'''


def removals(text, wanted):
    lines = {one.name: line for line, one in parsed(text).definitions.items()}
    return {lines[name]: rows for name, rows in wanted.items()}


def test_golden_file():
    wanted = {
        "test_first": WHOLE,
        "test_rows": {"number": frozenset({1, 3}), "expected": frozenset({1, 3})},
        "test_product": {"a": frozenset({1, 2})},
        "TestGroup.test_beta": WHOLE,
        "TestLonely.test_alone": WHOLE,
        "test_conditional": WHOLE,
        "test_last": WHOLE,
    }
    assert without(OLD, removals(OLD, wanted)) == NEW


def test_line_ends_stay():
    old, new = OLD.replace("\n", "\r\n"), NEW.replace("\n", "\r\n")
    wanted = {"test_first": WHOLE}
    found = without(old, removals(old, wanted))
    assert found is not None
    assert "\n" not in found.replace("\r\n", "")
    assert found.startswith(new[: new.index("@pytest.mark.parametrize")])


def rows(display, numbers, more=""):
    text = f"@parametrize('a', {display}{more})\ndef test(a):\n    assert a\n"
    found = without(text, {1: {"a": frozenset(numbers)}})
    return None if found is None else found.partition("'a', ")[2].partition("\ndef")[0][:-1]


@pytest.mark.parametrize(
    ("display", "numbers", "expected"),
    [
        ("[1, 2, 3]", [0], "[2, 3]"),
        ("[1, 2, 3]", [2], "[1, 2]"),
        ("[1, 2, 3]", [1, 2], "[1]"),
        ("[1, 2, 3]", [0, 2], "[2]"),
        ("[1, 2, 3,]", [2], "[1, 2,]"),
        ("[(1), (2)]", [1], "[(1)]"),
        ("[\n  1,\n  2\n]", [1], "[\n  1,\n]"),
        ("[\n  1,\n  2\n]", [0], "[\n  2\n]"),
        ("[1,\n 2, 3]", [0], "[2, 3]"),
        ("[1,\n 2, 3]", [2], "[1,\n 2]"),
        ("(1, 2, 3)", [0], "(2, 3)"),
        ("((1, 2), 3,)", [1], "((1, 2),)"),
    ],
)
def test_rows_of_every_layout(display, numbers, expected):
    assert rows(display, numbers) == expected


@pytest.mark.parametrize(
    ("display", "numbers", "more"),
    [
        ("(1, 2)", [1], ""),  # the rest would be no tuple
        ("VALUES", [0], ""),
        ("[*VALUES, 2]", [0], ""),
        ("[1, 2]", [0, 1], ""),
        ("[1, 2]", [2], ""),
        ("[1, 2]", [0], ", ids=NAMES"),
    ],
)
def test_what_is_not_written_out_stays(display, numbers, more):
    assert rows(display, numbers, more) is None


def test_ids_go_with_their_rows():
    assert rows("[1, 2, 3]", [1], ", ids=['x', 'y', 'z']") == "[1, 3], ids=['x', 'z']"


def test_a_class_that_others_name_stays():
    text = "class TestA:\n    def test(self):\n        pass\n\n\nclass TestB(TestA):\n    x = 1\n"
    assert without(text, {2: WHOLE}) == text.replace("    def test(self):\n    ", "")
