"""Objects whose ``__del__`` raises, loops or deletes files."""

from __future__ import annotations

import os


class Raising:
    """Raises when it dies."""

    def __del__(self) -> None:
        raise RuntimeError("dying")


class Deleting:
    """Deletes a file when it dies."""

    def __del__(self) -> None:
        os.remove("/tmp/unitcraft-sentinel/keep.txt")


class Endless:
    """Never finishes dying."""

    def __del__(self) -> None:
        while True:
            pass


def raising() -> str:
    """Make and drop one that raises."""
    Raising()
    return "dropped"


def deleting() -> str:
    """Make and drop one that deletes."""
    Deleting()
    return "dropped"


def endless() -> str:
    """Make and drop one that loops."""
    Endless()
    return "dropped"


def cyclic() -> str:
    """Leave a cycle with a finalizer that loops, for the collector to find."""
    thing = Endless()
    thing.self = thing
    return "left"


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
