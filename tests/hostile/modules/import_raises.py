"""Raises while it is imported."""

from __future__ import annotations


def double(x: int) -> int:
    """Twice ``x``: never reached."""
    return 2 * x


raise RuntimeError("not today")
