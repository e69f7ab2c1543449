"""The chosen executions reach every Goal, none can be left out, and cheap ones are preferred."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from selection_cases import SITES, goal_map, run_of

from unitcraft.core.goals import Family, Goal
from unitcraft.core.sequences import Call, Sequence
from unitcraft.explore.execution import RunFailure, cost
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.instrument.sites import BranchSite, RaiseLines
from unitcraft.subject.model import Invocable, Subject
from unitcraft.suite.generated.set_cover import (
    Nearness,
    by_anything,
    select,
    with_new_kills,
    without_needless,
)

ROWS = st.lists(
    st.tuples(
        st.integers(1, 40),
        st.sets(st.integers(0, SITES - 1), max_size=6).map(lambda found: tuple(sorted(found))),
    ),
    max_size=14,
)


@given(ROWS)
def test_every_goal_is_reached_and_no_execution_is_superfluous(rows):
    goals = goal_map(rows)
    chosen = select(goals)
    shown = [set(goals.goals_of(run)) for run, _ in chosen]
    assert set().union(*shown) == set(goals.best)
    for index in range(len(shown)):
        others = set().union(*(shown[:index] + shown[index + 1 :]))
        assert shown[index] - others, "it alone shows some Goal"


@given(ROWS)
def test_each_goal_is_named_once_by_an_execution_that_shows_it(rows):
    goals = goal_map(rows)
    chosen = select(goals)
    named = [goal for _, own in chosen for goal in own]
    assert sorted(named) == sorted(goals.best)
    for run, own in chosen:
        assert own
        assert set(own) <= set(goals.goals_of(run))


@given(ROWS)
def test_the_choice_is_a_function_of_the_goals(rows):
    assert select(goal_map(rows)) == select(goal_map(rows))


def test_one_run_that_shows_all_is_enough():
    assert len(select(goal_map([(1, (0,)), (1, (1,)), (2, (0, 1, 2))]))) == 1


def test_two_cheap_runs_are_better_than_a_very_long_one():
    chosen = select(goal_map([(1, (0,)), (1, (1,)), (5000, (0, 1))]))
    assert [len(run.sequence.calls[0].args[1].value) for run, _ in chosen] == [1, 1]


def test_nothing_reached_nothing_chosen():
    assert select(goal_map([])) == []


def test_credited_mutants_keep_their_run():
    goals = goal_map([(1, (0, 1))])
    extra = run_of(3, 30, (0, 1))
    mutant = Goal(Family.MUTANT, 7)
    goals.add_goals(extra, [mutant])
    chosen = {run.sequence.key: own for run, own in select(goals)}
    assert mutant in chosen[extra.sequence.key]
    assert cost(extra.sequence) == goals.best[mutant][0]


def test_an_exception_gets_no_mutant_that_another_run_kills():
    goals, mutant = goal_map([]), Goal(Family.MUTANT, 7)
    goals.judge._lines = {("m", 3): RaiseLines("m", 3, 3)}
    failed = RunFailure(0, "builtins:ValueError", "bad", 2, 3, "m")
    raised = replace(run_of(1, 1, (0, 1, 2)), failed=failed, behaviour="")
    returned = run_of(2, 9, (3,))
    for run in (raised, returned):
        goals.offer(run, goals.price(run))
        goals.add_goals(run, [mutant])
    chosen = {run.returned: own for run, own in select(goals)}
    assert mutant in chosen[True]
    assert mutant not in chosen[False]


def test_a_site_goes_to_the_run_whose_last_call_reaches_it():
    goals = goal_map([])
    prepared = replace(run_of(1, 1, (0, 1, 2)), last_hits=(2,))
    about = replace(run_of(2, 9, (0, 3)), last_hits=(0, 3))
    for run in (prepared, about):
        goals.offer(run, goals.price(run))
    chosen = {run.sequence.key: own for run, own in select(goals)}
    of_sites = {key: [one.number for one in own if one.family is Family.BRANCH]
                for key, own in chosen.items()}  # fmt: skip
    assert of_sites == {prepared.sequence.key: [1, 2], about.sequence.key: [0, 3]}


def test_a_new_kill_goes_to_the_first_run_that_has_it():
    goals = goal_map([(1, (0,)), (2, (1,))])
    chosen = select(goals)
    keys = [run.sequence.key for run, _ in chosen]
    old, new = Goal(Family.MUTANT, 1), Goal(Family.MUTANT, 2)
    reveals = {keys[0]: {old: ("result",)}}
    asked = []

    def judge(runs, killed):
        asked.append((len(runs), killed))
        return {key: {new: ("result",)} for key in keys}

    found = with_new_kills(chosen, reveals, goals, judge)
    assert asked == [(2, frozenset({1}))]
    assert [new in own for _, own in found] == [True, False]
    assert reveals == {keys[0]: {old: ("result",), new: ("result",)}, keys[1]: {new: ("result",)}}


def test_a_run_whose_mutants_are_killed_by_others_too_goes():
    goals = goal_map([(1, (0,)), (2, (1,))])
    chosen = select(goals)
    dear, kept = run_of(3, 30, (0, 1)), chosen[0][0]
    mutant = Goal(Family.MUTANT, 7)
    goals.add_goals(dear, [mutant])
    reveals = {dear.sequence.key: {mutant: ("result",)}}

    def judge(runs):
        assert [run for run in runs if run == dear]
        return {kept.sequence.key: {mutant: ("outcome",)}}

    found = without_needless([*chosen, (dear, (mutant,))], reveals, goals, judge)
    assert [run for run, _ in found] == [run for run, _ in chosen]
    assert mutant in found[0][1]
    assert reveals[kept.sequence.key] == {mutant: ("outcome",)}


def test_a_mutant_may_be_killed_by_an_exception_too():
    by_check, other = Goal(Family.MUTANT_BY_CHECK, 3), Goal(Family.BRANCH, 3)
    assert (by_anything(by_check), by_anything(other)) == (Goal(Family.MUTANT, 3), other)


def test_a_mutant_goes_to_the_run_whose_last_call_is_its_function_or_runs_it():
    names = ("C.__init__", "C.show", "D.show")
    sites = [BranchSite("m", name, 1 + 4 * at, "entry", "entered") for at, name in enumerate(names)]
    members = [
        Invocable("m:C", "constructor", "C", "m:C", module="m", first=1, last=3),
        Invocable("m:C.show", "method", "show", "m:C", module="m", first=5, last=8),
    ]
    goals = GoalMap(Subject("m", "m.py", (), tuple(members)), sites, [])
    goals.mutated = {number: (name,) for number, name in enumerate(names)}
    shows = replace(run_of(1, 1, (0, 1)), invocable="m:C.show", last_hits=(1,))
    makes = replace(run_of(2, 1, (0,)), invocable="m:C", last_hits=(0,))
    copies = replace(run_of(3, 1, (0, 2)), invocable="m:C.copy", last_hits=(0, 2))
    mutants = [Goal(Family.MUTANT, number) for number in range(3)]
    near = Nearness(goals)
    assert [[near.of(goal, run) for goal in mutants] for run in (shows, makes, copies)] == [
        [2, 0, 2],
        [0, 2, 2],
        [1, 2, 1],
    ]
    inherited = replace(shows, invocable="m:E.show", last_hits=(2,))
    assert Nearness(goals).of(mutants[2], inherited) == 0
    bare = replace(makes, sequence=Sequence((Call("function", "m:C"),)))
    assert near.of(mutants[0], bare) == 2, "what is done next shows it as well"
    for run in (shows, makes):
        goals.offer(run, goals.price(run))
        goals.add_goals(run, mutants[:1])
    chosen = {run.invocable: own for run, own in select(goals)}
    assert mutants[0] in chosen["m:C"]
    assert mutants[0] not in chosen["m:C.show"], "of a constructor its own test asserts"
