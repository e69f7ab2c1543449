"""Coverage criteria: the names by which a person asks for families of Goals.

Invariant: a criterion decides what a test may be kept for, never what the search tries to
reach on the way; with no criterion named the ``default`` ones hold.

Source: JTESTCRAFT, section 4.1.2, for the def-use pairs of fields.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Final

from unitcraft.core.wire import Plain
from unitcraft.explore.execution import Execution
from unitcraft.explore.goals import MAX_PATHS, Aim, GoalMap

DEFAULT: Final = "default"
DEF_USE: Final = "def-use"
PATH: Final = "path"

#: Families of Goals (the letter before the first colon) by criterion.
FAMILIES: Final[Mapping[str, str]] = {
    "branch": "b",
    "condition": "c",
    "exception": "x",
    "boundary": "en",
    PATH: "p",
    DEF_USE: "u",
    "result": "r",
    "entry": "d",
    "mutant": "m",
    DEFAULT: "bxerdm",
}
NAMES: Final = tuple(FAMILIES)
#: Paths of one Invocable that are kept when paths are asked for.
MOST_PATHS: Final = 60

Chosen = list[tuple[Execution, tuple[str, ...]]]


def parsed(text: str) -> tuple[str, ...]:
    """The criteria of a comma list, each once.  Raises ValueError, with advice, for others."""
    names = tuple(dict.fromkeys([part.strip() for part in text.split(",") if part.strip()]))
    for name in names:
        if name not in FAMILIES:
            raise ValueError(_advice(name))
    return names


def _advice(name: str) -> str:
    close = difflib.get_close_matches(name, NAMES, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}?" if close else "the criteria are: " + ", ".join(NAMES)
    return f"{name!r} is no criterion; {hint}"


def kept(names: Iterable[str]) -> frozenset[str]:
    """The families that tests are kept for."""
    asked = tuple(names) or (DEFAULT,)
    return frozenset(family for name in asked for family in FAMILIES[name])


def aim_of(ready: Mapping[str, Plain], names: Iterable[str]) -> Aim:
    """What ``names`` ask of the search; ``ready`` is the answer of ``explore.agent.prepare``."""
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
