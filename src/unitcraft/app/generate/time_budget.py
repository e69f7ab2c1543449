"""The wall-clock budget of one module, divided among the phases of its work.

Invariant: without a budget the clock decides when the guards strike, which are a last resort, and
nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from unitcraft.core.containment import GUARD_SECONDS

#: The share of the budget after which the search ends: what it found has to be judged, observed
#: and verified, which takes as long again.
SEARCH_SHARE: Final = 0.4

#: The share after which mutants are not tried any more.
MUTANTS_SHARE: Final = 0.65

#: Seconds after which mutants are not tried any more where no budget was asked for, and those that
#: they have in any case: a module that the search's guard ended has its suite within two minutes.
MUTANTS_UNTIL: Final = 95.0
MIN_MUTANTS_SECONDS: Final = 25.0

#: Seconds that opening workers takes, in units of the first opening: judging mutants opens two
#: hosts, observing two, verifying two runs of pytest.
MUTANTS_STARTS: Final = 2.0
CHECKING_STARTS: Final = 2.5

#: Seconds that observing and verifying one test takes, in the same unit: 0.04 to 0.09, measured
#: with 10 to 78 tests on a busy machine.
STARTS_OF_A_TEST: Final = 0.08

#: The least time for the search, in the same unit.
MIN_SEARCH_STARTS: Final = 0.5

#: Tests that a suite may always have, whatever the time.
MIN_TESTS: Final = 10


@dataclass(slots=True)
class TimeBudget:
    """``seconds`` of wall time from now on; None: as long as it takes (mutable: the clock runs).

    ``start`` is how long the first opening of workers took, which tells how fast the machine is.
    """

    seconds: float | None
    now: Callable[[], float] = time.monotonic
    start: float = 0.0
    _began: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self._began = self.now()

    @property
    def left(self) -> float:
        """Seconds that are left; without a budget, any number."""
        spent = self.now() - self._began if self.seconds is not None else 0.0
        return (self.seconds or float("inf")) - spent

    def opened(self) -> None:
        """The first workers are open."""
        if self.seconds is not None:
            self.start = self.now() - self._began

    def search_seconds(self) -> float:
        """Seconds that the search may take from now on."""
        if self.seconds is None:
            return GUARD_SECONDS
        return max(self._until(self.seconds, SEARCH_SHARE), MIN_SEARCH_STARTS * self.start)

    def mutants_seconds(self) -> float:
        """Seconds that the trial of mutants may take; 0 where there is no time to open workers."""
        if self.seconds is None:
            return max(MIN_MUTANTS_SECONDS, MUTANTS_UNTIL - (self.now() - self._began))
        if self.left < (MUTANTS_STARTS + CHECKING_STARTS) * self.start:
            return 0.0
        return self._until(self.seconds, MUTANTS_SHARE)

    def affordable(self, tests: Sequence[object]) -> int:
        """How many of ``tests`` there is time to observe and to verify."""
        if self.seconds is None or not self.start:
            return len(tests)
        spare = self.left - CHECKING_STARTS * self.start
        return max(MIN_TESTS, int(spare / (STARTS_OF_A_TEST * self.start)))

    def _until(self, seconds: float, share: float) -> float:
        return max(0.0, self.left - (1 - share) * seconds)
