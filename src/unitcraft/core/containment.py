"""What keeps one part of the engine from costing more than its own answer.

A part that raises is left out and reported once; a phase that takes too long gets no more answers
from its workers.  Either way the work goes on with what was found before.

Invariant: only exceptions are contained, never KeyboardInterrupt; every contained exception is in
``findings``, and every guard that struck says so.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from unitcraft.core import rule_codes
from unitcraft.core.events import Finding

#: Seconds of wall time for the search of a module when no budget was asked for: a last resort, so
#: that there is a suite from what was found.  Bounds of work end searches long before, on a machine
#: that has other work too.
GUARD_SECONDS = 90.0


class Containment:
    """Collects the exceptions of parts that may fail (mutable: the exceptions so far)."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Leave the block when it raises, and note the exception for the part ``name``."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - containing it is the purpose
            self.note(name, describe_error(error))

    def note(self, name: str, error: str) -> None:
        """Count one failure ``error`` of the part ``name``."""
        self._counts[name, error] = self._counts.get((name, error), 0) + 1

    def findings(self, target: str) -> list[Finding]:
        """One Finding for each kind of failure, in the order in which they were met."""
        return [
            Finding(
                rule_codes.CONTAINED,
                target,
                f"{name} failed{f' {count} times' if count > 1 else ''}: {error}",
            )
            for (name, error), count in self._counts.items()
        ]


def describe_error(error: Exception) -> str:
    """The exception's type and first line, and the place in unitcraft that it came from."""
    lines = str(error).splitlines()
    text = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
    place = _place(error.__traceback__)
    return f"{text} ({place})" if place else text


def _place(trace: TracebackType | None) -> str:
    """``module:line`` of the innermost frame of unitcraft."""
    place = ""
    while trace is not None:
        name = trace.tb_frame.f_globals.get("__name__", "")
        if name.startswith("unitcraft.") and name != __name__:
            place = f"{name.removeprefix('unitcraft.')}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


class TimeGuard:
    """Ends a phase ``seconds`` of wall time after ``start`` (mutable: whether it struck)."""

    __slots__ = ("_now", "_until", "seconds", "struck")

    def __init__(
        self, seconds: float = GUARD_SECONDS, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._now = now
        self._until = math.inf
        self.seconds = seconds
        self.struck = False

    def start(self, seconds: float | None = None) -> None:
        """Let the time begin; ``seconds``: other than those of the guard so far."""
        self.seconds = self.seconds if seconds is None else seconds
        self._until = self._now() + self.seconds

    def strikes(self) -> bool:
        """Is the time over?  True from then on."""
        self.struck = self.struck or self._now() > self._until
        return self.struck

    def findings(self, target: str, phase: str) -> list[Finding]:
        """That the guard struck during ``phase``; nothing when it did not."""
        if not self.struck:
            return []
        why = f"{phase} was ended after {self.seconds:g} seconds; the suite is from what was found"
        return [Finding(rule_codes.BUDGET, target, why)]
