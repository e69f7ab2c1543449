"""Expected messages and relations as text."""

from __future__ import annotations

import re

import pytest
from random_tests import WORDS

from unitcraft.core.sequences import Const, Ref
from unitcraft.emit.code.assert_statements import assertion, pattern_text
from unitcraft.emit.code.entered_code import Entered
from unitcraft.emit.code.formatter import Leaf, flat
from unitcraft.emit.code.literal_code import Code, Level
from unitcraft.suite.relations import CALLABLE
from unitcraft.suite.tests import Check


@pytest.mark.parametrize(
    "message", [*WORDS, "a.b*c?", "(x) [y] {z} | ^ $", "ends with \\", "'\"", "two\nlines\n"]
)
def test_a_pattern_matches_its_message_and_nothing_longer(message):
    pattern = eval(pattern_text(message))
    assert re.search(pattern, message)
    assert not re.search(pattern, f"XX{message}XX")


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("plain words, it's", 'r"^plain words, it\'s$"'),
        ('no "quotes"', "r'^no \"quotes\"$'"),
        ("(a)", 'r"^\\(a\\)$"'),
        ("a\nb", '"^a\\nb$"'),
        ("no function of that name; please report it at " + 9 * "example ",
         'r"^no function of that name;"'),
        ("words " * 20, 'r"^' + 14 * "words " + 'words"'),
        ("bad items (2 sub-exceptions)", 'r"^bad items"'),
        ("Unable to choose a term: object of type 'int' has no len()",
         'r"^Unable to choose a term:"'),
        ("x" * 95, 'r"^' + 90 * "x" + '"'),
    ],
)  # fmt: skip
def test_patterns_stay_readable(message, text):
    assert pattern_text(message) == text


@pytest.mark.parametrize(
    ("observed", "expected"),
    [(Code(Leaf("text")), "text.startswith('a')"),
     (Code(Leaf("a + b"), Level.ADD), "(a + b).startswith('a')")],
)  # fmt: skip
def test_a_long_text_begins_as_it_should(observed, expected):
    check = Check(Ref(0), "startswith", Const("a"))
    assert flat(assertion(check, observed, None, None)).replace('"', "'") == expected


def test_what_can_be_called_is_asked_by_callable():
    check = Check(Ref(0), "isinstance", CALLABLE)
    assert flat(assertion(check, Code(Leaf("route")), None, None)) == "callable(route)"


def test_entered_results_are_bound_where_they_are_used():
    manager = Entered("    ", manager="opened(1)")
    assert manager.lines("value") == ["    with opened(1) as value:", "        pass"]
    assert manager.lines("") == ["    with opened(1):", "        pass"]
    items = Entered("    ", run="asyncio.run(collect())", before=["    async def collect():"])
    assert items.lines("") == ["    async def collect():", "    asyncio.run(collect())"]
    assert items.raising() == ["        asyncio.run(collect())"]
