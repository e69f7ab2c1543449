"""Ends the process while it is imported."""

from __future__ import annotations

import os


def double(x: int) -> int:
    """Twice ``x``: never reached."""
    return 2 * x


os._exit(0)
