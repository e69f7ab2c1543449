"""What a search is given as bounds and what it answers.

Invariant: counts of runs only grow.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from unitcraft.core.containment import TimeGuard
from unitcraft.core.outcomes import Exhausted, Rejected
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.values.object_pool import ObjectPool


@dataclass(slots=True)
class Limits:
    """``executions`` bounds the runs; ``guard`` the wall time."""

    executions: int = 24_000
    guard: TimeGuard | None = None

    def is_late(self) -> bool:
        """Is the time over?"""
        return self.guard is not None and self.guard.strikes()

    def leaving(self, share: float, done: int) -> Limits:
        """These, after ``done`` runs, without a ``share`` of the runs that are left."""
        return replace(
            self, executions=self.executions - int(share * max(0, self.executions - done))
        )


@dataclass(slots=True)
class BlockedRun:
    """A run that the policy refused or a bound ended: (invocable, what happened)."""

    invocable: str
    failure: Rejected | Exhausted


@dataclass(slots=True)
class SearchResult:
    """The result of a search.

    ``tried``, ``sensible`` and ``returned`` count runs by Invocable; ``proposed`` names those for
    which a Sequence could be made, be it one that ran for another; ``misused`` has the exception of
    the last run that was a misuse, ``raised`` of the last other one that raised.  ``truncated``:
    the guard ended it.
    """

    goals: GoalMap
    objects: ObjectPool
    executions: int = 0
    rounds: int = 0
    truncated: bool = False
    blocked: list[BlockedRun] = field(default_factory=list)
    tried: dict[str, int] = field(default_factory=dict)
    sensible: dict[str, int] = field(default_factory=dict)
    proposed: set[str] = field(default_factory=set)
    misused: dict[str, str] = field(default_factory=dict)
    returned: dict[str, int] = field(default_factory=dict)
    raised: dict[str, str] = field(default_factory=dict)
