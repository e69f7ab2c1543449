"""Recurses without end, in Python and in C."""

from __future__ import annotations

import sys


def descend(depth: int = 0) -> int:
    """Python recursion."""
    return descend(depth + 1)


def nest(depth: int = 200000) -> str:
    """A structure too deep to show."""
    thing: list = []
    for _ in range(depth):
        thing = [thing]
    return str(len(repr(thing)))


def unlimited() -> int:
    """Lift the recursion limit first."""
    sys.setrecursionlimit(10**9)

    def dive(n: int) -> int:
        return dive(n + 1)

    return dive(0)


def compare() -> bool:
    """Compare two structures that contain themselves."""
    one: list = []
    one.append(one)
    two: list = []
    two.append(two)
    return one == two


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
