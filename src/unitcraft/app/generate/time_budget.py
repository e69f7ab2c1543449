"""The wall-clock budget of one module, divided among the phases of its work.

Invariant: without a budget the clock decides nothing; guards, which are a last resort, then count
the time of the processor.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from unitcraft.core.containment import GUARD_SECONDS, TimeGuard
from unitcraft.execute.pool.processor_time import family_seconds

#: The share of the budget after which the search ends: what it found has to be judged, observed
#: and verified, which takes as long again.
SEARCH_SHARE: Final = 0.4

#: The share after which mutants are not tried any more.
MUTANTS_SHARE: Final = 0.65

#: Seconds that opening workers takes, in units of the first opening, which tells how fast the
#: machine is: judging mutants opens two hosts, one of which compiles all mutants (4.6 to 6.3
#: measured) and needs nearly as long again for answers; checking opens two and runs pytest
#: twice (4 to 5).
MUTANTS_STARTS: Final = 9.0
MIN_MUTANTS_STARTS: Final = 6.0
CHECKING_STARTS: Final = 5.0

#: Runs of a test in a worker that take as long as observing it thrice and verifying it: 6 measured
#: where one round of verification is enough, and the rounds are not known before.
RUNS_OF_A_TEST: Final = 8.0

#: Branches are negated where the search may take so many starts: opening their host is one.
MIN_NEGATION_STARTS: Final = 4.0

#: The least time for the search, in starts: its first round, planned and run.
MIN_SEARCH_STARTS: Final = 2.0

#: Time that is left, in starts, below which verification drops what fails at once: two runs.
MIN_ROUND_STARTS: Final = 5.0

#: Tests that a suite may always have, whatever the time, and their time in starts.
MIN_TESTS: Final = 10
MIN_TESTS_STARTS: Final = 1.5

#: Times the budget that may have gone by before the report says what could not be cut.
MAX_OVERRUN: Final = 1.2


@dataclass(slots=True)
class TimeBudget:
    """``seconds`` of wall time; None: as long as it takes (mutable: the clock runs).

    ``began`` is when the work began (None: now); ``start`` is how long the first opening of workers
    took; ``struck``: something was left out for want of time.
    """

    seconds: float | None
    now: Callable[[], float] = time.monotonic
    began: float | None = None
    start: float = 0.0
    struck: bool = False
    _since: float = field(init=False, default=0.0)
    _opening: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self._opening = self.now()
        self._since = self._opening if self.began is None else self.began

    @property
    def spent(self) -> float:
        """Seconds that went by."""
        return self.now() - self._since

    @property
    def left(self) -> float:
        """Seconds that are left; without a budget, any number."""
        return math.inf if self.seconds is None else self.seconds - self.spent

    def begin(self, guard: TimeGuard, seconds: float) -> None:
        """Let the time of ``guard`` begin: that of the clock where somebody set a budget."""
        guard.start(seconds, used=family_seconds if self.seconds is None else None)

    def opened(self) -> None:
        """The first workers are open."""
        if self.seconds is not None:
            self.start = self.now() - self._opening

    def allows_negation(self) -> bool:
        """Is there time for a host that negates branches, and for its answers?"""
        return not self._note(self._search_left() < MIN_NEGATION_STARTS * self.start)

    def search_seconds(self) -> float:
        """Seconds that the search may take from now on."""
        if self.seconds is None:
            return GUARD_SECONDS
        return max(self._search_left(), MIN_SEARCH_STARTS * self.start)

    def mutants_seconds(self) -> float:
        """Seconds that the trial of mutants may take; 0 where there is no time to open workers."""
        if self.seconds is None:
            return GUARD_SECONDS
        until = self._until(self.seconds, MUTANTS_SHARE)
        return 0.0 if self._note(until <= MIN_MUTANTS_STARTS * self.start) else until

    def affordable(self, tests: int, run: float) -> int:
        """How many of ``tests`` there is time to check, if one runs ``run`` seconds."""
        if self.seconds is None or not run:
            return tests
        spare = self.left - CHECKING_STARTS * self.start
        most = max(MIN_TESTS, int(spare / (RUNS_OF_A_TEST * run)))
        return most if self._note(most < tests) else tests

    def is_short(self) -> bool:
        """Is there no time to run the suite twice again?"""
        return self._note(self.left < MIN_ROUND_STARTS * self.start)

    def overrun(self) -> str:
        """What could not be cut, where the budget is exceeded; '' where it is kept."""
        if self.seconds is None or self.spent <= MAX_OVERRUN * self.seconds:
            return ""
        return (
            f"the budget of {self.seconds:g} s became {self.spent:.1f} s: starting processes, "
            "importing the code, one round of search and verifying the tests are not cut short"
        )

    def _note(self, short: bool) -> bool:  # noqa: FBT001 - a condition passed through
        self.struck = self.struck or short
        return short

    def _search_left(self) -> float:
        """Seconds until the search should end; longer where there is no time for mutants after."""
        if self.seconds is None:
            return math.inf
        mutants = (MUTANTS_SHARE - SEARCH_SHARE) * self.seconds
        if mutants > MUTANTS_STARTS * self.start:
            return self._until(self.seconds, SEARCH_SHARE)
        checking = (CHECKING_STARTS + MIN_TESTS_STARTS) * self.start
        return max(0.0, min(self._until(self.seconds, MUTANTS_SHARE), self.left - checking))

    def _until(self, seconds: float, share: float) -> float:
        return max(0.0, self.left - (1 - share) * seconds)
