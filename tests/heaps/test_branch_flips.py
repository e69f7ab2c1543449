"""Integers for another outcome of a comparison."""

from __future__ import annotations

import pytest

from unitcraft.heaps.guest.branch_flips import BranchFlips, repair_sum, small_values
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


A, B, C, D, SUM = map(variable, range(5))
TOTAL = ("+", ("+", ("+", A, B), C), D)


@pytest.mark.parametrize(
    ("term", "outcome", "hint"),
    [
        (("==", TOTAL, SUM), True, [1, 2, 3, 4, 0]),
        (("==", SUM, TOTAL), False, [1, 2, 3, 4, 10]),
        (("<", TOTAL, SUM), True, [1, 2, 3, 4, 10]),
        ((">=", TOTAL, ("*", SUM, 3)), False, [1, 2, 3, 4, 0]),
    ],
)
def test_one_input_gives_the_other_outcome(term, outcome, hint):
    assert not are_satisfied([(term, outcome)], hint)
    found = repair_sum([(term, outcome)], hint, lambda _: True)
    assert are_satisfied([(term, outcome)], found)
    assert sum(one != other for one, other in zip(found, hint, strict=True)) == 1


def test_other_constraints_and_bounds_are_kept():
    constraints = [((">=", A, 1), True), (("==", TOTAL, SUM), True)]
    found = repair_sum(constraints, [1, 0, 0, 0, 0], lambda values: values[4] == 0)
    assert found == [1, -1, 0, 0, 0]


@pytest.mark.parametrize("term", [("==", ("*", A, 0), 1), ("in", A, B), ("==", ("len", A), 3)])
def test_what_is_no_sum_is_not_repaired(term):
    assert repair_sum([(term, True)], [0, 0], lambda _: True) is None
