from __future__ import annotations

import pytest

from unitcraft.app.terminal_text import align, counted, escape_control


def test_columns_are_as_wide_as_their_widest_cell():
    assert align([("a", "b", "c"), ("long", "1", ""), ("x", "22", "end")]) == (
        "a      b    c\nlong   1\nx     22  end"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("na\u00efve \u65e5\n", "na\u00efve \u65e5\n"),
        ("\x1b[2J\x07\r", "\\x1b[2J\\x07\\r"),
        ("\udc80", "\\udc80"),
    ],
)
def test_quoted_text_cannot_drive_the_terminal(text, shown):
    assert escape_control(text) == shown


def test_one_thing_is_singular():
    assert [counted(number, "branch") for number in (0, 1, 2)] == [
        "0 branches", "1 branch", "2 branches",
    ]  # fmt: skip
