"""Texts that a solver made of signs get the words of a person, as far as they reach the same."""

from __future__ import annotations

import ast

import pytest

from unitcraft.core.sequences import Call, Sequence
from unitcraft.subject.literal_args import literal_in
from unitcraft.suite.generated.plain_texts import plainer_texts


def calling(text: str) -> Sequence:
    """``f(...)`` of literals as a Sequence."""
    args = ast.parse(f"f({text})", mode="eval").body.args
    return Sequence((Call("function", "m:f", tuple([literal_in(node) for node in args])),))


@pytest.mark.parametrize(
    ("given", "proposed"),
    [
        ("'$$$.aa(()', {'$$$': 1}", "'x.y(()', {'x': 1}"),
        ("'$$$.aa(()', {'$$$': 1}", "'$$$.aa()', {'$$$': 1}"),
        ("'aa + x'", "'y + x'"),
        ("'a\\x00b'", "'ab'"),
        ("'a \\t = 1'", "'a = 1'"),
        ("'a \\t = 1'", "'a=1'"),
        ("'abc%s'", "'abc'"),
    ],
)
def test_odd_words_get_names_everywhere_and_signs_are_left_out(given, proposed):
    assert calling(proposed) in list(plainer_texts(calling(given)))


@pytest.mark.parametrize(
    "given", ["'2024-01-31'", "'1.0.0'", "'abc def'", "b'a b'", "'mm/dd'", "'y\\n'"]
)
def test_what_a_person_would_write_stays(given):
    assert list(plainer_texts(calling(given))) == []
