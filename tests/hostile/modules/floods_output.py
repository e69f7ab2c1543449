"""Prints without bound, to both streams and to the descriptors."""

from __future__ import annotations

import os
import sys


def shout(times: int = 1 << 30) -> None:
    """Print for ever."""
    for _ in range(times):
        print("x" * 1000)


def shout_errors(times: int = 1 << 30) -> None:
    """Print to the standard error and swallow complaints."""
    for _ in range(times):
        try:
            sys.stderr.write("y" * 10000)
        except BaseException:
            pass


def write_raw(times: int = 2000) -> int:
    """Write to the descriptors themselves."""
    return sum(os.write(1, b"z" * 1000) + os.write(2, b"z" * 1000) for _ in range(times))


def whisper() -> str:
    """Print a little, which is fine."""
    print("hello")
    return "said"


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
