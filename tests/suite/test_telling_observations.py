"""Which observation of an object tells most of what a test did."""

from __future__ import annotations

import pytest

from unitcraft.core.encoding import encode, encode_call
from unitcraft.core.sequences import Call, Const, Display, Ref, Sequence
from unitcraft.explore.agents.answers import AfterAnswer
from unitcraft.suite.telling.telling_observations import (
    NO_CONTRAST,
    Contrast,
    contrasts,
    most_telling,
    telling_by_key,
    told_by,
)

MADE = Sequence((Call("function", "shop:Box", (Const("red"),)),))


def seen(name, term):
    return (Call("get", name, (Ref(0),)), term, name)


@pytest.mark.parametrize(
    ("shown", "varying", "expected"),
    [
        ({"added": Const(None), "colour": Const("red")}, (), "colour"),
        ({"added": Display("list", ()), "size": Const(3)}, (), "size"),
        ({"added": Display("list", (Display("list", ()),)), "size": Const(3)}, (), "size"),
        ({"added": Const(7), "size": Const(3)}, ("size",), "size"),
        ({"added": Const(7), "size": Const(3)}, (), "added"),
    ],
)
def test_what_the_test_gave_tells_more_than_what_differs_and_that_more_than_nothing(
    shown, varying, expected
):
    made = [seen(name, term) for name, term in shown.items()]
    names = Contrast(frozenset(("get", name) for name in varying))
    assert most_telling(made, MADE, names)[2] == expected
    focus = tuple((encode_call(call), encode(term)) for call, term, _ in made)
    answer = AfterAnswer(None, ("o",), "", -1, ((0, True, focus),))
    ranks = telling_by_key(answer, MADE, names)
    best = max(ranks, key=lambda key: ranks[key])
    assert repr(expected) in best


def test_an_object_that_the_test_gave_tells_more_than_what_is_empty():
    calls = (Call("function", "shop:Role"), Call("function", "shop:Box", (Ref(0),)))
    made = [seen("added", Display("list", ())), seen("role", Ref(0))]
    assert most_telling(made, Sequence(calls))[2] == "role"


def test_what_the_last_call_changed_tells_more_than_what_stayed():
    focus = tuple((encode_call(call), encode(term)) for call, term, _ in (
        seen("name", Const("given")), seen("size", Const(2))))  # fmt: skip
    answer = AfterAnswer(None, ("o",), "", -1, ((0, True, focus),))
    ranks = telling_by_key(answer, MADE, NO_CONTRAST, ((0, focus[:1]),))
    assert "size" in max(ranks, key=lambda key: ranks[key])


def test_what_only_this_test_shows_tells_more_than_what_all_are_given():
    """``Leaf(0, "abc")`` beside ``Leaf(3, "abc")`` is about the type."""
    given = [(3, "abc"), (3, "abc"), (0, "abc"), (7, "def")]
    found = [
        [seen("value", Const(value)), seen("type", Const(type_)), seen("depth", Const(0))]
        for type_, value in given
    ]
    rows = [
        ("shop:Leaf", 0, AfterAnswer(None, ("o",), "", -1, ((0, True, tuple([
            (encode_call(call), encode(term)) for call, term, _ in made])),)))
        for made in found
    ]  # fmt: skip
    assert [{name for _, name in one.own} for one in contrasts(rows)] == [
        set(), set(), {"type"}, {"type", "value"},
    ]  # fmt: skip
    assert all({name for _, name in one.varying} == {"type", "value"} for one in contrasts(rows))
    shown = []
    for made, (type_, value), contrast in zip(found, given, contrasts(rows), strict=True):
        sequence = Sequence((Call("function", "shop:Leaf", (Const(type_), Const(value))),))
        best, own = told_by(made, [], sequence, contrast)
        shown.append((*[one[2] for one in best], [one[2] for one in own]))
    assert shown == [
        ("value", []), ("value", []), ("type", []), ("value", ["value", "type"]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "expected"), [("depth", ["value"]), ("value", []), ("title", [])]
)
def test_what_shows_what_was_given_is_told_beside_what_does_not(asked, expected):
    """A part of a text that was given shows it, too."""
    given = Sequence((Call("function", "shop:parse", (Const("Title: abc\nrest of it"),)),))
    made = [
        seen("value", Const("rest of it")), seen("depth", Const(0)), seen("title", Const("Title")),
    ]  # fmt: skip
    needed = [one for one in made if one[0].name == asked]
    best, _ = told_by(made, needed, given, NO_CONTRAST)
    assert [one[0].name for one in best] == expected


@pytest.mark.parametrize(
    ("output", "varying", "names"),
    [("done", (), ["exit_code", "output"]), ("", (), ["exit_code"]),
     ("", ("output",), ["exit_code", "output"])],
)  # fmt: skip
def test_of_a_command_the_number_and_what_it_prints_are_told(output, varying, names):
    line = Sequence((Call("invoke", "m:cli", (Display("list", ()),)),))
    made = [seen("exit_code", Const(0)), seen("output", Const(output))]
    contrast = Contrast(frozenset(("get", name) for name in varying))
    best, own = told_by(made, [], line, contrast)
    assert ([name for _, _, name in best], own) == (names, [])
