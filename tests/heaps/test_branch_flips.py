"""Integers for another outcome of a comparison."""

from __future__ import annotations

import pytest

from unitcraft.heaps.guest.branch_flips import BranchFlips, small_values
from unitcraft.heaps.guest.field_choices import build_domain
from unitcraft.heaps.guest.lazy_heap import LazyHeap
from unitcraft.symbolic.terms.term import are_satisfied, variable

A, B = variable(0), variable(1)


def inputs(low=None, high=None):
    heap, domain = LazyHeap((1,)), build_domain(("int", low, high, True), ())
    for name in ("a", "b"):
        heap.choose({}, name, domain)
    return heap.symbolic_choices()


@pytest.mark.parametrize(
    "events",
    [
        [(("<", A, B), True)],
        [(("<", A, B), False), (("==", A, B), False)],
        [(("==", ("*", A, A), 9), True)],
    ],
)
def test_values_satisfy_all_events(events):
    values = BranchFlips(1000).solve(events, inputs(), [0, 0])
    assert are_satisfied(events, values)


@pytest.mark.parametrize(
    ("events", "bounds"),
    [
        ([(("<", A, B), True), (("<", B, A), True)], ()),
        ([(("<", A, B), True), (("<", A, B), False)], ()),
        ([((">", A, 2), True)], (0, 2)),
    ],
)
def test_there_may_be_none(events, bounds):
    flips = BranchFlips(1000)
    assert flips.solve(events, inputs(*bounds), [0, 0]) is None
    assert flips.unknown == 0


def test_not_knowing_is_counted():
    flips = BranchFlips(1000)
    assert flips.solve([(("==", ("*", A, A), 10_403), True)], inputs(), [0, 0]) is None
    assert flips.unknown == 1


def test_integers_become_small_where_comparisons_allow_it():
    keys = inputs()
    ordered = [(("<", A, B), True)]
    assert small_values(ordered, keys, [-7, 30]) == [0, 1]
    fixed = [(("==", A, 5), True)]
    assert small_values(fixed, keys[:1], [5, 9]) == [5, 9]
