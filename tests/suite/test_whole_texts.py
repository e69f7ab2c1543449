"""Tests of whole words and lines in place of parts of what others pass."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Call, Const, Sequence
from unitcraft.suite.telling.examples.whole_texts import with_whole_texts

DOCUMENT = "Title\n\nName\n----\nsize : int\n    How many there are.\n"


def _found(text: str, *shown: str) -> list[str]:
    sequence = Sequence((Call("function", "m:parse", (Const(text),)),))
    return [one.calls[0].args[0].value for one in with_whole_texts(sequence, shown)]


@pytest.mark.parametrize(
    ("text", "shown", "expected"),
    [
        ("ready to go hom", "I am ready to go home, she said", ["ready to go home"]),
        ("eady to go", "I am ready to go home", ["ready to go"]),
        ("ready to go", "I am ready to go home", []),
        ("other words", "I am ready to go home", []),
        ("abc", "abcdefghi", []),
    ],
)
def test_a_part_of_a_text_gets_the_rest_of_its_words(text, shown, expected):
    assert _found(text, shown) == expected


def test_a_line_that_is_cut_gets_its_rest():
    assert _found("Name\n----\nsize : in", DOCUMENT)[0] == "Name\n----\nsize : int"


def test_a_blank_last_line_is_left_out():
    assert _found("Name\n----\nsize : in\n    ", DOCUMENT)[0] == "Name\n----\nsize : int"


def test_a_garbled_text_gives_way_to_the_one_it_has_most_lines_of():
    garbled = "Title\n\nName\n----\nsize : int\nmanHow"
    assert DOCUMENT in _found(garbled, "another text", DOCUMENT)
    assert _found(garbled, "another text", DOCUMENT + "x" * 600) == []


def test_a_text_that_others_pass_stays():
    assert _found(DOCUMENT, DOCUMENT, DOCUMENT + "more") == []
