"""Installs signal handlers and timers that outlive the call."""

from __future__ import annotations

import signal


def ignore() -> str:
    """Ignore every signal that can be ignored."""
    for number in signal.valid_signals():
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue
    return "ignored"


def alarm(seconds: float = 0.01) -> str:
    """Leave a timer behind that would end the process."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    return "armed"


def handler() -> str:
    """Leave a handler behind that exits."""
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(SystemExit))
    signal.alarm(1)
    return "armed"


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
