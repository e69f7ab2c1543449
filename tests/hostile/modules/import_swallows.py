"""Tries to delete a file while it is imported, and goes on when it may not."""

from __future__ import annotations

import os

try:
    os.remove("/tmp/unitcraft-sentinel/keep.txt")
    STATE = "removed"
except OSError:
    STATE = "refused"


def state() -> str:
    """What became of the attempt."""
    return STATE


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
