"""Events that the engine reports to a Listener; the engine itself never prints.

Invariant: events are informative only; a Listener that ignores them changes no result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Progress:
    """Work on ``target`` reached ``phase``; ``done`` of ``total`` units (total 0: unknown)."""

    target: str
    phase: str
    done: int = 0
    total: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A line of a report: a rule code, the target, a sentence, and the place ('': no place)."""

    code: str
    target: str
    message: str
    where: str = ""


class Listener(Protocol):
    """Receives events in the order in which they happen, in the caller's thread."""

    def progress(self, event: Progress) -> None:
        """Show or ignore one step of the work."""


class SilentListener:
    """The Listener that ignores everything."""

    def progress(self, event: Progress) -> None:
        """Ignore it."""
