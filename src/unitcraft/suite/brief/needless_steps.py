"""Calls before the one that a test is about which show something of their own, or nothing.

One run that shows two things costs less to read than two runs, so set cover takes it: ``suffix``
is asked for and dropped, then ``prefix`` is asserted.  A reader asks what the first call is for.
It gets a test of its own where that shows what the longer run showed with it, and the object takes
the place of its copy where it shows the same.

Invariant: what a run is kept for is reached without the Call, or by the Call as the last of a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple, Protocol

from unitcraft.core.goals import Family, Goal
from unitcraft.core.sequences import Ref, Sequence, refs_of, renumber_call, slice_sequence
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.goal_map import GoalMap

#: Rounds in which one Call is taken out of each run.
MAX_ROUNDS: Final = 4
#: Calls of one run that are looked at: a bound for long histories.
MAX_STEPS: Final = 6
#: Kinds of Calls that a test can be about.
_CALLED: Final = ("function", "method", "get")

#: Executions, each with the Goals that it is kept for.
_Selection = list[tuple[Execution, tuple[Goal, ...]]]


class Runner(Protocol):
    """Runs variants, and knows what was observed of runs."""

    @property
    def goals(self) -> GoalMap:
        """The Goals that runs reach."""

    def observe(self, runs: list[Execution]) -> None:
        """See the parts of ``runs``."""

    def replacements(
        self, batch: list[tuple[Execution, tuple[Goal, ...], Sequence]], *, whole: bool
    ) -> Mapping[tuple[str, str], Execution]:
        """The executions that were observed, by the keys of the original and of the variant."""

    def sees_another_result(self, one: Execution, other: Execution) -> bool:
        """Was a result of both observed, which is not the same?"""


class _Split(NamedTuple):
    """A run without one of its Calls, and the run up to that Call."""

    shorter: Sequence
    alone: Sequence
    invocable: str


def without_needless_steps(chosen: _Selection, runner: Runner) -> _Selection:
    """``chosen``, in which no run has a Call that it, or two runs in its place, can do without."""
    for _ in range(MAX_ROUNDS):
        splits = {one.sequence.key: list(_splits(one, runner.goals)) for one, _ in chosen}
        batch = [
            (name, _killed(own), sequence)
            for one, own in chosen
            for split in splits[one.sequence.key]
            for name, sequence in (
                (one, split.shorter),
                (replace(one, invocable=split.invocable), split.alone),
            )
        ]
        if not batch:
            break
        runner.observe([one for one, _ in chosen if splits[one.sequence.key]])
        found = runner.replacements(batch, whole=False)
        before = [one.sequence.key for one, _ in chosen]
        chosen = _exchanged(chosen, splits, found, runner)
        if [one.sequence.key for one, _ in chosen] == before:
            break
    return chosen


def _killed(own: tuple[Goal, ...]) -> tuple[Goal, ...]:
    return tuple([goal for goal in own if goal.family.record.is_mutant])


def _splits(run: Execution, goals: GoalMap) -> Iterator[_Split]:
    """The ways to take one Call out of ``run``."""
    sequence = run.sequence
    steps = [
        at for at, call in enumerate(sequence.calls[:-1])
        if call.kind in _CALLED and not _makes_object(sequence, at, goals)
    ]  # fmt: skip
    for at in islice(reversed(steps), MAX_STEPS):
        called = goals.plausibility.called(sequence, sequence.calls[at])
        shorter = _without(sequence, at)
        if called is not None and shorter is not None:
            yield _Split(shorter, Sequence(sequence.calls[: at + 1]), called.id)


def _makes_object(sequence: Sequence, at: int, goals: GoalMap) -> bool:
    """Is it a constructor?"""
    called = goals.plausibility.called(sequence, sequence.calls[at])
    return called is None or goals.is_constructor(called.id)


def _without(sequence: Sequence, at: int) -> Sequence | None:
    """``sequence`` without Call ``at``, and without what was made for it alone.

    Its receiver stands where others refer to what it answers; None where there is no receiver and
    others do.
    """
    call = sequence.calls[at]
    used = any(at in refs_of(other) for other in sequence.calls)
    receiver = call.args[0] if call.kind != "function" and call.args else None
    if used and not isinstance(receiver, Ref):
        return None
    where = {old: old - (old > at) for old in range(len(sequence)) if old != at}
    if isinstance(receiver, Ref):
        where[at] = receiver.index
    kept = [old for old in range(len(sequence)) if old != at]
    shorter = Sequence(tuple([renumber_call(sequence.calls[old], where) for old in kept]))
    made_for = _makers(sequence, at)
    return slice_sequence(shorter, tuple([where[old] for old in kept if old not in made_for]))


def _makers(sequence: Sequence, at: int) -> set[int]:
    """The Calls to whose results Call ``at`` refers, and to whose those refer."""
    found = set(refs_of(sequence.calls[at]))
    for index in range(at - 1, -1, -1):
        if index in found:
            found.update(refs_of(sequence.calls[index]))
    return found


def _exchanged(
    chosen: _Selection,
    splits: Mapping[str, list[_Split]],
    found: Mapping[tuple[str, str], Execution],
    runner: Runner,
) -> _Selection:
    """``chosen`` with the first split of each run that reaches what the run is kept for."""
    kept = [(run, list(own)) for run, own in chosen]
    places = {run.sequence.key: at for at, (run, _) in enumerate(kept)}
    for at, (run, _) in enumerate(chosen):
        key, own = run.sequence.key, kept[at][1]
        for split in splits[key]:
            shorter = found.get((key, split.shorter.key))
            alone = found.get((key, split.alone.key))
            if shorter is None or split.shorter.key in places:
                continue
            if not _is_like(shorter, run) or runner.sees_another_result(shorter, run):
                continue
            reached = set(runner.goals.goals_of(shorter))
            lacking = [goal for goal in own if goal not in reached]
            if lacking and not (alone and _can_show(alone, lacking, runner.goals)):
                continue
            kept[at] = (shorter, [goal for goal in own if goal in reached])
            del places[key]
            places[split.shorter.key] = at
            if lacking and alone is not None:
                there = places.setdefault(alone.sequence.key, len(kept))
                if there == len(kept):
                    kept.append((alone, []))
                kept[there][1].extend(lacking)
            break
    return [(run, tuple(dict.fromkeys(own))) for run, own in kept]


def _is_like(one: Execution, run: Execution) -> bool:
    """Do both end alike: by the same exception, or with the same kind of result?"""
    if one.failed is None or run.failed is None:
        return one.failed is run.failed and one.behaviour == run.behaviour
    first, second = one.failed, run.failed
    return (first.module, first.line, first.type) == (second.module, second.line, second.type)


def _can_show(alone: Execution, lacking: list[Goal], goals: GoalMap) -> bool:
    """Does it reach what is ``lacking``, and show something by a Check?"""
    reached = set(goals.goals_of(alone))
    checked = any(goal.family is Family.MUTANT_BY_CHECK for goal in reached)
    return reached.issuperset(lacking) and (checked or alone.behaviour != "None")
