"""How long each phase of one ``generate`` took.

Invariant: the seconds of the phases add up to those from the first event to ``seconds``.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from unitcraft.core.events import Listener, Progress

#: The phases in order, each with its seconds.
Phases = tuple[tuple[str, float], ...]


class PhaseTimes:
    """A Listener that times the phases and passes every event on (mutable: the seconds so far)."""

    def __init__(self, inner: Listener, now: Callable[[], float] = time.monotonic) -> None:
        self._inner = inner
        self._now = now
        self._phase = ""
        self._since = 0.0
        self._seconds: dict[str, float] = {}

    def progress(self, event: Progress) -> None:
        """Begin another phase where ``event`` names one."""
        if event.phase != self._phase:
            self._end()
            self._phase = event.phase
        self._inner.progress(event)

    def seconds(self) -> Phases:
        """The phases so far in the order of their beginnings."""
        self._end()
        return tuple(self._seconds.items())

    def _end(self) -> None:
        now = self._now()
        if self._phase:
            self._seconds[self._phase] = self._seconds.get(self._phase, 0.0) + now - self._since
        self._since = now
