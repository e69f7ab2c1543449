"""Hangs inside C code: a catastrophic regex, a long power, a sleep, a lock."""

from __future__ import annotations

import re
import threading
import time


def match(text: str = "a" * 40 + "b") -> bool:
    """Match with a pattern that backtracks exponentially."""
    return re.match(r"(a+)+$", text) is not None


def power(exponent: int = 10**8) -> int:
    """A power with too many digits."""
    return 7**exponent % 10


def wait(seconds: float = 3600.0) -> None:
    """Sleep for an hour."""
    time.sleep(seconds)


def deadlock() -> bool:
    """Acquire a lock twice."""
    lock = threading.Lock()
    lock.acquire()
    return lock.acquire()


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
