"""Closes every descriptor of the process, and writes into those it finds."""

from __future__ import annotations

import os


def close_all(highest: int = 4096) -> str:
    """Close everything."""
    os.closerange(0, highest)
    return "closed"


def scribble(highest: int = 1024) -> int:
    """Write noise to every open descriptor."""
    count = 0
    for number in range(highest):
        try:
            count += os.write(number, b"\x00noise\xff" * 10)
        except OSError:
            continue
    return count


def duplicate() -> int:
    """Put the null device over every descriptor."""
    null = os.open("/dev/null", os.O_RDWR)
    for number in range(3, 256):
        try:
            os.dup2(null, number)
        except OSError:
            continue
    return null


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
