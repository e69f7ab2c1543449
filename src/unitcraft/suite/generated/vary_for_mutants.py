"""Variations of the runs that reach a mutant and do not kill it.

A run that reaches a mutant says nothing of it where its operands are equal, its loop turns once or
its text has one part, or where what it leaves in the module shows in the next call only.  What
differs from it in one respect may.

Invariant: a variation keeps the declared types and is sensible; the same runs and the same seed
give the same variations.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from unitcraft.core.sequences import Sequence
from unitcraft.explore.calls import is_explosive
from unitcraft.explore.execution import Execution, execution_of
from unitcraft.explore.search.bounded_runs import SparingPool
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.variation.stepping_stones import SteppingStones

#: Variations towards one mutant in one round.
MAX_FOR_MUTANT: Final = 6
#: Runs that reached a mutant of which variations are made.
MAX_PARENTS: Final = 6
#: Of these with texts in a form that the code changes.
MAX_CHANGED: Final = 3
#: Variations in one round.
MAX_PLANNED: Final = 600


def _called_again(parents: list[Execution]) -> Iterator[tuple[str, Sequence]]:
    """The first run that returned, with its last Call once more: what it left shows then."""
    for run in parents:
        *_, last = run.sequence.calls
        if run.failed is None and last.kind in ("function", "method") and not last.then:
            yield run.invocable, Sequence((*run.sequence.calls, last))
            break


class MutantVariation:
    """Varies runs by the kinds of the search.  Abstract state: the Sequences that were tried."""

    def __init__(self, goals: GoalMap, stones: SteppingStones, pool: SparingPool) -> None:
        self._goals = goals
        self._stones = stones
        self._pool = pool
        self._tried: set[str] = set()

    def __call__(self, near: list[tuple[str, tuple[Execution, ...]]]) -> Iterator[Execution]:
        """The sensible runs made of those ``near`` a mutant, with the function that it is in."""
        plan = self._plan(near)
        for (name, sequence), reply in zip(plan, self._pool.run(plan), strict=True):
            if reply.value is None or reply.failure is not None:
                continue
            run = execution_of(name, sequence, reply.value)
            if self._goals.sensible(run):
                self._goals.offer(run, self._goals.price(run))
                yield run

    def _plan(self, near: list[tuple[str, tuple[Execution, ...]]]) -> list[tuple[str, Sequence]]:
        plan: list[tuple[str, Sequence]] = []
        each = max(1, min(MAX_FOR_MUTANT, MAX_PLANNED // max(1, len(near))))
        for scope, runs in near:
            parents = list(runs[:MAX_PARENTS])
            forms = self._stones.with_changed_forms(scope, parents)
            changed = list(islice(forms, min(each, MAX_CHANGED)))
            others = self._stones.towards(scope, parents, each - len(changed))
            for name, sequence in (*_called_again(parents), *changed, *others):
                if sequence.key not in self._tried and not is_explosive(sequence):
                    self._tried.add(sequence.key)
                    plan.append((name, sequence))
        return plan[:MAX_PLANNED]
