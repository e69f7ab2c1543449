"""What the engine tells whoever listens: it never prints.

Invariant: events are informative only; dropping them all changes no result.
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
    """Something that a report must mention: a rule code (UC5xx), the target and a sentence."""

    code: str
    target: str
    message: str
    where: str = ""


class Listener(Protocol):
    """Receives events in the order in which they happen, in the caller's thread."""

    def progress(self, event: Progress) -> None:
        """Show or ignore a step forward."""

    def finding(self, event: Finding) -> None:
        """Keep a finding for the report."""


class Silent:
    """The Listener that ignores everything."""

    def progress(self, event: Progress) -> None:
        """Ignore it."""

    def finding(self, event: Finding) -> None:
        """Ignore it."""
