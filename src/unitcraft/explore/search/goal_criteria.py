"""Coverage criteria: the Aim that they give to a search, and the Goals that they keep.

Invariant: a Goal is forgotten before the selection exactly when no criterion asks for its family.

Source: JTESTCRAFT, section 4.1.2, for the def-use pairs of fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from unitcraft.core.criteria import kept_families
from unitcraft.core.goals import Family, Goal
from unitcraft.explore.agents.answers import SearchReady
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.goal_map import MAX_PATHS, Aim, GoalMap

#: Paths of one Invocable that count as Goals when the path criterion is asked for.
MAX_PATHS_ASKED: Final = 60

Chosen = list[tuple[Execution, tuple[Goal, ...]]]


def aim_of(ready: SearchReady, names: Iterable[str], lines: tuple[int, int] | None = None) -> Aim:
    """The Aim of the criteria ``names`` for the code that ``ready`` describes, or its ``lines``."""
    families = kept_families(names)
    return Aim(
        ready.guards if Family.NEIGHBOUR in families else frozenset(),
        ready.pairs,
        MAX_PATHS_ASKED if Family.PATH in families else MAX_PATHS,
        lines,
    )


def keep_only(goals: GoalMap, names: Iterable[str]) -> None:
    """Forget the Goals of all other families."""
    goals.forget(set(Family) - kept_families(names))


def with_mutants(
    chosen: Chosen, reveals: Mapping[str, Mapping[Goal, object]], names: Iterable[str]
) -> Chosen:
    """``chosen`` with the mutants that each run is the first to kill, unless they are a criterion.

    Mutants decide what a test asserts, whatever Goals it is kept for.
    """
    if Family.MUTANT in kept_families(names):
        return chosen
    taken: set[Goal] = set()
    made: Chosen = []
    for run, goals in chosen:
        killed = tuple(one for one in reveals.get(run.sequence.key, {}) if one not in taken)
        taken.update(killed)
        made.append((run, goals + killed))
    return made
