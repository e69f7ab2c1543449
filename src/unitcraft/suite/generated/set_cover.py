"""Greedy set cover: a small set of executions that reaches every Goal that was reached.

Invariant: the selected executions reach exactly the Goals of all candidates, and none of them can
be left out.

The greedy algorithm takes the execution with the most new Goals for its cost, until every Goal is
reached; a second pass drops executions that later choices made superfluous.

Source: SETCOVER; *differs*: the second pass is added.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from unitcraft.core.goals import Family, Goal
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.goal_map import GoalMap

#: Families whose Goals are sites, by their numbers.
_OF_SITES: Final = (Family.BRANCH, Family.CONDITION)

#: Executions, each with the Goals that it is kept for.
Selection = list[tuple[Execution, tuple[Goal, ...]]]


def select(goals: GoalMap, also: Iterable[Execution] = ()) -> Selection:
    """The selected executions in order of choice, each with the Goals that it is kept for.

    The candidates are those that hold a Goal, and ``also``.
    """
    candidates = _candidates(goals, also)
    wanted = set(goals.best)
    chosen: list[Execution] = []
    while wanted:
        best = max(candidates, key=lambda pair: _gain_per_cost(pair, wanted))
        gained = wanted & best[1]
        if not gained:
            break
        chosen.append(best[0])
        wanted -= gained
    return _assign(_eliminate(chosen, goals), goals)


def _candidates(
    goals: GoalMap, also: Iterable[Execution]
) -> list[tuple[Execution, frozenset[Goal], int]]:
    runs = {run.sequence.key: run for _, run in goals.best.values()}
    for run in also:
        runs.setdefault(run.sequence.key, run)
    return [(run, frozenset(goals.goals_of(run)), goals.price(run)) for run in runs.values()]


def _gain_per_cost(pair: tuple[Execution, frozenset[Goal], int], wanted: set[Goal]) -> float:
    run, shown, price = pair
    del run
    return len(wanted & shown) / price


def _eliminate(chosen: list[Execution], goals: GoalMap) -> list[Execution]:
    """Drop superfluous executions, the most costly first."""
    shown = [set(goals.goals_of(run)) for run in chosen]
    alive = set(range(len(chosen)))
    for index in sorted(alive, key=lambda i: (-goals.price(chosen[i]), i)):
        others: set[Goal] = set().union(*(shown[i] for i in sorted(alive) if i != index))
        if shown[index] <= others:
            alive.discard(index)
    return [chosen[index] for index in sorted(alive)]


def _assign(chosen: list[Execution], goals: GoalMap) -> Selection:
    """Each Goal goes to the first execution that reaches it, to bare constructors late.

    What a constructor does shows in what is done with the object; an exception is what its test is
    about, so that it gets what no other execution reaches.  A site goes to an execution whose last
    Call reaches it, if there is one: the Calls before are not what a test is about.
    """
    taken: dict[Goal, int] = {}

    def rank(at: int) -> int:
        run = chosen[at]
        return 2 if run.failed is not None else int(goals.is_constructor(run.invocable))

    order = sorted(range(len(chosen)), key=rank)
    shown = [goals.goals_of(run) for run in chosen]
    for at in order:
        last = chosen[at].last_hits
        for goal in shown[at]:
            if goal.family not in _OF_SITES or goal.number in last:
                taken.setdefault(goal, at)
    for at in order:
        for goal in shown[at]:
            taken.setdefault(goal, at)
    return [
        (run, tuple([goal for goal in shown[at] if taken[goal] == at]))
        for at, run in enumerate(chosen)
    ]
