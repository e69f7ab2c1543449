"""Reads the death of a worker as the outcome of the item that it was running.

Invariant: a death never becomes an answer; it is always an Exhausted.
"""

from __future__ import annotations

import signal

from unitcraft.core.encoding import Plain, decode_outcome
from unitcraft.core.outcomes import Exhausted, Rejected
from unitcraft.execute.pool.host_process import describe_status, fault_place
from unitcraft.execute.spec import Reply
from unitcraft.execute.steps import STEPS_STATUS

#: The outcome of an item that swallowed the exhaustion of its steps.
SWALLOWED = Exhausted("steps", "the exception was swallowed again and again")


def outcome_of_death(status: int, stderr_tail: str) -> Exhausted:
    """The Exhausted for a worker that ended with ``status`` (negative: a signal)."""
    if status == STEPS_STATUS:
        return SWALLOWED
    if status >= 0:
        return Exhausted("exit", describe_status(status))
    if -status == signal.SIGXCPU:
        return Exhausted("time", "SIGXCPU")
    detail = describe_status(status)
    place = fault_place(stderr_tail) if -status != signal.SIGKILL else ""
    return Exhausted("crash", f"{detail} at {place}" if place else detail)


def reply_of(value: Plain, failure: Plain) -> Reply:
    """The Reply for one item of a worker's answer."""
    if failure is None:
        return Reply(value)
    if failure[0] == "error":
        return Reply(error=str(failure[1]))
    outcome = decode_outcome(failure)
    if isinstance(outcome, Rejected | Exhausted):
        return Reply(failure=outcome, shown=value)
    return Reply(error=f"not a failure: {failure!r:.200}")
