"""Allocates without bound."""

from __future__ import annotations


def hoard(size: int = 1 << 40) -> int:
    """One block that cannot exist."""
    return len(bytearray(size))


def grow() -> int:
    """A list that doubles for ever, with the error swallowed."""
    items = [0] * 1024
    while True:
        try:
            items = items + items
        except MemoryError:
            return len(items) and 1


def repeat(count: int = 1 << 36) -> int:
    """A string that is too long."""
    return len("x" * count)


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
