"""Leaves threads running, some of which end the process later."""

from __future__ import annotations

import os
import threading


def background(seconds: float = 30.0) -> str:
    """Leave a daemon thread."""
    threading.Thread(target=threading.Event().wait, args=(seconds,), daemon=True).start()
    return "started"


def foreground(seconds: float = 30.0) -> str:
    """Leave a thread that a normal exit would wait for."""
    threading.Thread(target=threading.Event().wait, args=(seconds,)).start()
    return "started"


def time_bomb(seconds: float = 0.01) -> str:
    """Leave a timer that ends the process."""
    threading.Timer(seconds, os._exit, args=(5,)).start()
    return "ticking"


def tidy(count: int = 3) -> int:
    """Use threads and join them."""
    found: list[int] = []
    threads = [threading.Thread(target=found.append, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(found)


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
