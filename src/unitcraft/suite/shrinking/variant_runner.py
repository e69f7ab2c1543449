"""Runs of variants of selected executions: what was seen of them, and which can replace these.

Invariant: a variant replaces its original only if it reaches the same Goals and kills what the
original was kept for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from unitcraft.core.encoding import Plain, encode, encode_sequence
from unitcraft.core.goals import Family, Goal
from unitcraft.core.sequences import Display, Sequence
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.bounded_runs import SparingPool
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.variation.places import places
from unitcraft.suite.generated.lifted_arguments import lift_arguments
from unitcraft.suite.generated.mutant_goals import KillChecker, KillMatrix, kill_goals
from unitcraft.suite.mutation.agents.kill_evidence import READ_BUFFER, RESULT, mark_of
from unitcraft.suite.shrinking.shrink import Variant, run_variants
from unitcraft.suite.telling.emptied_inputs import buffered_texts
from unitcraft.suite.telling.telling_options import Option, options_given, without_option

#: Keys of an original and of a variant -> the execution of the variant, which can replace that one.
Replacements = dict[tuple[str, str], Execution]


def beyond_echoes(sequence: Sequence, seen: Iterable[tuple[str, Plain]]) -> list[tuple[str, Plain]]:
    """The parts ``seen`` of ``sequence``, those that are as they were given by their places.

    What a caller handed over and finds again says nothing of its items.
    """
    given = [arg for arg, _ in places(sequence) if isinstance(arg, Display) and arg.items]
    echoes = {mark_of(encode(arg)): ("given", at) for at, arg in reversed([*enumerate(given)])}
    return [(key, echoes.get(mark, mark)) for key, mark in seen]


@dataclass(frozen=True, slots=True)
class VariantRunner:
    """What variants of selected executions are run with, and the kill matrix that grows by them.

    ``seen`` are the parts that were observed of a run, by the key of its Sequence.
    """

    goals: GoalMap
    reveals: KillMatrix
    bench: KillChecker
    pool: SparingPool
    seen: dict[str, Plain]

    def observe(self, runs: list[Execution]) -> None:
        """See the parts of ``runs``, as those of replacements are seen."""
        calls = [encode_sequence(lift_arguments(run.sequence)) for run in runs]
        items = [
            (call, elsewhere, (), True)
            for call, elsewhere in zip(calls, self.bench.elsewhere(runs), strict=True)
        ]
        for run, reply in zip(runs, self.bench.pool.map("again", items), strict=True):
            if reply.value is not None:
                self.seen[run.sequence.key] = reply.value[0]

    def reads_nothing(self, run: Execution, empty: Execution) -> bool:
        """Does ``run`` write to its files in memory, or show the same with empty ones?"""
        held = [mark_of(encode(text)) for text in buffered_texts(run.sequence)]
        seen, others = (self.seen.get(one.sequence.key) for one in (run, empty))
        if seen is None or others is None:
            return False
        is_written = any(READ_BUFFER in key and mark not in held for key, mark in seen)
        beside = [[pair for pair in one if READ_BUFFER not in pair[0]] for one in (seen, others)]
        return is_written or beside[0] == beside[1]

    def sees_more(self, one: Execution, other: Execution) -> bool:
        """Was the result of ``other`` observed, which was not of ``one``, or more beside it?"""
        seen, more = (
            {key for key, _ in self.seen.get(run.sequence.key, ())} for run in (one, other)
        )
        return RESULT in more - seen or seen < more

    def sees_another_result(self, one: Execution, other: Execution) -> bool:
        """Was a result of both observed, which is not the same?"""
        first, second = (
            dict(self.seen.get(run.sequence.key, ())).get(RESULT) for run in (one, other)
        )
        return first is not None and second is not None and first != second

    def sees_difference(self, one: Execution, other: Execution) -> bool:
        """Was one of them not observed, or are they not alike?"""
        seen = self.seen.get(one.sequence.key)
        return seen is None or seen != self.seen.get(other.sequence.key)

    def sees_what_became_of_items(self, one: Execution, other: Execution) -> bool:
        """As ``sees_difference``, but for containers that are seen as they were given."""
        seen, others = (self.seen.get(run.sequence.key) for run in (one, other))
        if seen is None or others is None:
            return seen is None
        return beyond_echoes(one.sequence, seen) != beyond_echoes(other.sequence, others)

    def silent_options(self, runs: list[Execution]) -> dict[str, tuple[Option, ...]]:
        """The options that runs give and show nothing of, by the key of the run.

        A run without such an option shows the same.
        """
        plausibility = self.goals.plausibility
        given = [
            (run, one, without_option(run.sequence, one, plausibility))
            for run in runs
            for one in options_given(run.sequence, plausibility)
        ]
        bare: list[Variant] = [(run, (), shorter) for run, _, shorter in given]
        twins = {one.sequence.key: one for one, _ in run_variants(bare, self.goals, self.pool)}
        unseen = {run.sequence.key: run for run, _, shorter in given if shorter.key in twins}
        self.observe([one for key, one in (unseen | twins).items() if key not in self.seen])
        found: dict[str, tuple[Option, ...]] = {}
        for run, option, shorter in given:
            twin = twins.get(shorter.key)
            if twin is not None and not self.sees_difference(run, twin):
                found[run.sequence.key] = (*found.get(run.sequence.key, ()), option)
        return found

    def replacements(self, batch: list[Variant], *, whole: bool = True) -> Replacements:
        """Variants that replace their original, ``whole``: with all its kills; all are offered."""
        goals, bench = self.goals, self.bench
        able: list[tuple[Execution, Variant]] = []
        for smaller, variant in run_variants(batch, goals, self.pool):
            others = {goal for goal in variant[1] if not goal.family.record.is_mutant}
            if others <= set(goals.goals_of(smaller)):
                able.append((smaller, variant))
        calls = [encode_sequence(lift_arguments(smaller.sequence)) for smaller, _ in able]
        seen = bench.elsewhere([smaller for smaller, _ in able])
        items = [
            (call, elsewhere, _wanted(own), whole)
            for call, elsewhere, (_, (_, own, _)) in zip(calls, seen, able, strict=True)
        ]
        better: Replacements = {}
        for (smaller, (run, _, _)), reply in zip(able, bench.pool.map("again", items), strict=True):
            if reply.value is None or reply.failure is not None:
                continue
            parts, found = reply.value
            self.seen[smaller.sequence.key] = parts
            known = self.reveals.setdefault(smaller.sequence.key, {})
            for number, positions, by_check in found:
                keys = tuple(parts[position][0] for position in positions)
                known.update(kill_goals(number, keys, by_check=by_check))
            goals.offer(smaller, goals.price(smaller))
            goals.add_goals(smaller, list(known))
            better[run.sequence.key, smaller.sequence.key] = smaller
        return better


def _wanted(own: tuple[Goal, ...]) -> list[Plain]:
    """(mutant, by a Check?) for each mutant among the Goals ``own``."""
    numbers: dict[int, bool] = {}
    for goal in own:
        if goal.family.record.is_mutant:
            by_check = goal.family is Family.MUTANT_BY_CHECK
            numbers[goal.number] = numbers.get(goal.number, False) or by_check
    return list(numbers.items())
