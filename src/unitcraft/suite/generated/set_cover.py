"""Greedy set cover: a small set of executions that reaches every Goal that was reached.

Invariant: the selected executions reach exactly the Goals of all candidates, and none of them can
be left out.

The greedy algorithm takes the execution with the most new Goals for its cost, until every Goal is
reached; a second pass drops executions that later choices made superfluous.

Source: SETCOVER; *differs*: the second pass is added, and gains are looked at again only for the
one that may be the best (lazy greedy: they never grow).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from heapq import heapify, heappop, heapreplace
from typing import Final

from unitcraft.core.goals import Family, Goal
from unitcraft.core.sequences import arguments
from unitcraft.explore.execution import Execution
from unitcraft.explore.intent import given_back
from unitcraft.explore.search.goal_map import GoalMap

#: Families whose Goals are sites, by their numbers.
_OF_SITES: Final = (Family.BRANCH, Family.CONDITION)

#: Executions, each with the Goals that it is kept for.
Selection = list[tuple[Execution, tuple[Goal, ...]]]


def select(goals: GoalMap, also: Iterable[Execution] = ()) -> Selection:
    """The selected executions in order of choice, each with the Goals that it is kept for.

    The candidates are those that hold a Goal, and ``also``.  Nothing is selected for results that
    were given back (see ``intent.given_back``).
    """
    candidates = _candidates(goals, also)
    wanted = goals.best.keys() - set(given_back(goals.best))
    chosen: list[Execution] = []
    # what was the gain of one when it was last looked at bounds it: most are looked at once
    queue = [(-len(shown) / price, at, 0) for at, (_, shown, price) in enumerate(candidates)]
    heapify(queue)
    while wanted and queue:
        bound, at, looked = queue[0]
        run, shown, price = candidates[at]
        if looked < len(chosen) + 1:
            heapreplace(queue, (-len(wanted & shown) / price, at, len(chosen) + 1))
            continue
        if not bound:
            break
        heappop(queue)
        chosen.append(run)
        wanted -= shown
    return _assign(_eliminate(chosen, goals), goals)


def _candidates(
    goals: GoalMap, also: Iterable[Execution]
) -> list[tuple[Execution, frozenset[Goal], int]]:
    runs = {run.sequence.key: run for _, run in goals.best.values()}
    for run in also:
        runs.setdefault(run.sequence.key, run)
    return [(run, frozenset(goals.goals_of(run)), goals.price(run)) for run in runs.values()]


def _eliminate(chosen: list[Execution], goals: GoalMap) -> list[Execution]:
    """Drop superfluous executions, the most costly first."""
    shown = [set(goals.goals_of(run)) for run in chosen]
    alive = set(range(len(chosen)))
    reaching = Counter(goal for reached in shown for goal in reached)
    for index in sorted(alive, key=lambda i: (-goals.price(chosen[i]), i)):
        if all(reaching[goal] > 1 for goal in shown[index]):
            alive.discard(index)
            reaching.subtract(shown[index])
    return [chosen[index] for index in sorted(alive)]


def _assign(chosen: list[Execution], goals: GoalMap) -> Selection:
    """Each Goal goes to the nearest execution that reaches it, to bare constructors late.

    What a constructor does shows in what is done with the object; an exception is what its test is
    about, so that it gets what no other execution reaches.  A site goes to an execution whose last
    Call reaches it, if there is one, and a mutant to one whose last Call is the function with the
    mutant, or runs it: the Calls before are not what a test is about.
    """
    near = Nearness(goals)
    shown = [goals.goals_of(run) for run in chosen]
    best: dict[Goal, tuple[int, int, int]] = {}
    for at, run in enumerate(chosen):
        late = 2 if run.failed is not None else int(goals.is_constructor(run.invocable))
        for goal in shown[at]:
            rank = (near.of(goal, run), late, at)
            best[goal] = min(best.get(goal, rank), rank)
    return [
        (run, tuple([goal for goal in shown[at] if best[goal][2] == at]))
        for at, run in enumerate(chosen)
    ]


class Nearness:
    """How near a Goal is to what the last Call of a run does."""

    def __init__(self, goals: GoalMap) -> None:
        self._mutated = goals.mutated
        self._is_constructor = goals.is_constructor
        self._entered: dict[str, set[str]] = {}
        self._entries = {
            number: site.scope for number, site in enumerate(goals.sites) if site.kind == "entry"
        }

    def of(self, goal: Goal, run: Execution) -> int:
        """0 for what the last Call does itself, 1 for what it has others do, 2 for all else.

        A constructor that is given nothing shows its mutants no better than what is done next.
        """
        if goal.family in _OF_SITES:
            return 0 if goal.number in run.last_hits else 2
        if not goal.family.record.is_mutant:
            return 0
        given = arguments(run.sequence.calls[-1])
        if self._is_constructor(run.invocable) and not given:
            return 2
        entered = self._entered.get(run.sequence.key)
        if entered is None:
            entered = {self._entries[hit] for hit in run.last_hits if hit in self._entries}
            self._entered[run.sequence.key] = entered
        found = entered.intersection(self._mutated.get(goal.number, ()))
        name = run.invocable.rpartition(":")[2]
        own = (name, f"{name}.__init__", f"{name}.__new__")
        is_own = any(one in own or _last(one) == _last(name) for one in found)
        return 0 if is_own else 1 if found else 2


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def by_anything(goal: Goal) -> Goal:
    """``goal``, but a mutant is killed also where what a stand-in has no answer to raises."""
    return Goal(Family.MUTANT, goal.number) if goal.family is Family.MUTANT_BY_CHECK else goal


def with_new_kills(
    chosen: Selection,
    reveals: dict[str, dict[Goal, tuple[str, ...]]],
    goals: GoalMap,
    judge: Callable[[list[Execution], frozenset[int]], Mapping[str, dict[Goal, tuple[str, ...]]]],
) -> Selection:
    """``chosen`` with the mutants that none was known to kill; ``reveals`` grows by them.

    ``judge`` gives the kills of runs among the mutants whose numbers are not known.
    """
    keys = [run.sequence.key for run, _ in chosen]
    killed = frozenset(goal.number for key in keys for goal in reveals.get(key, ()))
    found = judge([run for run, _ in chosen], killed)
    known: set[Goal] = set()
    kept: Selection = []
    for run, own in chosen:
        new = [goal for goal in sorted(found.get(run.sequence.key, ())) if goal not in known]
        known.update(new)
        reveals.setdefault(run.sequence.key, {}).update(found.get(run.sequence.key, {}))
        goals.add_goals(run, new)
        kept.append((run, tuple(dict.fromkeys([*own, *new]))))
    return kept


def without_needless(
    chosen: Selection,
    reveals: dict[str, dict[Goal, tuple[str, ...]]],
    goals: GoalMap,
    judge: Callable[[list[Execution]], Mapping[str, dict[Goal, tuple[str, ...]]]],
) -> Selection:
    """``chosen`` without the runs that the others make superfluous; ``reveals`` grows.

    Before, each mutant was tried on some of the runs that reach it; ``judge`` tries it on all runs
    that are left, and gives all of their kills.
    """
    runs = [run for run, _ in chosen]
    for name, kills in judge(runs).items():
        reveals.setdefault(name, {}).update(kills)
    for run in runs:
        goals.add_goals(run, list(reveals.get(run.sequence.key, ())))
    return _assign(_eliminate(runs, goals), goals)
