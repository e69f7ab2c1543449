"""How a budget is divided, by a clock that the test sets."""

from __future__ import annotations

import math

from unitcraft.app.generate.time_budget import (
    MIN_MUTANTS_SECONDS,
    MIN_TESTS,
    MUTANTS_UNTIL,
    TimeBudget,
)
from unitcraft.core.containment import GUARD_SECONDS


class Clock:
    def __init__(self):
        self.time = 100.0

    def __call__(self):
        return self.time


def opened(seconds, start=1.0):
    clock = Clock()
    budget = TimeBudget(seconds, clock)
    clock.time += start
    budget.opened()
    return budget, clock


def test_the_search_leaves_time_for_the_rest():
    budget, clock = opened(20.0)
    assert math.isclose(budget.search_seconds(), 7.0), "40 % of 20, of which 1 is over"
    clock.time += 7.0
    assert math.isclose(budget.mutants_seconds(), 5.0)
    clock.time += 5.0
    assert budget.affordable([0] * 500) == int((7.0 - 2.5) / 0.08)


def test_what_cannot_fit_is_left_out():
    budget, _ = opened(4.0)
    assert budget.search_seconds() >= 0.5
    assert budget.mutants_seconds() == 0.0
    assert budget.affordable([0] * 500) == MIN_TESTS


def test_without_a_budget_only_the_last_resort_guards():
    budget, clock = opened(None)
    assert budget.search_seconds() == GUARD_SECONDS
    clock.time += GUARD_SECONDS
    assert math.isclose(budget.mutants_seconds(), MUTANTS_UNTIL - GUARD_SECONDS - 1)
    clock.time += GUARD_SECONDS
    assert budget.mutants_seconds() == MIN_MUTANTS_SECONDS
    assert budget.affordable([0] * 500) == 500
