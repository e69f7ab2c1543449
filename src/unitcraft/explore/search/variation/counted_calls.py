"""The last Call of a run made again as often as a counter is short of what it is compared with.

``if self.walked == self.breath`` saw 0 and 3: the Call that counts is made three times more.  No
input has the number, for the object counts by itself.

Invariant: the run stays as it is; only its last Call comes behind it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Final

from unitcraft.core.sequences import Sequence
from unitcraft.explore.execution import Execution

#: Calls that are made again at most: a longer test nobody reads.  Halved: no site of 729.
MAX_TIMES: Final = 12
#: Runs of one Invocable that are repeated for one comparison.
MAX_FOR_COMPARISON: Final = 3


class CountedCalls:
    """Which comparisons came out one way only below each Invocable (mutable: a memory).

    Abstract state: (Invocable, site) -> the outcomes seen, and how many runs were repeated for it.
    """

    def __init__(self) -> None:
        self._seen: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
        self._repeated: Counter[tuple[str, int]] = Counter()

    def repeated(self, run: Execution) -> list[Sequence]:
        """``run`` with its last Call as often again as compared integers are apart.

        Only a Call on an object counts, and only what it compares itself or has others compare; a
        clock that ticks as a game is played has come to its hour elsewhere, but not in the game.
        """
        last = run.sequence.calls[-1]
        if last.kind == "function" or not run.returned:
            return []
        hits = set(run.last_hits)
        made: list[Sequence] = []
        for site, _, left, right in run.comparisons:
            outcomes = hits.intersection((site, site + 1))  # true, false
            if not (type(left) is type(right) is int and outcomes):
                continue
            where = (run.invocable, site)
            self._seen[where] |= outcomes
            is_open = len(self._seen[where]) == 1 and self._repeated[where] < MAX_FOR_COMPARISON
            if is_open and 0 < abs(left - right) <= MAX_TIMES:
                self._repeated[where] += 1
                made.append(Sequence((*run.sequence.calls, *[last] * abs(left - right))))
        return made
