"""Variations of the runs that reach a mutant and do not kill it.

A run that reaches a mutant says nothing of it where its operands are equal, its loop turns once or
its text has one part, or where what it leaves in the module shows in the next call only.  What
differs from it in one respect may.

Invariant: a variation keeps the declared types and is sensible; the same runs and the same seed
give the same variations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice, zip_longest
from typing import Final, NamedTuple

from unitcraft.core.randomness import seeded_random
from unitcraft.core.sequences import Call, Ref, Sequence
from unitcraft.explore.calls import CALLED, is_explosive
from unitcraft.explore.execution import Execution, execution_of
from unitcraft.explore.plausibility.argument_fit import takes_any_number
from unitcraft.explore.search.bounded_runs import SparingPool
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.values.returned_calls import FUNCTION_ARGUMENTS
from unitcraft.explore.search.variation.stepping_stones import SteppingStones
from unitcraft.subject.reading.replaceable_calls import tree_of
from unitcraft.suite.telling.filled_templates import templates_by_scope, with_templates
from unitcraft.suite.telling.fuller_inputs import fuller_inputs, with_entries, with_one_more
from unitcraft.suite.telling.set_clocks import with_set_clocks

#: Variations towards one mutant in one round.
MAX_FOR_MUTANT: Final = 6
#: Runs that reached a mutant of which variations are made.
MAX_PARENTS: Final = 6
#: Of these with texts in a form that the code changes.
MAX_CHANGED: Final = 3
#: Of these with entries under the keys of its lines, and with fuller collections, each.
MAX_FULLER: Final = 2
#: Arguments with which a function that a run returned is called.
MAX_DECORATED: Final = 2
#: Runs that reached a mutant for which the clock is set.
MAX_TIMED: Final = 3
#: Runs that reached a mutant whose texts are made templates.
MAX_TEMPLATES: Final = 2
#: Variations in one round.
MAX_PLANNED: Final = 600


class OpenMutant(NamedTuple):
    """A mutant that nothing kills: the function it is in, and the runs that reached it.

    ``first`` and ``last`` are lines of the statement that it changes, 0 where it changes data;
    ``number`` is its own.
    """

    scope: str
    first: int
    last: int
    runs: tuple[Execution, ...]
    number: int = 0


class AimedRun(NamedTuple):
    """A run and the numbers of the ``mutants`` towards which it was made."""

    run: Execution
    mutants: frozenset[int]


def _called_again(parents: list[Execution]) -> Iterator[tuple[str, Sequence]]:
    """The first run that returned, with its last Call once more: what it left shows then."""
    for run in parents:
        *_, last = run.sequence.calls
        if run.failed is None and last.kind in ("function", "method") and not last.then:
            yield run.invocable, Sequence((*run.sequence.calls, last))
            break


def _with_call_of_result(parents: list[Execution]) -> Iterator[tuple[str, Sequence]]:
    """The first run that returned a function, with calls of that: what a decorator is for."""
    for run in parents:
        if run.failed is None and run.behaviour.startswith("function"):
            result = Ref(len(run.sequence.calls) - 1)
            for argument in FUNCTION_ARGUMENTS[:MAX_DECORATED]:
                call = Call(*CALLED, (result, argument))
                yield run.invocable, Sequence((*run.sequence.calls, call))
            break


def _of_different_ends(runs: tuple[Execution, ...]) -> Iterator[Execution]:
    """The first of the runs that end with the same Call, in their order, then the others.

    What one Call returns another keeps, and a third prints.
    """
    first: dict[tuple[str, str], Execution] = {}
    for run in runs:
        last = run.sequence.calls[-1]
        first.setdefault((last.kind, last.name), run)
    yield from first.values()
    chosen = set(map(id, first.values()))
    yield from (run for run in runs if id(run) not in chosen)


def _ran_out(run: Execution) -> bool:
    """Was a clock asked more often than it had something to tell?"""
    return run.failed is not None and run.failed.type == "builtins:StopIteration"


class MutantVariation:
    """Varies runs by the kinds of the search.  Abstract state: the Sequences that were tried."""

    def __init__(
        self, goals: GoalMap, stones: SteppingStones, pool: SparingPool, seed: int = 0
    ) -> None:
        self._goals = goals
        self._stones = stones
        self._pool = pool
        self._rng = seeded_random(seed, "variations for mutants")
        self._tried: set[str] = set()
        self._templates = templates_by_scope(tree_of(stones.source))

    def __call__(self, near: list[OpenMutant]) -> Iterator[AimedRun]:
        """The sensible runs made of those that reached the mutants ``near`` to them."""
        aims: defaultdict[str, set[int]] = defaultdict(set)
        plan = self._plan(near, aims)
        for (name, sequence), reply in zip(plan, self._pool.run(plan), strict=True):
            if reply.value is None or reply.failure is not None:
                continue
            run = execution_of(name, sequence, reply.value)
            if self._goals.sensible(run) and not _ran_out(run):
                self._goals.offer(run, self._goals.price(run))
                yield AimedRun(run, frozenset(aims[sequence.key]))

    def _plan(
        self, near: list[OpenMutant], aims: defaultdict[str, set[int]]
    ) -> list[tuple[str, Sequence]]:
        """Variations towards each of the mutants in turn; ``aims`` is told towards which."""
        plan: list[tuple[str, Sequence]] = []
        each = max(1, min(MAX_FOR_MUTANT, MAX_PLANNED // max(1, len(near))))
        made = [self._towards(mutant, each) for mutant in near]
        for row in zip_longest(*made):
            for mutant, found in zip(near, row, strict=True):
                if found is None:
                    continue
                if len(plan) >= MAX_PLANNED:
                    return plan
                _, sequence = found
                if sequence.key not in self._tried and not is_explosive(sequence):
                    self._tried.add(sequence.key)
                    plan.append(found)
                aims[sequence.key].add(mutant.number)
        return plan

    def _towards(self, mutant: OpenMutant, each: int) -> Iterator[tuple[str, Sequence]]:
        """Variations of the runs that reached ``mutant``, ``each`` of them by the kinds."""
        parents = list(mutant.runs[:MAX_PARENTS])
        forms = self._stones.with_changed_forms(mutant.scope, parents)
        changed = list(islice(forms, min(each, MAX_CHANGED)))
        yield from _called_again(parents)
        yield from _with_call_of_result(parents)
        yield from changed
        yield from islice(self._with_one_more(parents), MAX_FULLER)
        yield from islice(self._with_entries(mutant, parents), MAX_FULLER)
        yield from islice(self._fuller(parents), MAX_FULLER)
        yield from self._with_templates(mutant)
        yield from self._with_set_clocks(islice(_of_different_ends(mutant.runs), MAX_TIMED))
        count = each - len(changed)
        yield from self._stones.towards(mutant.scope, parents, count, mutant.first)

    def _with_entries(
        self, mutant: OpenMutant, parents: list[Execution]
    ) -> Iterator[tuple[str, Sequence]]:
        """The runs with something under the keys that stand on the lines of ``mutant``."""
        lines = range(mutant.first, mutant.last + 1)
        keys = self._stones.keys_on(mutant.scope, lines) if mutant.first else ()
        for parent in parents:
            for made in with_entries(parent.sequence, keys):
                if self._stones.keeps_promises(parent, made):
                    yield parent.invocable, made

    def _with_one_more(self, parents: list[Execution]) -> Iterator[tuple[str, Sequence]]:
        """The runs with one more for ``*args``."""
        plausibility = self._goals.plausibility
        for parent in parents:
            last = parent.sequence.calls[-1]
            called = plausibility.called(parent.sequence, last)
            if called is not None and takes_any_number(called):
                first = len(plausibility.parameter_names(parent.sequence, last))
                made = with_one_more(parent.sequence, first)
                if made is not None and self._stones.keeps_promises(parent, made):
                    yield parent.invocable, made

    def _with_set_clocks(self, parents: Iterable[Execution]) -> Iterator[tuple[str, Sequence]]:
        for parent in parents:
            for made in with_set_clocks(parent.sequence, self._stones.clocks):
                yield parent.invocable, made

    def _with_templates(self, mutant: OpenMutant) -> Iterator[tuple[str, Sequence]]:
        """The runs with all that the code fills in, at any time and at a set one."""
        templates = self._templates.get(mutant.scope, {})
        runs = _of_different_ends(mutant.runs) if templates else ()
        for parent in islice(runs, MAX_TEMPLATES):
            names = partial(self._stones.parameter_names, parent)
            for made in with_templates(parent.sequence, templates, names):
                if self._stones.keeps_promises(parent, made):
                    yield parent.invocable, made
                    for timed in with_set_clocks(made, self._stones.clocks):
                        yield parent.invocable, timed

    def _fuller(self, parents: list[Execution]) -> Iterator[tuple[str, Sequence]]:
        """The runs with more in their collections and objects, one of each in turn."""
        made = [fuller_inputs(parent.sequence, self._rng) for parent in parents]
        for row in zip_longest(*made):
            for parent, sequence in zip(parents, row, strict=True):
                if sequence is not None:
                    yield parent.invocable, sequence
