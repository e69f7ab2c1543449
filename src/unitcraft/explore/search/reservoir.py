"""Reservoir sampling of the runs that reached no new Goal.

Invariant: each sensible run of an Invocable is as likely to be in the sample as any other; what
is in it follows from the runs, their order and the seed.

Source: Reservoir, algorithm R.
"""

from __future__ import annotations

from typing import Final

from unitcraft.core.randomness import seeded_random
from unitcraft.explore.execution import Execution

#: Runs kept of each Invocable: more candidates to kill mutants, and more time to judge them.
#: Off: 6 fewer mutants of 391 killed, beyond the noise of 2; twice as many: none more.
MAX_RUNS: Final = 8


class Reservoir:
    """The sample, by Invocable; mutable."""

    def __init__(self, seed: int) -> None:
        self._rng = seeded_random(seed, "spare")
        self._kept: dict[str, list[Execution]] = {}
        self._seen: dict[str, int] = {}

    def offer(self, run: Execution) -> None:
        """Keep ``run``, perhaps in the place of another."""
        kept = self._kept.setdefault(run.invocable, [])
        seen = self._seen[run.invocable] = self._seen.get(run.invocable, 0) + 1
        if len(kept) < MAX_RUNS:
            kept.append(run)
        elif (place := self._rng.randrange(seen)) < MAX_RUNS:
            kept[place] = run

    def runs(self) -> list[Execution]:
        """The whole sample."""
        return [run for kept in self._kept.values() for run in kept]
