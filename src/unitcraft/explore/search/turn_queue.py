"""A queue whose Sequences take turns by what they are for.

A comparison that each run meets suggests something each time.  In one line the suggestions for the
first comparisons would keep those for the others waiting for ever.  So would, among those that are
to be run at once, the suggestions of the many runs that end early those of the one that went on.

Invariant: what is put is taken at most once; the order depends on what was put, and when, alone.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Hashable, Iterable
from typing import Final

from unitcraft.core.sequences import Sequence

#: Sequences that wait for one purpose; more are dropped, the newest first.  Halved with three
#: others, sites of ``pellets`` (664, seed 0): 0.
MAX_FOR_PURPOSE: Final = 40
#: Sequences that wait for all purposes together: a bound of memory.  Half of it is not reached in
#: five searches of 20,000 runs.
MAX_WAITING: Final = 4_000
#: Of so many Sequences that are taken, one is from the turns, if any are before them.  Halved with
#: three others, sites of ``pellets`` (664, seed 0): 0.
TURN_SHARE: Final = 3


#: A place in two queues at once: empty once its Sequence was taken from one of them.
_Place = list[Sequence]


class TurnQueue:
    """Sequences that are to be taken at once, and by ``purpose`` those that wait for their turn."""

    def __init__(self) -> None:
        self._newest: deque[_Place] = deque()
        self._ends: OrderedDict[Hashable, deque[_Place]] = OrderedDict()
        self._at_once = 0
        self._is_fair = False
        self._turns: dict[Hashable, deque[Sequence]] = {}
        self._waiting = 0

    def __len__(self) -> int:
        return self._at_once + self._waiting

    def put_first(self, found: Iterable[Sequence], end: Hashable = None) -> None:
        """Put Sequences before all others, the last of them foremost.

        ``end`` is where the run ended that suggested them.  One is taken that came last, to follow
        what a run missed step by step, and one of the end that waited longest, in turns.  (The last
        alone: 6 of 18 branches of one module, 9 with both; ends alone: 5 of 20 of another, 8 with
        both.)
        """
        made = [[one] for one in found]
        if not made:
            return
        if end not in self._ends:
            self._ends[end] = deque()
            self._ends.move_to_end(end, last=False)
        self._ends[end].extendleft(made)
        self._newest.extendleft(made)
        self._at_once += len(made)

    def is_full(self, purpose: Hashable) -> bool:
        """Would nothing be kept that is put for ``purpose``?"""
        waiting = self._turns.get(purpose, ())
        return len(waiting) >= MAX_FOR_PURPOSE or self._waiting >= MAX_WAITING

    def put(self, purpose: Hashable, found: Iterable[Sequence]) -> None:
        """Let Sequences wait for the turn of ``purpose``."""
        for one in found:
            if self.is_full(purpose):
                return
            self._turns.setdefault(purpose, deque()).append(one)
            self._waiting += 1

    def take(self, most: int) -> list[Sequence]:
        """At most ``most`` Sequences, which leave the queue."""
        taken: list[Sequence] = []
        while len(taken) < most and len(self):
            is_turn = self._waiting and len(taken) % TURN_SHARE == TURN_SHARE - 1
            if self._at_once and not is_turn:
                taken.append(self._take_first())
            else:
                taken.append(self._take_turn())
        return taken

    def _take_first(self) -> Sequence:
        """The Sequence that came last, or the foremost of the end whose turn it is."""
        self._is_fair = not self._is_fair
        taken = None
        while taken is None:
            taken = self._take_of_end() if self._is_fair else _taken(self._newest)
        self._at_once -= 1
        return taken

    def _take_of_end(self) -> Sequence | None:
        """The foremost of the end whose turn it is; the others come before it again."""
        end, waiting = self._ends.popitem(last=False)
        taken = _taken(waiting)
        if waiting:
            self._ends[end] = waiting
        return taken

    def _take_turn(self) -> Sequence:
        """The oldest Sequence of the purpose whose turn it is; the others come before it again."""
        purpose = next(iter(self._turns))
        waiting = self._turns.pop(purpose)
        if len(waiting) > 1:
            self._turns[purpose] = waiting
        self._waiting -= 1
        return waiting.popleft()


def _taken(waiting: deque[_Place]) -> Sequence | None:
    """What the first place that is not empty holds, which is so afterwards; None for none."""
    while waiting:
        place = waiting.popleft()
        if place:
            return place.pop()
    return None
