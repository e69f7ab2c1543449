"""Answers: what agents send is plain, and a planner reads it back by field."""

from __future__ import annotations

import marshal

import pytest

from unitcraft.core.encoding import encode_sequence
from unitcraft.explore.agents.answers import (
    AfterAnswer,
    ObjectBefore,
    RaisedCall,
    RunAnswer,
    SearchReady,
    TouchedObject,
)
from unitcraft.instrument.sites import BranchSite, DefUsePair, RaiseLines

BAG = """
class Bag:
    def __init__(self, size=0):
        self.size = size
    def put(self, count):
        if count < 0:
            raise ValueError("negative")
        self.size += count
"""
CALLS = ["Bag(1)", "b = Bag(1)\nb.put(2)", "b = Bag(1)\nb.put(-2)", "b = Bag(1)\nb.put('x')"]


def crossing(answer):
    """The answer on the other side of the process boundary."""
    return marshal.loads(marshal.dumps(answer))


@pytest.mark.parametrize("fields", [False, True])
@pytest.mark.parametrize("text", CALLS)
def test_a_run_crosses_and_is_read_back(lab, text, fields):
    one = lab(BAG, fields=fields)
    sent = one.answer(text)
    read = RunAnswer(*crossing(sent))
    assert read == sent
    assert (read.position >= 0) == ("-2" in text or "'x'" in text)
    assert all(TouchedObject(*row).type == "sample:Bag" for row in read.objects)
    assert bool(read.pairs) == (fields and text == CALLS[1])


@pytest.mark.parametrize("text", CALLS)
def test_what_was_observed_crosses_and_is_read_back(lab, text):
    one = lab(BAG)
    calls = encode_sequence(one.sequence(text))
    read = AfterAnswer.read(crossing(one.observer.after(calls)))
    assert [(seen.result, len(seen.observations)) for seen in read.focus] == [(0, 1)]
    before = [ObjectBefore(*row) for row in crossing(one.observer.before(calls))]
    assert [(seen.result, len(seen.observations)) for seen in before] == [(0, 1)] * ("b =" in text)


def test_how_the_last_call_raised_is_told_by_field(lab):
    one = lab(BAG)
    read = AfterAnswer.read(one.observer.after(encode_sequence(one.sequence(CALLS[2]))))
    assert read.outcome == RaisedCall(1, "builtins:ValueError", "negative", 2, 7, "sample")
    assert read.shown is None


def test_no_answer_is_none():
    assert AfterAnswer.read(None) is None


def test_ready_has_records_for_rows():
    ready = {
        "subject": (), "sites": [("m", "f", 3, "if", "true")], "raises": [("m", 4, 5)],
        "guards": [0], "pairs": [(1, 2, [3, 4], "C.x 3->4")],
        "folders": ["/srv/ann/code/sample"],
    }  # fmt: skip
    read = SearchReady.read(ready)
    assert read.sites == [BranchSite("m", "f", 3, "if", "true")]
    assert read.raises == [RaiseLines("m", 4, 5)]
    assert read.guards == {0}
    assert read.pairs == (DefUsePair(1, 2, (3, 4), "C.x 3->4"),)
    assert read.folders == ("/srv/ann/code/sample",)
