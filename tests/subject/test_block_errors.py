"""Exceptions that a context manager looks for in what its block raises."""

from __future__ import annotations

import pytest

from unitcraft.subject.subject_codec import decode_subject, encode_subject

HEAD = """
from contextlib import contextmanager

class Discard(Exception):
    pass
"""
GENERATOR = """
@contextmanager
def draft():
    try:
        {body}
    {handler}
        pass
"""
CLASS = """
class Guard:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return {test}
"""


@pytest.mark.parametrize(
    ("body", "handler", "expected"),
    [
        ("yield", "except Discard:", ["Discard"]),
        ("yield 1", "except (Discard, KeyError):", ["Discard", "KeyError"]),
        ("x = yield", "except Discard as error:", ["Discard"]),
        ("print()", "except Discard:", []),
        ("yield", "except BaseException:", []),
        ("yield", "except unknown.Error:", []),
        ("yield", "finally:", []),
    ],
)
def test_a_handler_around_a_yield(subject, body, handler, expected):
    text = HEAD + GENERATOR.format(body=body, handler=handler)
    found = dict(subject(text).block_errors)
    assert [error.callee.qualname for error in found.get("draft", ())] == expected


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("kind is KeyError", ["KeyError"]),
        ("kind is not None and issubclass(kind, Discard)", ["Discard"]),
        ("isinstance(error, (Discard, OSError))", ["Discard", "OSError"]),
        ("kind == Discard", ["Discard"]),
        ("kind is None", []),
        ("issubclass(kind, Guard)", []),
    ],
)
def test_what_a_class_asks_for_where_its_block_is_left(subject, test, expected):
    found = subject(HEAD + CLASS.format(test=test))
    known = dict(found.block_errors)
    assert [error.callee.qualname for error in known.get("Guard.__enter__", ())] == expected
    assert set(known) <= {"Guard.__enter__"}
    assert decode_subject(encode_subject(found)) == found
