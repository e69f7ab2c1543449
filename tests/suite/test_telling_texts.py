"""A text that is given twice becomes the names of the parameters that it is given to."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.subject.model import Invocable, Parameter, Subject
from unitcraft.suite.generated.telling_texts import with_telling_texts

LABEL = Invocable("shop:label", "function", "label", "", (Parameter("title"), Parameter("n")))


def label(*args, **kwargs):
    given = tuple([(name, Const(value)) for name, value in kwargs.items()])
    return Call("function", "shop:label", tuple(map(Const, args)), given)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (label("abc", unit="abc"), label("title", unit="unit")),
        (label("abc", "abc"), label("title", "abc")),
        (label("abc", unit="def"), None),
        (label(1, unit=1), None),
        (label("", unit=""), None),
    ],
)
def test_only_texts_that_are_repeated_change(call, expected):
    found = with_telling_texts(
        Sequence((call,)), Plausibility(Subject("shop", "shop.py", (), (LABEL,)))
    )
    assert found == (None if expected is None else Sequence((expected,)))


def test_a_receiver_has_no_name():
    calls = (label("abc"), Call("method", "put", (Ref(0), Const("abc")), (("into", Const("abc")),)))
    found = with_telling_texts(
        Sequence(calls), Plausibility(Subject("shop", "shop.py", (), (LABEL,)))
    )
    assert found is not None
    assert found.calls[1].args == (Ref(0), Const("abc"))
    assert found.calls[1].kwargs == (("into", Const("into")),)
