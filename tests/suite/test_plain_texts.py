"""Texts that a solver made of signs get the words of a person, as far as they reach the same."""

from __future__ import annotations

import ast

import pytest

from unitcraft.core.sequences import Call, Const, Sequence
from unitcraft.explore.execution import cost, lone_brackets
from unitcraft.subject.literal_args import literal_in
from unitcraft.suite.generated.plain_texts import plainer_texts, with_words_for_letters


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
        ("'ROR', ['zz9z', 'ROR']", "'abc', ['def', 'abc']"),
        ("'ROR', ['zz9z', 'ROR']", "'abc', ['zz9z', 'abc']"),
        ("'a', 'abc', 'b'", "'def', 'abc', 'ghi'"),
        ("' worl'", "' abc'"),
        ("'%hello/'", "'%abc/'"),
        ("'1111-2-3T4:5'", "'2024-2-3T4:5'"),
        ("'3333-44-5'", "'2024-44-5'"),
        ("'1112/2/3'", "'2024/2/3'"),
        ("'}}{{name'", "'{{name}}'"),
        ("'lo {'", "'lo x'"),
        ("'f(]'", "'f()'"),
        ("'https:abc'", "'https://example.com/index.html'"),
        ("'http://a.b/c/d'", "'http://example.com/c/d'"),
        ("'file:abc'", "'file:///index.html'"),
        ("b'ello\\x00worl'", "b'abc\\x00def'"),
        ("b'ello\\x00worl'", "b'abc\\x00worl'"),
    ],
)
def test_odd_words_get_names_everywhere_and_signs_are_left_out(given, proposed):
    assert calling(proposed) in list(plainer_texts(calling(given)))


@pytest.mark.parametrize(
    "given",
    [
        "'2024-01-31'",
        "'https://example.com/a/b'",
        "'ftp://localhost:80'",
        "'1.0.0'",
        "'11111111-1111-1111-8111-111111111111'",
        "'abc def'",
        "b'a b'",
        "'mm/dd'",
        "'y\\n'",
        "'message', 'line'",
        "'No media found'",
        "'main_host'",
        "'me@site.com'",
    ],
)
def test_what_a_person_would_write_stays(given):
    assert list(plainer_texts(calling(given))) == []


def test_a_variable_and_what_is_compared_with_it_get_the_same_word():
    use = calling("'main_x1'").calls[0]
    branch = Call("arrange", "setenv", (Const("BRANCH"), Const("main_x1")))
    other = Call("arrange", "setenv", (Const("HOST"), Const("ci_host")))
    found = list(plainer_texts(Sequence((branch, other, use))))
    plain = Call("arrange", "setenv", (Const("BRANCH"), Const("abc")))
    assert found == [Sequence((plain, other, calling("'abc'").calls[0]))]
    assert list(plainer_texts(Sequence((other, calling("1").calls[0])))) == []


def test_words_change_in_a_document_that_is_none_afterwards():
    """``"[1, 2]"`` has places inside, which are gone when it is another text."""
    found = list(plainer_texts(calling("'[1, 2]', '[3, 4]', 'x y'")))
    assert calling("'abc', 'def', 'ghi'") in found


@pytest.mark.parametrize(
    ("text", "places"),
    [("f(x[0], {})", []), ("(]", [0, 1]), ("}}{{a}", [0, 1, 2]), ("a)(", [1, 2]), ("", [])],
)
def test_brackets_that_have_no_other_one_are_found(text, places):
    assert lone_brackets(text) == places


@pytest.mark.parametrize(
    ("given", "proposed"),
    [
        ("'a:b', {'a': 'abc'}", ["'def:ghi', {'def': 'abc'}", "'ghi:def', {'ghi': 'abc'}",
                                 "'def:b', {'def': 'abc'}", "'a:ghi', {'a': 'abc'}"]),
        ("'${x}'", ["'${abc}'"]),
        ("'%d', '-v', '\\\\w', 'it\\'s', '<a>', '</b>', 7", []),
        ("['c', 'a', 'b']", []),
    ],
)  # fmt: skip
def test_letters_that_stand_alone_get_words_everywhere(given, proposed):
    assert list(with_words_for_letters(calling(given))) == [calling(one) for one in proposed]


@pytest.mark.parametrize(
    ("given", "proposed"),
    [
        ("[1, 2], 1", ["['abc', 2], 'abc'"]),
        ("{3: 'abc'}, 3, 3.0", ["{'def': 'abc'}, 'def', 3.0"]),
        ("[1, 2], 3, True", []),
    ],
)
def test_a_number_at_several_places_gets_a_word_at_all_of_them(given, proposed):
    found = list(plainer_texts(calling(given)))
    words = [one for one in found if one in map(calling, proposed)]
    assert words == list(map(calling, proposed))
    assert all(one in words for one in found if cost(one) > cost(calling(given)))
