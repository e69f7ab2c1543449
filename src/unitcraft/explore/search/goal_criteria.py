"""Coverage criteria: the Aim that they give to a search, and the Goals that they keep.

Invariant: a family that is asked for is never set aside.

Source: JTESTCRAFT, section 4.1.2, for the def-use pairs of fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from unitcraft.core.criteria import kept_families
from unitcraft.core.goals import Family, Goal
from unitcraft.explore.agents.answers import SearchReady
from unitcraft.explore.execution import Execution
from unitcraft.instrument.sites import DefUsePair

#: Distinct paths (sets of sites) of one Invocable that count.  Off: no site, 8 % fewer runs.
MAX_PATHS = 6
#: Paths of one Invocable that count as Goals when the path criterion is asked for.
MAX_PATHS_ASKED: Final = 60
#: Families that are steps to others unless they are asked for.  They come one in a thousand runs
#: for ever: with them 165,800 runs of 12 modules, without 124,000, and 4 sites of 2,177 fewer.
ASIDE: Final = frozenset({Family.PATH, Family.RESULT})

Chosen = list[tuple[Execution, tuple[Goal, ...]]]


@dataclass(frozen=True, slots=True)
class Aim:
    """The demands of criteria beyond branches.

    ``guards``: sites of comparisons that decide a branch; ``pairs``: def-use pairs of the source;
    ``paths`` bounds the paths of an Invocable; ``lines``: first and last line of what is searched;
    ``planned``: the Goals of Sequences (by key) that were planned for them; ``aside``: families
    of which nobody is shown a Goal, which alone do not keep a search going.
    """

    guards: frozenset[int] = frozenset()
    pairs: tuple[DefUsePair, ...] = ()
    paths: int = MAX_PATHS
    lines: tuple[int, int] | None = None
    aside: frozenset[Family] = ASIDE
    planned: Mapping[str, tuple[Goal, ...]] = field(default_factory=dict)


def aim_of(ready: SearchReady, names: Iterable[str], lines: tuple[int, int] | None = None) -> Aim:
    """The Aim of the criteria ``names`` for the code that ``ready`` describes, or its ``lines``."""
    families = kept_families(names)
    return Aim(
        ready.guards if Family.NEIGHBOUR in families else frozenset(),
        ready.pairs,
        MAX_PATHS_ASKED if Family.PATH in families else MAX_PATHS,
        lines,
        ASIDE - families,
    )


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
