"""When one way to search gives way to the next: patience, and what is not asked for again."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from unitcraft.core.events import SilentListener
from unitcraft.explore.search.goal_search import GoalSearch
from unitcraft.explore.search.search_result import (
    FIRST_RUNS,
    MAX_RUNS,
    MORE_RUNS,
    STALE_RUNS,
    Limits,
    Patience,
    SearchResult,
)
from unitcraft.subject.values.user_factories import UserValues
from unitcraft.subject.values.value_pools import ValuePools


def rounds_until_over(patience, runs):
    done, rounds = patience.gained_at, 0
    while not patience.is_over():
        done += runs
        patience.note(done, gained=False)
        rounds += 1
    return rounds


@pytest.mark.parametrize(
    ("runs", "rounds"), [(1, 12), (STALE_RUNS // 12, 12), (STALE_RUNS // 6, 6), (STALE_RUNS, 6)]
)
def test_half_the_rounds_are_enough_where_they_are_large(runs, rounds):
    assert rounds_until_over(Patience(12, 100), runs) == rounds


def test_a_gain_makes_patience_new():
    patience = Patience(12, 0)
    for number in range(1, 6):
        patience.note(STALE_RUNS * number, gained=False)
    patience.note(STALE_RUNS * 6, gained=True)
    assert rounds_until_over(patience, 1) == 12


@dataclass
class Covering:
    """Goals of which so many sites are covered."""

    progress: int = 0


def spent(limits, gains, *, ends_at=MAX_RUNS):
    """The bounds of the parts of a search that covers ``gains`` sites in them, in turn."""
    result, bounds = SearchResult(Covering(), None), []
    for part, gain in zip(result.parts(limits), gains, strict=False):
        bounds.append(part.executions)
        result.executions = min(part.executions, ends_at)
        result.goals.progress += gain
    return bounds


def test_a_search_goes_on_while_each_part_covers_sites():
    more = FIRST_RUNS + MORE_RUNS
    assert spent(Limits(), [9, 1, 0, 1]) == [FIRST_RUNS, more, more + MORE_RUNS]
    assert spent(Limits(), [9] * 99)[-1] == MAX_RUNS
    assert spent(Limits(), [9, 9], ends_at=FIRST_RUNS - 1) == [FIRST_RUNS]
    assert spent(Limits(400), [9, 9]) == [400]
    assert spent(Limits(more - 1), [9, 9, 9]) == [FIRST_RUNS, more - 1]


def test_what_comes_after_has_a_share_of_a_first_part():
    result = SearchResult(Covering(), None, executions=50)
    assert result.more(Limits(), 0.5).executions == 50 + FIRST_RUNS // 2
    assert result.more(Limits(100), 0.5).executions == 100


class CountedNegation:
    """Branch negation that proposes nothing and keeps what it was asked to follow."""

    def __init__(self):
        self.followed = []

    def proposals(self, runs, _allowed):
        self.followed += [run.invocable for run in runs]
        return []

    def take_charge(self):
        return 0


def test_only_runs_of_code_with_open_sites_are_repeated_on_proxies(lab):
    one = lab("""
        def reached(n: int):
            if n > 0:
                return 1
            return 0

        def open_for_ever(n: int):
            if n * n == 2:
                return 1
            return 0
        """)
    negation, user = CountedNegation(), UserValues()
    GoalSearch(
        one.subject, one.sites, one.branches.table.raises, one.pool(),
        ValuePools(one.subject, user), user, 0, negation,
    ).explore(Limits(2000), SilentListener())  # fmt: skip
    assert {name.partition(":")[2] for name in negation.followed} == {"open_for_ever"}
