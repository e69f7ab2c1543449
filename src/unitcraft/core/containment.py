"""What keeps one part of the engine from costing more than its own answer.

A part that raises is left out and reported once; a phase that takes too long gets no more answers
from its workers.  Either way the work goes on with what was found before.

Invariant: only exceptions are contained, never KeyboardInterrupt; every contained exception is in
``findings``, and every guard that struck says so.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from unitcraft.core import rule_codes
from unitcraft.core.events import Finding

#: Seconds for the search of a module, and again for the trial of its mutants, when no budget was
#: asked for: a last resort, so that there is a suite from what was found.  Bounds of work end both
#: long before.
GUARD_SECONDS = 90.0
#: Times its seconds of wall time after which a guard strikes that counts processor time: the work
#: waits for something else than the processor, or the machine has five times as much to do.
MAX_STRETCH = 5.0
#: Seconds of wall time between two questions for the processor time, at least.
MIN_ASKED_SECONDS = 1.0


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


def describe_traceback(text: str) -> str:
    """The exception that a formatted traceback ends with: type and first line of its message.

    A message may have many lines; only those of frames are indented, so that it begins at the first
    line after the last frame that is not.
    """
    lines = text.strip().splitlines()
    frames = [place for place, line in enumerate(lines) if line.startswith("  File ")]
    for line in lines[frames[-1] + 1 if frames else 0 :]:
        if not line.startswith(" "):
            return line
    return lines[-1] if lines else ""


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
    """Ends a phase some seconds after ``start`` (mutable: whether it struck).

    It counts seconds of wall time, or those of the processor (``used``), as on a machine that has
    other work too the first go by with nothing done.
    """

    __slots__ = ("_at_start", "_last", "_now", "_until", "_used", "seconds", "struck")

    def __init__(
        self, seconds: float = GUARD_SECONDS, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._now = now
        self._until = self._last = math.inf
        self._used: Callable[[], float] | None = None
        self._at_start = 0.0
        self.seconds = seconds
        self.struck = False

    def start(self, seconds: float | None = None, used: Callable[[], float] | None = None) -> None:
        """Let the time begin; ``seconds``: other than those of the guard so far.

        ``used`` tells the seconds of the processor that the work has had: as many must have gone by
        as of wall time, up to ``MAX_STRETCH`` times these.
        """
        self.seconds = self.seconds if seconds is None else seconds
        self._until = self._now() + self.seconds
        self._last = self._now() + self.seconds * MAX_STRETCH
        self._used = used
        self._at_start = 0.0 if used is None else used()

    def strikes(self) -> bool:
        """Is the time over?  True from then on."""
        if not self.struck and (now := self._now()) > self._until:
            self.struck = self._used is None or now > self._last or self._is_used_up(now)
        return self.struck

    def _is_used_up(self, now: float) -> bool:
        """Has the processor had its seconds?  Else the question comes again when it may have."""
        assert self._used is not None  # noqa: S101 - see strikes
        left = self.seconds - (self._used() - self._at_start)
        processors = os.cpu_count() or 1
        self._until = min(now + max(MIN_ASKED_SECONDS, left / processors), self._last)
        return left <= 0

    def findings(self, target: str, phase: str) -> list[Finding]:
        """That the guard struck during ``phase``; nothing when it did not."""
        if not self.struck:
            return []
        why = f"{phase} was ended after {self.seconds:g} seconds; the suite is from what was found"
        return [Finding(rule_codes.BUDGET, target, why)]
