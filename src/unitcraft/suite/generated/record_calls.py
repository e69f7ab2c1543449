"""Functions that a test passes record what they are called with, where that tells mutants apart.

``run_command=lambda *args: (0, "x", "")`` accepts every command; a ``Mock`` in its place says
afterwards which one it was given.

Invariant: a test records calls only if it then kills a mutant by a Check that no other test of the
selection kills so, and it still kills all that it is kept for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from unitcraft.core.goals import Family, Goal
from unitcraft.core.sequences import Arg, Build, Const, Sequence, Source
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.variation.places import places, recording, result_of
from unitcraft.suite.generated.mutant_goals import KillChecker, KillMatrix
from unitcraft.suite.generated.set_cover import Selection
from unitcraft.suite.generated.shrink import Variant

#: Functions of one test that are replaced.
MAX_FUNCTIONS: Final = 6


def with_recorded_calls(
    chosen: Selection,
    goals: GoalMap,
    reveals: KillMatrix,
    bench: KillChecker,
    replace: Callable[[list[Variant]], list[Execution]],
) -> Selection:
    """``chosen``, in which runs that then kill more pass functions that record their calls.

    ``replace`` answers the variants that can replace their original; ``reveals`` grows by the
    mutants that they kill.
    """
    killed = {goal for run, _ in chosen for goal in reveals.get(run.sequence.key, ())}
    killed = {goal for goal in killed if goal.family is Family.MUTANT_BY_CHECK}
    batch = [
        (run, own, variant)
        for run, own in chosen
        if any(goal.family.record.stands_alone for goal in own)
        for variant in _recording_variants(run.sequence, goals)
    ]
    able = {run.sequence.key: run for run in replace(batch)}
    numbers = frozenset(goal.number for goal in killed)
    found = bench.judged(list(able.values()), already_killed=numbers).reveals
    variants = {run.sequence.key: variant.key for run, _, variant in batch}

    def best(run: Execution, own: tuple[Goal, ...]) -> tuple[Execution, tuple[Goal, ...]]:
        key = variants.get(run.sequence.key, "")
        new = [
            goal
            for goal in sorted(found.get(key, ()))
            if goal.family.record.is_mutant and goal not in killed
        ]
        if key not in able or not any(goal.family is Family.MUTANT_BY_CHECK for goal in new):
            return run, own
        killed.update(new)
        reveals.setdefault(key, {}).update(found[key])
        goals.add_goals(able[key], new)
        return able[key], tuple(dict.fromkeys([*own, *new]))

    return [best(run, own) for run, own in chosen]


def _recording_variants(sequence: Sequence, goals: GoalMap) -> list[Sequence]:
    """The Sequence with functions that record their calls, if it passes any that do not."""
    made = sequence
    for _ in range(MAX_FUNCTIONS):
        found = next(
            ((put, new) for arg, put in places(made) if (new := _recorder_for(arg)) is not None),
            None,
        )
        if found is None:
            break
        made = found[0](found[1])
    fit = goals.plausibility.fit_of_sequence
    return [made] if made is not sequence and fit(made) <= fit(sequence) else []


def _recorder_for(arg: Arg) -> Build | None:
    """A recording function in place of a lambda; None for any other Arg."""
    if not isinstance(arg, Source) or not arg.text.startswith("lambda"):
        return None
    result = result_of(arg)
    return recording(Const(None) if result is None else result)
