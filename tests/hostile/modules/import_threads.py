"""Leaves a thread running that ends the host a little later."""

from __future__ import annotations

import os
import threading


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x


threading.Timer(0.3, os._exit, args=(7,)).start()
