"""Forks, and the child goes on as if it were the parent."""

from __future__ import annotations

import os


def split() -> int:
    """Fork; both sides return."""
    return os.fork()


def bomb(depth: int = 20) -> int:
    """A fork bomb that swallows refusals."""
    count = 0
    for _ in range(depth):
        try:
            os.fork()
        except OSError:
            count += 1
    return count


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
