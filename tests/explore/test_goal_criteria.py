"""Criteria: each keeps what it names and nothing else, and the chosen runs show it again."""

from __future__ import annotations

import pytest

from unitcraft.core.criteria import kept_families, parse_criteria
from unitcraft.core.events import SilentListener
from unitcraft.core.goals import Family, Goal
from unitcraft.explore.agents.answers import SearchReady
from unitcraft.explore.search.goal_criteria import MAX_PATHS, aim_of, with_mutants
from unitcraft.explore.search.goal_search import GoalSearch
from unitcraft.explore.search.search_result import Limits
from unitcraft.instrument.def_use_pairs import describe_pairs
from unitcraft.subject.values.user_factories import UserValues
from unitcraft.subject.values.value_pools import ValuePools
from unitcraft.suite.generated.set_cover import select

PARCEL = """
    def price(weight: int, express: bool, items: list[int]) -> int:
        cost = 5
        if weight > 20:
            cost = 9
        if express:
            cost *= 2
        if len(items) == 3:
            cost -= 1
        if 30 <= weight < 40:
            cost += 100
        if weight < 0:
            raise ValueError("negative")
        return cost
    """

COIN_BOX = """
    class CoinBox:
        def __init__(self):
            self.total = 0
            self.current = 0
            self.allow_vend = False

        def add_quarter(self):
            self.current = self.current + 1
            if self.current > 1:
                self.allow_vend = True

        def return_quarters(self):
            self.current = 0

        def vend(self):
            if self.allow_vend:
                self.total = self.total + self.current
                self.current = 0
                self.allow_vend = False
    """


def aimed(one, names, limits=None):
    """The Findings of a search for the criteria, with the Goals of all others forgotten."""
    table, user = one.branches.table, UserValues()
    raises = table.raises
    search = GoalSearch(
        one.subject, one.sites, raises, one.pool(), ValuePools(one.subject, user), user, 0
    )
    guards = frozenset(table.guards)
    pairs = tuple(describe_pairs(one.fields)) if one.fields else ()
    ready = SearchReady(one.sites, raises, guards, pairs)
    search.findings.goals.aim(aim_of(ready, names))
    found = search.explore(limits or Limits(3000), SilentListener())
    found.goals.keep_only(kept_families(names))
    return found


def families(found):
    return {goal.family for goal in found.goals.best}


def shown_again(one, found):
    """The Goals of all chosen runs, run once more."""
    return {
        goal
        for run, _ in select(found.goals)
        for goal in found.goals.goals_of(one.run(run.sequence, run.invocable.partition(":")[2]))
    }


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("branch", {Family.BRANCH}),
        ("exception", {Family.EXCEPTION}),
        ("boundary", {Family.BOUNDARY, Family.NEIGHBOUR}),
        ("path", {Family.PATH}),
        ("condition", {Family.CONDITION}),
        ("branch,exception", {Family.BRANCH, Family.EXCEPTION}),
        ("", {Family.BRANCH, Family.BOUNDARY, Family.RETURN, Family.EXCEPTION}),
    ],
)
def test_a_criterion_keeps_its_families_and_the_chosen_runs_show_them(lab, names, expected):
    one = lab(PARCEL)
    found = aimed(one, parse_criteria(names))
    assert families(found) == expected
    assert shown_again(one, found) == set(found.goals.best)


def differences(found, line, sites):
    """How far apart the operands were that count as a boundary, at the comparisons of a line."""
    met = set()
    for goal in found.goals.best:
        bounds = goal.family in (Family.BOUNDARY, Family.NEIGHBOUR)
        if bounds and sites[goal.number].line == line:
            met.add((goal.number, goal.detail or 0))
    return sorted(difference for _, difference in met)


def test_boundaries_are_equal_operands_and_their_neighbours(lab):
    one = lab(PARCEL)
    found = aimed(one, ("boundary",))
    assert differences(found, 4, one.sites) == [-1, 0, 1]
    assert differences(found, 8, one.sites) == [-1, 0, 1], "the length of a list"
    assert differences(found, 10, one.sites) == [-1, -1, 0, 0, 1, 1], "both parts of a chain"
    assert differences(found, 12, one.sites) == [-1, 0, 1]


def test_neighbours_are_no_goals_unless_asked_for(lab):
    found = aimed(lab(PARCEL), ())
    assert Family.NEIGHBOUR not in families(found)


def test_a_comparison_that_guards_nothing_has_no_neighbours(lab):
    one = lab("def f(a: int) -> bool:\n    return a < 7\n")
    found = aimed(one, ("boundary",))
    assert families(found) == {Family.BOUNDARY}


def test_every_path_of_a_small_function_is_kept_when_asked(lab):
    source = """
        def f(a: int, b: int, c: int) -> int:
            n = 0
            if a > 5:
                n += 1
            if b > 5:
                n += 2
            if c > 5:
                n += 4
            return n
        """
    found = aimed(lab(source), ("path",))
    assert len(found.goals.best) == 8 > MAX_PATHS
    assert len({run.sequence.calls[-1].args for run, _ in select(found.goals)}) == 8


def joined(found, fields):
    """(line of the definition, line of the use) of the pairs that were reached."""
    sites = fields.sites
    return {
        (sites[goal.number].line, sites[goal.detail].line)
        for goal in found.goals.best
        if goal.family is Family.DEF_USE
    }


def test_def_use_pairs_show_the_defect_of_the_coin_box(lab):
    one = lab(COIN_BOX, fields=True)
    found = aimed(one, ("def-use",))
    assert families(found) == {Family.DEF_USE}
    assert (14, 18) in joined(found, one.fields), "returned the money, yet serves a drink"
    calls = [[call.name for call in run.sequence.calls] for run, _ in select(found.goals)]
    assert any(names[-2:] == ["return_quarters", "vend"] for names in calls)
    assert shown_again(one, found) == set(found.goals.best)


def test_pairs_that_no_run_can_join_are_told(lab):
    found = aimed(lab(COIN_BOX, fields=True), ("def-use",))
    assert found.goals.missed_pairs() == ["CoinBox.current 5->18", "CoinBox.current 19->18"]


def test_without_field_probes_nothing_is_followed(lab):
    one = lab(COIN_BOX)
    found = aimed(one, ())
    assert Family.DEF_USE not in families(found)
    assert all(run.pairs == run.defined == () for _, run in found.goals.best.values())


def test_a_state_that_owes_itself_to_another_definition_is_used_too(lab):
    source = """
        class Flag:
            def __init__(self):
                self.up = False
            def clear(self):
                self.up = False
            def read(self) -> bool:
                return self.up
        """
    one = lab(source, fields=True)
    assert joined(aimed(one, ("def-use",)), one.fields) == {(4, 8), (6, 8)}


def test_mutants_decide_what_is_asserted_even_where_they_are_no_criterion(lab):
    one = lab(PARCEL)
    found = aimed(one, ("branch",))
    chosen = select(found.goals)
    mutant = Goal(Family.MUTANT, 1)
    reveals = {run.sequence.key: {mutant: ("result",)} for run, _ in chosen}
    made = with_mutants(chosen, reveals, ("branch",))
    assert made[0][1] == (*chosen[0][1], mutant)
    assert made[1:] == chosen[1:], "a mutant belongs to the first test that kills it"
    assert with_mutants(chosen, reveals, ()) == chosen
