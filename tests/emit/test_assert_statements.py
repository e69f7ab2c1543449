"""Expected messages and relations as text."""

from __future__ import annotations

import re

import pytest
from random_tests import WORDS

from unitcraft.emit.code.assert_statements import pattern_text
from unitcraft.emit.code.entered_code import Entered


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
        ("x" * 95, 'r"^' + 90 * "x" + '"'),
    ],
)  # fmt: skip
def test_patterns_stay_readable(message, text):
    assert pattern_text(message) == text


def test_entered_results_are_bound_where_they_are_used():
    manager = Entered("    ", manager="opened(1)")
    assert manager.lines("value") == ["    with opened(1) as value:", "        pass"]
    assert manager.lines("") == ["    with opened(1):", "        pass"]
    items = Entered("    ", run="asyncio.run(collect())", before=["    async def collect():"])
    assert items.lines("") == ["    async def collect():", "    asyncio.run(collect())"]
    assert items.raising() == ["        asyncio.run(collect())"]
