"""On which object an Invocable is called: on each once, then by chance on those that are of use.

The first and the last of the new ones are taken in turn: those that were found late came with code
that nothing else reached.  Objects as they were made and objects that grew by calls have turns by
what calls on them brought.

Invariant: the choice depends on the objects in their order, on what was noted, and on the given
Random; an object of which a call went well is never left out.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

from unitcraft.explore.search.values.object_pool import ObjectHistory, pick
from unitcraft.explore.search.values.parameter_model import Record

#: Runs in a row on one object that came to nothing but misuse, after which it is left out while
#: there are others: an object that was built from a wrong argument fails on each call.  Halved,
#: sites of ``pellets`` (664, seeds 0 and 1): +7, +3.
MAX_MISUSES: Final = 3


class ReceiverChoice:
    """Abstract state: how often the Invocable was misused on each object, if on that always."""

    __slots__ = ("_known", "_misuses", "_parts", "_records", "_served", "_useful")

    def __init__(self) -> None:
        self._known = 0
        self._parts: dict[bool, list[ObjectHistory]] = {}
        self._served: set[int] = set()
        self._records = {False: Record(), True: Record()}
        self._misuses: Counter[int] = Counter()
        self._useful: set[int] = set()

    def choose(self, seeds: list[ObjectHistory], turn: int, rng: Random) -> ObjectHistory:
        """One of ``seeds``, of which there is one at least: in every second turn a new one."""
        if turn % 2 == 0 and len(self._served) < len(seeds):
            new = [seed for seed in seeds if id(seed) not in self._served]
            if new:
                chosen = new[-1 if turn % 4 else 0]
                self._served.add(id(chosen))
                return chosen
        if len(seeds) != self._known:
            self._known = len(seeds)
            self._parts = {
                grown: [seed for seed in seeds if seed.is_grown == grown] for grown in (False, True)
            }
        made, grown = (record.rate for record in self._records.values())
        among = self._parts[rng.random() * (made + grown) < grown] or seeds
        useful = [seed for seed in among if self._misuses[id(seed)] < MAX_MISUSES]
        return pick(useful or among, rng)

    def note(self, seed: ObjectHistory, *, sensible: bool, kept: bool) -> None:
        """Take what a call on the object of ``seed`` came to: misuse, or a new Goal?"""
        record = self._records[seed.is_grown]
        record.tried += 1
        record.good += kept
        if sensible:
            self._useful.add(id(seed))
            del self._misuses[id(seed)]
        elif id(seed) not in self._useful:
            self._misuses[id(seed)] += 1
