"""What coverage criteria ask of a search, and which of its Goals they keep.

Invariant: what was reached for no criterion is forgotten before the selection, and nothing else.

Source: JTESTCRAFT, section 4.1.2, for the def-use pairs of fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from unitcraft.core.criteria import kept
from unitcraft.core.encoding import Plain
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.goal_map import MAX_PATHS, Aim, GoalMap

#: Paths of one Invocable that are kept when paths are asked for.
MOST_PATHS: Final = 60

Chosen = list[tuple[Execution, tuple[str, ...]]]


def aim_of(ready: Mapping[str, Plain], names: Iterable[str]) -> Aim:
    """What ``names`` ask of the search; ``ready`` is the answer of ``search_agent.prepare``."""
    families = kept(names)
    return Aim(
        frozenset(ready["guards"]) if "n" in families else frozenset(),
        tuple((row[0], row[1], tuple(row[2]), row[3]) for row in ready["pairs"]),
        MOST_PATHS if "p" in families else MAX_PATHS,
    )


def keep_only(goals: GoalMap, names: Iterable[str]) -> None:
    """Forget the Goals of all other families."""
    families = kept(names)
    for family in sorted({goal.partition(":")[0] for goal in goals.best} - families):
        goals.forget(family)


def with_mutants(
    chosen: Chosen, reveals: Mapping[str, Mapping[str, object]], names: Iterable[str]
) -> Chosen:
    """``chosen`` with the mutants that each run notices first, where these were no criterion.

    They decide what a test asserts, whatever it is kept for.
    """
    if "m" in kept(names):
        return chosen
    taken: set[str] = set()
    made: Chosen = []
    for run, goals in chosen:
        noticed = tuple(one for one in reveals.get(repr(run.sequence), {}) if one not in taken)
        taken.update(noticed)
        made.append((run, goals + noticed))
    return made
