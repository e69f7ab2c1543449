"""What is asserted of results that differ from run to run."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from unitcraft.core.encoding import encode, encode_call
from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import Call, Const, Display, Ref, Sequence, Symbol
from unitcraft.explore.agents.answers import SURROUNDINGS, AfterAnswer, ObservedObject, by_place
from unitcraft.suite import tests
from unitcraft.suite.telling.differing_values import class_of_value
from unitcraft.suite.tests import Check

SHOW = Call("function", "m:show")
TEXT = Call("operator", "str", (Ref(0),))


def checks(calls, one, other):
    kinds = [f"builtins:{type(value).__name__}" for value in (one, other)]
    first, second = [
        SimpleNamespace(type=kind, shown=encode(Const(value)), focus=())
        for kind, value in zip(kinds, (one, other), strict=True)
    ]
    test = tests.Test("m:show", Sequence(tuple(calls)), Returned(Const(None)))
    return class_of_value(test, first, second).checks


@pytest.mark.parametrize(
    ("one", "other", "start"),
    [
        ("host alpha", "host beta", "host "),
        ("size 121", "size 122", "size "),
        ("on Monday, 3rd", "on Monday, 4th", "on Monday, "),
    ],
)
def test_texts_begin_as_both_do(one, other, start):
    assert checks([SHOW], one, other) == (Check(Ref(0), "startswith", Const(start)),)


@pytest.mark.parametrize(
    ("one", "other"), [("alpha", "alphabet"), ("/etc/a", "/etc/b"), (1, 2), ("", "abc")]
)
def test_else_the_class_is_asserted(one, other):
    kind = Symbol("builtins", type(one).__name__)
    assert checks([SHOW], one, other) == (Check(Ref(0), "isinstance", kind),)


@pytest.mark.parametrize("printed", [Call("output", "err"), Call("method", "getvalue", (Ref(0),))])
def test_what_is_written_begins_as_it_does_in_both_runs(printed):
    seen = encode_call(printed)
    test = tests.Test("m:show", Sequence((SHOW,)), Returned(), (Check(Ref(0), "is", Ref(0)),))
    first, second = [
        SimpleNamespace(
            type="builtins:NoneType",
            shown=encode(Const(None)),
            focus=((SURROUNDINGS, True, ((seen, encode(Const(text))),)),),
        )
        for text in ("Usage: prog\n  /a/b.py options:", "Usage: prog\n  /c/d.py options:")
    ]
    begins = Check(printed, "startswith", Const("Usage: prog\n"))
    assert class_of_value(test, first, second).checks == (begins,)
    acting = replace(test, acts=True)
    assert class_of_value(acting, first, second).checks == (begins, *test.checks)


def test_that_str_is_a_text_is_not_asserted():
    assert checks([SHOW, TEXT], "<A at 1>", "<B at 2>") == ()
    assert checks([SHOW, TEXT], "item 1", "item 2") == (
        Check(Ref(1), "startswith", Const("item ")),
    )
    assert checks([SHOW, TEXT], 1, "a") == ()


@pytest.mark.parametrize(
    ("other", "names"),
    [
        ((7, 15), ["call_args.args[0]", "call_args.args[1]"]),
        ((3, 15), ["call_args.args"]),
        ((7, 15, 1), ["call_args.args"]),
    ],
)
def test_arguments_of_a_recorded_call_are_apart_where_some_differ(other, names):
    look = encode_call(Call("get", "call_args.args", (Ref(0),)))
    count = encode_call(Call("get", "call_count", (Ref(0),)))

    def answer(given):
        term = encode(Display("tuple", tuple(map(Const, given))))
        seen = ((look, term), (count, encode(Const(1))))
        return AfterAnswer(
            None, None, "", -1, (ObservedObject(0, changed=True, observations=seen),)
        )

    (row,) = by_place(answer((3, 15)), answer(other)).focus
    assert [call[1] for call, _ in row.observations] == [*names, "call_count"]
    if len(names) > 1:
        assert [term for _, term in row.observations[:2]] == [encode(Const(3)), encode(Const(15))]
