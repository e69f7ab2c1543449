"""What a test name says of an exception that the code catches itself."""

from __future__ import annotations

import ast

import pytest

from unitcraft.emit.naming.circumstances import Conditions
from unitcraft.emit.naming.handler_words import handler_words
from unitcraft.instrument.sites import BranchSite


@pytest.mark.parametrize(
    ("body", "caught", "expected"),
    [
        ("read(path)", "FileNotFoundError", "when_file_is_missing"),
        ("table[key]", "KeyError", "missing_key"),
        ("int(text)", "ValueError", "on_value_error"),
        ("int(text)", "(TypeError, ValueError)", "on_type_error_or_value_error"),
        ("int(text)", "(KeyError, TypeError, ValueError)", ""),
        ("send(data)", "socket.timeout", "on_timeout"),
        ("connect(host)", "Exception", "when_connect_fails"),
        ("self.connect()", "", "when_connect_fails"),
        ("first(); second()", "BaseException", "on_error"),
        ("next(items)", "StopIteration", ""),
        ("next(items)", "errors[0]", ""),
    ],
)
def test_the_words_for_a_handler(body, caught, expected):
    node = ast.parse(f"try:\n    {body}\nexcept {caught}:\n    pass").body[0]
    assert isinstance(node, ast.Try)
    assert handler_words(node, node.handlers[0]) == expected


SOURCE = """def load(path):
    try:
        return read(path)
    except FileNotFoundError:
        return ""
    except ValueError as error:
        raise LoadError from error
"""


def caught(line: int) -> BranchSite:
    return BranchSite("m", "load", line, "handler", "caught")


def test_what_was_caught_is_a_circumstance_that_a_raise_of_its_own_outdoes():
    conditions = Conditions(SOURCE)
    missing, *others = conditions.circumstances([caught(4)])
    refused = conditions.circumstances([caught(6)])[0]
    assert (missing.words, missing.of_local, others) == ("when_file_is_missing", False, [])
    assert (refused.words, refused.of_local) == ("on_value_error", True)
