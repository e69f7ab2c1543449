"""A text that is a mere ending gets a word before it."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Call, Const, Sequence
from unitcraft.suite.telling.examples.affixed_texts import with_words_beside


def asked(*texts):
    return Sequence((Call("function", "shop:check", tuple(map(Const, texts))),))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".zip", "abc.zip"), ("file:", "file:abc"), ("abc=", "abc=def"), ("git://", "git://abc"),
        ("x@..", "jo@site.com"), ("abcdefghi:", "abcdefghi:abc"),
    ],
)  # fmt: skip
def test_a_mere_ending_or_beginning_is_completed(text, expected):
    assert list(with_words_beside(asked(text))) == [asked(expected)]


@pytest.mark.parametrize("text", ["abc", "a.zip", ".", "-v", "a:b", "jo@site.com", "", 3])
def test_other_texts_stay(text):
    assert list(with_words_beside(asked(text))) == []


def test_several_are_completed_together_and_each():
    assert list(with_words_beside(asked(".zip", "file:"))) == [
        asked("abc.zip", "file:abc"), asked("abc.zip", "file:"), asked(".zip", "file:abc"),
    ]  # fmt: skip
