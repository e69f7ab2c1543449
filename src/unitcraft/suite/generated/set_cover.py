"""Which executions become tests: a small set that reaches every Goal that was reached.

Invariant: the chosen set reaches exactly the Goals of the whole, and no chosen
execution can be left out.

The algorithm is the greedy set cover, followed by a pass that drops what became superfluous.
"""

from __future__ import annotations

from collections.abc import Iterable

from unitcraft.explore.execution import Execution, cost
from unitcraft.explore.search.goal_map import GoalMap

#: Executions, each with the Goals that it is kept for.
Chosen = list[tuple[Execution, tuple[str, ...]]]


def select(goals: GoalMap, also: Iterable[Execution] = ()) -> Chosen:
    """Chosen executions, each with the Goals that only it was chosen for, in order of choice.

    The candidates are those that hold a Goal, and ``also``.
    """
    candidates = _candidates(goals, also)
    wanted = set(goals.best)
    chosen: list[Execution] = []
    while wanted:
        best = max(candidates, key=lambda pair: _merit(pair, wanted))
        gained = wanted & best[1]
        if not gained:
            break
        chosen.append(best[0])
        wanted -= gained
    return _assigned(_eliminated(chosen, goals), goals)


def _candidates(
    goals: GoalMap, also: Iterable[Execution]
) -> list[tuple[Execution, frozenset[str], int]]:
    runs = {repr(run.sequence): run for _, run in goals.best.values()}
    for run in also:
        runs.setdefault(repr(run.sequence), run)
    return [(run, frozenset(goals.goals_of(run)), cost(run.sequence)) for run in runs.values()]


def _merit(pair: tuple[Execution, frozenset[str], int], wanted: set[str]) -> float:
    run, shown, price = pair
    del run
    return len(wanted & shown) / (60 + price)


def _eliminated(chosen: list[Execution], goals: GoalMap) -> list[Execution]:
    """Drop, dearest first, what the others make superfluous."""
    shown = [set(goals.goals_of(run)) for run in chosen]
    alive = set(range(len(chosen)))
    for index in sorted(alive, key=lambda i: (-cost(chosen[i].sequence), i)):
        others: set[str] = set().union(*(shown[i] for i in sorted(alive) if i != index))
        if shown[index] <= others:
            alive.discard(index)
    return [chosen[index] for index in sorted(alive)]


def _assigned(chosen: list[Execution], goals: GoalMap) -> Chosen:
    """Each Goal goes to the first execution that reaches it."""
    taken: set[str] = set()
    pairs: Chosen = []
    for run in chosen:
        own = tuple(goal for goal in goals.goals_of(run) if goal not in taken)
        taken.update(own)
        pairs.append((run, own))
    return pairs
