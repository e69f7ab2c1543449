"""The replay loop: marshalled Calls in, results and the last outcome out."""

from __future__ import annotations

import marshal

import pytest

from unitcraft.core.encoding import encode_call
from unitcraft.core.sequences import Call, Const, Ref
from unitcraft.explore.agents import replay_calls
from unitcraft.explore.agents.replay_calls import compiled, replay


def packed(*calls):
    return [marshal.dumps(encode_call(call), 2) for call in calls]


MADE = Call("operator", "list", (Const("ab"),))
BROKEN = Call("operator", "int", (Const("x"),))
LENGTH = Call("operator", "len", (Ref(0),))


@pytest.mark.parametrize(
    ("calls", "past_raise", "results", "outcome"),
    [
        ([MADE, LENGTH], True, [["a", "b"], 2], ""),
        ([MADE, BROKEN], True, [["a", "b"], None], "builtins:ValueError"),
        ([MADE, BROKEN, LENGTH], True, [["a", "b"], None, 2], ""),
        ([MADE, BROKEN, LENGTH], False, [["a", "b"]], "builtins:ValueError"),
        ([BROKEN, LENGTH], True, [], "builtins:ValueError"),
        ([], True, [], ""),
    ],
)
def test_replay(calls, past_raise, results, outcome):
    found = []
    assert replay(packed(*calls), found, past_raise=past_raise) == outcome
    assert found == results


def test_a_call_is_compiled_once():
    (call,) = packed(MADE)
    assert compiled(call) is compiled(call)


def test_compiled_calls_are_bounded(monkeypatch):
    monkeypatch.setattr(replay_calls, "MAX_COMPILED", 2)
    for number in range(5):
        compiled(packed(Call("operator", "list", (Const(str(number)),)))[0])
    assert len(replay_calls._COMPILED) <= 2
