"""A test that asserts nothing has the Check of what other tests of its function change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unitcraft.core.encoding import encode, encode_call
from unitcraft.core.outcomes import Raised, Returned
from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.explore.agents.answers import AfterAnswer, ObservedObject
from unitcraft.suite.telling.what_stayed import places_changed, what_stayed, without_idle
from unitcraft.suite.tests import Check, Test

ADD = "meter:Meter.add"


def adding(amount):
    made = Call("function", "meter:Meter", (Const(9),))
    return Sequence((made, Call("method", "add", (Ref(0), Const(amount)))))


def seen(**values):
    """What attributes of the Meter show."""
    return tuple(
        (encode_call(Call("get", name, (Ref(0),))), encode(Const(value)))
        for name, value in values.items()
    )


def answer(*, changed, **values):
    return AfterAnswer(None, encode(Const(None)), "builtins:NoneType", -1, (
        ObservedObject(0, changed, seen(**values)),
    ))  # fmt: skip


NOTHING_ADDED = answer(changed=False, limit=9, total=0)
SILENT = Test(ADD, adding(0), Returned())
REFUSED = Raised("builtins:ValueError", "", inside=True, line=1)
#: What is observed before and after ``add(3)``.
GROWN = (ADD, adding(3), ((0, seen(limit=9, total=0)),), answer(changed=True, limit=9, total=3))
KEPT = (ADD, adding(0), ((0, seen(limit=9, total=0)),), NOTHING_ADDED)


def test_what_another_call_changes_is_asserted_where_it_stayed():
    changed = places_changed([GROWN, KEPT])
    assert dict(changed) == {(ADD, 0, ("get", "total")): 1}
    total = Call("get", "total", (Ref(0),))
    found = what_stayed(SILENT, NOTHING_ADDED, NOTHING_ADDED, changed)
    assert found == [(total, Const(0), repr(encode_call(total)))]


def test_what_most_tests_change_is_asserted():
    more = answer(changed=True, limit=5, total=3)
    changed = places_changed([GROWN, (*GROWN[:3], more)])
    found = what_stayed(SILENT, NOTHING_ADDED, NOTHING_ADDED, changed)
    assert [call.name for call, _, _ in found] == ["total"]


def given(*checks):
    """A test of ``add`` with a Meter, an amount that is an object, and ``checks``."""
    made = Call("function", "meter:Meter", (Const(9),))
    amount = Call("function", "meter:Amount", (Const(0),))
    sequence = Sequence((made, amount, Call("method", "add", (Ref(0), Ref(1)))))
    return Test(ADD, sequence, Returned(), checks)


SPENT = Check(Call("get", "is_spent", (Ref(1),)), "is", Const(value=True))
TOTAL = Check(Call("get", "total", (Ref(0),)), "==", Const(0))


@pytest.mark.parametrize(
    ("checks", "names"),
    [((SPENT,), ["total"]), ((SPENT, TOTAL), []), ((SPENT, Check(Ref(2), "is", Const(None))), [])],
    ids=["of an argument", "of the object", "of the result"],
)
def test_the_object_is_asserted_beside_what_a_call_changed_elsewhere(checks, names):
    changed = places_changed([GROWN])
    found = what_stayed(given(*checks), NOTHING_ADDED, NOTHING_ADDED, changed)
    assert [call.name for call, _, _ in found] == names


@pytest.mark.parametrize(
    ("test", "second", "rows"),
    [
        (SILENT, NOTHING_ADDED, [KEPT]),
        (SILENT, NOTHING_ADDED, [("meter:Meter.reset", *GROWN[1:])]),
        (SILENT, answer(changed=False, limit=9, total=1), [GROWN]),
        (SILENT, None, [GROWN]),
        (
            replace(SILENT, outcome=REFUSED),
            NOTHING_ADDED,
            [GROWN],
        ),
        (replace(SILENT, checks=(Check(Ref(1), "is", Const(None)),)), NOTHING_ADDED, [GROWN]),
    ],
    ids=["never changed", "another function", "differs", "once", "raises", "asserts"],
)
def test_other_tests_stay_as_they_are(test, second, rows):
    assert what_stayed(test, NOTHING_ADDED, second, places_changed(rows)) == []


def test_an_object_that_was_changed_has_checks_of_its_own():
    moved = answer(changed=True, limit=9, total=0)
    assert what_stayed(SILENT, moved, moved, places_changed([GROWN])) == []


def test_what_a_call_was_given_and_left_as_it_was_is_no_check_of_it():
    moved = Check(Call("get", "total", (Ref(0),)), "==", Const(7))
    result = Check(Ref(2), "is", Const(None))
    first = AfterAnswer.read(answer(changed=False, limit=9, total=0))
    told = without_idle(given(moved, result), first)
    assert told.checks == (result,)
    assert without_idle(given(moved), None).checks == (moved,)
