"""Leaves by sys.exit, SystemExit, exit() and KeyboardInterrupt."""

from __future__ import annotations

import sys


def leave(code: int = 3) -> None:
    """Call sys.exit."""
    sys.exit(code)


def leave_loudly(message: str = "bye") -> None:
    """Raise SystemExit with a message."""
    raise SystemExit(message)


def interrupt() -> None:
    """Raise KeyboardInterrupt."""
    raise KeyboardInterrupt


def close_generator() -> None:
    """Raise GeneratorExit outside any generator."""
    raise GeneratorExit


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
