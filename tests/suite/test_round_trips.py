"""Functions that undo each other have one test of the way there and back."""

from __future__ import annotations

import pytest

from unitcraft.core.encoding import encode
from unitcraft.core.goals import ROUND_TRIP
from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.explore.agents.answers import AfterAnswer
from unitcraft.suite import tests
from unitcraft.suite.generated.round_trips import add_round_trips, is_way_back, with_way, words_of
from unitcraft.suite.tests import Check

CODEC = """
def quote(text):
    return '"' + text + '"'

def unquote(text):
    return text[1:-1]

def to_pairs(mapping):
    return sorted(mapping.items())

def from_pairs(pairs):
    return [pairs]

def encode(text):
    return text

def decode(text):
    return text
"""


@pytest.mark.parametrize(
    ("there", "back", "expected"),
    [
        ("encode", "decode", True), ("decode", "encode", False), ("quote", "unquote", True),
        ("to_roman", "from_roman", True), ("toRoman", "fromRoman", True),
        ("b64_encode", "b64_decode", True), ("hex_to_rgb", "rgb_to_hex", True),
        ("dumps", "load", False), ("encode", "decode_all", False), ("a_of_b", "b_of_a", False),
        ("encode", "encode", False), ("serialize_row", "deserialize_row", True),
    ],
)  # fmt: skip
def test_names_say_what_undoes_what(there, back, expected):
    assert is_way_back(words_of(there), words_of(back)) is expected


def test_a_round_trip_counts_where_the_value_comes_back_and_was_another_between(lab):
    one = lab(CODEC)
    goals, pool = one.goals(), one.pool()
    pool.services["after"] = one.observer.stable_after
    for text in ("quote('abc')", "unquote('abc')", "to_pairs({'a': 1})", "from_pairs([])",
                 "encode('abc')", "decode('abc')"):  # fmt: skip
        run = one.run(text)
        goals.offer(run, goals.price(run))
    add_round_trips(goals, one.subject, pool)
    found = [run.sequence for goal, (_, run) in goals.best.items() if goal.detail == ROUND_TRIP]
    assert [[call.name for call in sequence.calls] for sequence in found] == [
        ["sample:quote", "sample:unquote"]
    ]
    there, back = found[0].calls
    assert isinstance(there.args[0], Const)
    assert back.args == (Ref(0),)


@pytest.mark.parametrize(("value", "is_told"), [("abc", True), (7, True), ("a" * 99, False)])
def test_a_short_value_on_the_way_is_asserted(value, is_told):
    there = Call("function", "m:quote", (Const("x"),))
    back = Call("function", "m:unquote", (Ref(0),))
    check = Check(Ref(1), "==", Const("x"))
    test = tests.Test("m:unquote", Sequence((there, back)), Returned(), (check,))
    way = AfterAnswer(None, encode(Const(value)), "", -1, ())
    told = (Check(Ref(0), "==", Const(value)),) if is_told else ()
    assert with_way(test, way).checks == (*told, check)
    assert with_way(test, None) == test
