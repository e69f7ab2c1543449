"""What a person gives to a name: the values of the table, or the name itself."""

from __future__ import annotations

import pytest

from unitcraft.subject.values.texts.example_table import EXAMPLES, LAST_WORDS
from unitcraft.suite.telling.examples.example_values import examples_of, is_example


@pytest.mark.parametrize(
    ("name", "kind", "count", "expected"),
    [
        ("host", str, 1, ("localhost",)),
        ("method", str, 2, ("GET", "POST")),
        ("base_url", str, 1, EXAMPLES["url"][:1]),
        ("Content-Type", str, 1, ("text/plain",)),
        ("contentType", str, 1, ("text/plain",)),
        ("code", int, 1, (200,)),
        ("exit_code", int, 1, ()),
        ("port", str, 1, (80,)),
        ("title", str, 1, ("title",)),
        ("title", str, 2, ("title1", "title2")),
        ("title", int, 1, ()),
        ("titles", str, 1, ()),
        ("canvas", str, 1, ("canvas",)),
        ("a_name_of_many_words", str, 1, ()),
        ("domain", str, 2, ()),
        ("value", str, 1, ()),
        ("x", str, 1, ()),
        ("timeout", str, 1, ()),
        ("verbose", str, 1, ()),
        ("", str, 1, ()),
    ],
)
def test_a_name_has_values_of_its_own(name, kind, count, expected):
    assert examples_of(name, kind, count) == expected


@pytest.mark.parametrize(
    ("value", "name", "expected"),
    [
        ("localhost", "host", True), ("GET", "methods", True), ("title", "title", True),
        ("title2", "titles", True), (200, "code", True), ("localhost", "title", False),
        ("abc", "title", False), (None, "host", False), ("", "", False),
    ],
)  # fmt: skip
def test_what_was_put_for_a_name_is_known(value, name, expected):
    assert is_example(value, name) is expected


def test_values_of_a_name_differ_and_words_have_values():
    assert all(len(set(values)) == len(values) for values in EXAMPLES.values())
    assert set(EXAMPLES) >= LAST_WORDS
