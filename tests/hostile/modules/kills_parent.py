"""Signals its parent, its group and everybody."""

from __future__ import annotations

import os
import signal


def strike(number: int = 9) -> None:
    """Kill the parent."""
    os.kill(os.getppid(), number)


def strike_group(number: int = 9) -> None:
    """Kill the whole process group."""
    os.killpg(0, number)


def strike_quietly(number: int = 9) -> str:
    """Try to kill all of them and report success."""
    for target in (os.getppid(), 0, -1, 1):
        try:
            os.kill(target, number)
        except BaseException:
            continue
    return "done"


def strike_self(number: int = 15) -> None:
    """Kill itself through the signal module."""
    signal.raise_signal(number)


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
