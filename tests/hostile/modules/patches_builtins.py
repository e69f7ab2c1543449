"""Replaces builtins, for others to trip over."""

from __future__ import annotations

import builtins


def patch_len() -> int:
    """Make len lie."""
    builtins.len = lambda _: 7
    return len([])


def patch_many() -> str:
    """Replace what any framework needs."""
    for name in ("isinstance", "print", "type", "range", "zip", "repr", "str", "dict", "__import__"):
        setattr(builtins, name, None)
    return "patched"


def measure() -> int:
    """Two, unless len was patched."""
    return len([1, 2])


def remove_all() -> str:
    """Empty the builtins."""
    builtins.__dict__.clear()
    return "empty"


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
