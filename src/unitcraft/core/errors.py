"""The error that a person sees: a slug, what happened to which target, the cause, the next step.

Invariant: every error that leaves unitcraft is a UnitcraftError; its slug has a
section in ``docs/messages.md`` (a test checks it).
"""

from __future__ import annotations


class UnitcraftError(Exception):
    """A foreseen failure.  The application prints it without a traceback and exits with 2."""

    def __init__(self, slug: str, what: str, *, cause: str = "", advice: str = "") -> None:
        super().__init__(what)
        self.slug = slug
        self.what = what
        self.cause = cause
        self.advice = advice

    def __str__(self) -> str:
        lines = [f"{self.what} [{self.slug}]"]
        lines += [f"  cause: {self.cause}"] if self.cause else []
        lines += [f"  next:  {self.advice}"] if self.advice else []
        return "\n".join(lines)


class Terminated(BaseException):
    """SIGTERM arrived: like KeyboardInterrupt, only the application may catch it."""
