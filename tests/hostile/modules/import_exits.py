"""Calls sys.exit while it is imported."""

from __future__ import annotations

import sys


def double(x: int) -> int:
    """Twice ``x``: never reached."""
    return 2 * x


sys.exit(4)
