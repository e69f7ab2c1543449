"""Calls by reference: each path of a recursive function costs one node, and nothing is lost."""

from __future__ import annotations

import pytest

from unitcraft.symbolic.terms.call_summaries import CallSummaries, PathStep

A, B = ("v", 0), ("v", 1)


def gcd_run(calls):
    """Events and calls of Euclid's algorithm that calls itself ``calls`` times."""
    events, log = [], []
    a, b = A, B
    for _ in range(calls):
        events.append((("==", b, 0), False))
        a, b = b, ("%", a, b)
        log.append((len(events), "m:gcd", (a, b)))
    events.append((("==", b, 0), True))
    return events, log + [(len(events), "", ())] * calls


@pytest.fixture
def summaries():
    made = CallSummaries()
    for calls in range(6):
        made.add("m:gcd", 2, *gcd_run(calls))
    return made


def test_a_path_of_gcd_costs_one_node_more(summaries):
    """The two outcomes of ``b == 0``, and then one call node for each path."""
    assert len(summaries.trees["m:gcd"].leaves) == 6
    assert summaries.nodes == 1 + 2 + 5


def test_a_path_is_the_callers_step_and_the_callees_path(summaries):
    assert summaries.trees["m:gcd"].steps(2) == (
        PathStep((("==", ("v", 1), 0), False)),
        PathStep(None, "m:gcd", 1, (B, ("%", A, B))),
    )


@pytest.mark.parametrize("calls", range(6))
def test_writing_a_path_out_gives_its_constraints_back(summaries, calls):
    assert list(summaries.expanded("m:gcd", calls)) == gcd_run(calls)[0]


def test_a_known_path_is_not_added_again(summaries):
    assert summaries.add("m:gcd", 2, *gcd_run(3)) == 3
    assert len(summaries.trees["m:gcd"].leaves) == 6


def test_what_reaches_a_callee_past_its_arguments_becomes_a_formal():
    made = CallSummaries()
    events = [((">", A, 0), True), (("<", B, ("+", A, 1)), False), (("==", B, 7), True)]
    calls = [(1, "m:inner", (B,)), (2, "", ())]
    made.add("m:outer", 2, events, calls)
    assert made.trees["m:inner"].steps(0) == (
        PathStep((("<", ("v", 0), ("+", ("v", 1), 1)), False)),
    )
    assert list(made.expanded("m:outer", 0)) == events


def test_the_same_callee_path_is_shared_by_callers():
    made = CallSummaries()
    inner = [(1, "m:sign", (A,)), (2, "", ())]
    made.add("m:first", 1, [((">", A, 5), True), ((">", A, 0), True)], inner)
    made.add("m:second", 1, [((">", A, 6), True), ((">", A, 0), True)], inner)
    assert len(made.trees["m:sign"].leaves) == 1
