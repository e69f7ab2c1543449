"""Waits for input."""

from __future__ import annotations

import sys


def ask(question: str = "? ") -> str:
    """Ask the user."""
    return input(question)


def slurp() -> str:
    """Read all of the standard input."""
    return sys.stdin.read()


def first_line() -> str:
    """Read a line, or say that there is none."""
    try:
        return sys.stdin.readline()
    except OSError:
        return "none"


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
