"""Tests taken out of a text: exactly their lines or rows go, every other byte stays."""

from __future__ import annotations

import pytest

from unitcraft.app.suites.edit_tests import WHOLE, remove_tests
from unitcraft.suite.existing.suite_sources import parse_source

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
    lines = {one.name: line for line, one in parse_source(text).definitions.items()}
    return {lines[name]: rows for name, rows in wanted.items()}


def test_golden_file():
    assert remove_tests(OLD, removals(OLD, WANTED)) == NEW


WANTED = {
    "test_first": WHOLE,
    "test_rows": {"number": frozenset({1, 3}), "expected": frozenset({1, 3})},
    "test_product": {"a": frozenset({1, 2})},
    "TestGroup.test_beta": WHOLE,
    "TestLonely.test_alone": WHOLE,
    "test_conditional": WHOLE,
    "test_last": WHOLE,
}


def with_windows_line_ends(text):
    return text.replace("\n", "\r\n")


def with_tabs(text):
    return text.replace("    ", "\t")


def without_a_last_line_end(text):
    return text.removesuffix("\n")


@pytest.mark.parametrize("changed", [with_windows_line_ends, with_tabs, without_a_last_line_end])
def test_golden_file_in_other_hands(changed):
    assert remove_tests(changed(OLD), removals(changed(OLD), WANTED)) == changed(NEW)


CASES = '''\
import unittest


def only_for_beta(x):
    return x


class CartTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = 1

    def setUp(self):
        self.cart = {}

    @unittest.skipIf(False, "never")
    def test_alpha(self):
        for size in (1, 2):
            with self.subTest(size=size):
                self.assertTrue(size)

    def test_beta(self):
        self.assertEqual(only_for_beta(1), 1)


class EmptyTest(unittest.TestCase):
    """Only one."""

    def setUp(self):
        self.cart = {}

    def test_gamma(self):
        pass


if __name__ == "__main__":
    unittest.main()
'''


def test_unittest_classes_keep_what_is_no_test():
    """Helpers and ``setUp`` stay, whoever used them."""
    wanted = {"CartTest.test_beta": WHOLE, "EmptyTest.test_gamma": WHOLE}
    found = remove_tests(CASES, removals(CASES, wanted))
    gone = "\n    def test_beta(self):\n        self.assertEqual(only_for_beta(1), 1)\n"
    assert found == CASES.replace(gone, "").replace(
        "\n    def test_gamma(self):\n        pass\n", ""
    )


SPREAD = """\
@parametrize(
    "a, b",
    [
        # first

        (1,
         2),  # spread over lines
        # about the next one
        (3, 4),

        # last, a long one
        ("five",
         # inside
         "six"),
    ],
)
def test(a, b):
    assert a
"""


@pytest.mark.parametrize(
    ("number", "gone"),
    [
        (0, "        (1,\n         2),  # spread over lines\n"),
        (1, "        (3, 4),\n"),
        (2, '        ("five",\n         # inside\n         "six"),\n'),
    ],
)
def test_rows_spread_over_lines_keep_the_comments_between(number, gone):
    rows = dict.fromkeys("ab", frozenset({number}))
    assert remove_tests(SPREAD, {1: rows}) == SPREAD.replace(gone, "")


def rows(display, numbers, more=""):
    text = f"@parametrize('a', {display}{more})\ndef test(a):\n    assert a\n"
    found = remove_tests(text, {1: {"a": frozenset(numbers)}})
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
    assert remove_tests(text, {2: WHOLE}) == text.replace("    def test(self):\n    ", "")
