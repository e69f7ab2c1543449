"""Words for files and variables that a test arranges."""

from __future__ import annotations

import pytest

from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import Call, Const, Display, Sequence
from unitcraft.emit.naming.surroundings_words import file_words, variable_words
from unitcraft.suite import tests


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, ["missing_file"]),
        (Const(""), ["empty_file"]),
        (Const(b"x"), ["file"]),
        (Display("dict", ()), ["empty_folder"]),
        (Display("dict", (Const("a"), Const(""))), ["folder"]),
    ],
)
def test_what_stands_at_a_path(content, expected):
    assert file_words(content) == expected


def test_variables_are_set_or_removed():
    calls = (
        Call("arrange", "setenv", (Const("API_TOKEN"), Const("a"))),
        Call("arrange", "delenv", (Const("HOME"),)),
        Call("arrange", "setattr", (Const("sys.argv"), Display("list", ()))),
        Call("arrange", "setattr", (Const("m.Registry._known"), Display("dict", ()))),
        Call("function", "m:f"),
    )
    found = variable_words(tests.Test("m:f", Sequence(calls), Returned()))
    assert found == ["with_api_token", "with_argv", "without_home"]
