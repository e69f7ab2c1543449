"""How a budget is divided, by a clock that the test sets."""

from __future__ import annotations

import math

from unitcraft.app.generate.time_budget import (
    CHECKING_STARTS,
    MIN_SEARCH_STARTS,
    MIN_TESTS,
    RUNS_OF_A_TEST,
    TimeBudget,
)
from unitcraft.core.containment import GUARD_SECONDS, TimeGuard


class Clock:
    def __init__(self):
        self.time = 100.0

    def __call__(self):
        return self.time


def opened(seconds, start=1.0, began=None):
    clock = Clock()
    budget = TimeBudget(seconds, clock, began)
    clock.time += start
    budget.opened()
    return budget, clock


def test_the_search_leaves_time_for_the_rest():
    budget, clock = opened(40.0)
    assert budget.allows_negation()
    assert math.isclose(budget.search_seconds(), 15.0), "40 % of 40, of which 1 is over"
    clock.time += 15.0
    assert math.isclose(budget.mutants_seconds(), 10.0)
    clock.time += 10.0
    assert not budget.struck
    assert budget.affordable(500, 0.1) == int((14.0 - CHECKING_STARTS) / (RUNS_OF_A_TEST * 0.1))
    assert budget.struck
    clock.time += 9.5
    assert budget.is_short()
    assert not budget.overrun()


def test_where_mutants_do_not_fit_the_search_has_their_time():
    budget, clock = opened(20.0)
    assert math.isclose(budget.search_seconds(), 0.65 * 20 - 1)
    clock.time += budget.search_seconds()
    assert budget.mutants_seconds() == 0.0
    assert budget.affordable(12, 0.01) == 12


def test_what_cannot_fit_is_left_out_and_what_cannot_be_cut_is_told():
    budget, clock = opened(4.0)
    assert not budget.allows_negation()
    assert budget.search_seconds() == MIN_SEARCH_STARTS
    assert budget.mutants_seconds() == 0.0
    assert budget.affordable(500, 0.1) == MIN_TESTS
    clock.time += 8.0
    assert budget.is_short()
    assert budget.overrun().startswith("the budget of 4 s became 9.0 s: ")


def test_a_budget_counts_from_the_beginning_of_the_command():
    budget, _ = opened(20.0, began=98.0)
    assert budget.start == 1.0
    assert math.isclose(budget.left, 17.0)


def test_without_a_budget_only_the_last_resort_guards():
    budget, clock = opened(None)
    assert budget.search_seconds() == GUARD_SECONDS
    clock.time += GUARD_SECONDS
    assert budget.mutants_seconds() == GUARD_SECONDS
    assert budget.affordable(500, 0.1) == 500
    assert budget.allows_negation()
    assert not budget.is_short()
    assert not budget.struck
    assert not budget.overrun()


def test_guards_count_the_clock_where_somebody_set_a_budget_and_else_the_processor():
    for seconds, expected in ((40.0, True), (None, False)):
        budget, clock = opened(seconds)
        guard = TimeGuard(now=clock)
        budget.begin(guard, 15.0)
        clock.time += 16.0
        assert guard.strikes() is expected
