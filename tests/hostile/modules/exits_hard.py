"""Ends the process at once, without cleaning up."""

from __future__ import annotations

import os


def abandon(code: int = 0) -> None:
    """End with a status that looks like success."""
    os._exit(code)


def abandon_with(code: int = 97) -> None:
    """End with an arbitrary status."""
    os._exit(code + 1)


def abort() -> None:
    """Abort the process."""
    os.abort()


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
