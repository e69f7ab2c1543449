"""Waits that nobody can end: in a process with one thread they spend the step budget at once.

Invariant: with a second thread alive, or a short timeout, ``Condition.wait`` and the classes built
on it (events, semaphores, barriers, queues) are unchanged.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

#: Seconds that an item may wait where no other thread could wake it.
MAX_WAIT_SECONDS: Final = 0.05


def refuse_endless_waits(exhausted: Callable[[], object]) -> None:
    """Call ``exhausted``, which raises, in place of every wait that nobody can end."""
    wait = threading.Condition.wait
    count = threading.active_count

    def guarded(self: threading.Condition, timeout: float | None = None) -> bool:
        if (timeout is None or timeout > MAX_WAIT_SECONDS) and count() == 1:
            exhausted()
        return wait(self, timeout)

    threading.Condition.wait = guarded  # type: ignore[method-assign]
