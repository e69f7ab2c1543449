"""Deletes a file while it is imported; nothing of it can be served."""

from __future__ import annotations

import os

os.remove("/tmp/unitcraft-sentinel/keep.txt")


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
