"""What is asserted of results that differ from run to run."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from unitcraft.core.encoding import encode, encode_call
from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import Call, Const, Ref, Sequence, Symbol
from unitcraft.explore.agents.answers import SURROUNDINGS
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
