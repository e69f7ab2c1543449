"""What the tests of a suite come to: the lines they reach, the mutants they kill.

Invariant: plain numbers; whoever only shows a suite of an earlier run loads nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class MutantFigures(NamedTuple):
    """Mutants of a module: those that ``mutants run`` tries too, and those that the tests kill.

    ``at_import``: of code that the import runs.  It is changed after the import here, so that most
    of these live; ``mutants run`` imports the module anew for each.
    """

    all: int = 0
    killed: int = 0
    at_import: int = 0


@dataclass(frozen=True, slots=True)
class ReachedLines:
    """The lines of the Subject's file and its branches, as (from, to), that a run met or not.

    ``tests`` has the lines that each test reached; those of an import belong to none.
    """

    reached: tuple[int, ...] = ()
    unreached: tuple[int, ...] = ()
    taken: tuple[tuple[int, int], ...] = ()
    missed: tuple[tuple[int, int], ...] = ()
    tests: tuple[tuple[str, tuple[int, ...]], ...] = ()
