"""Functions that sleep."""

import time


def nap(seconds: float) -> float:
    """Sleeps a thousand times as long as asked."""
    time.sleep(abs(seconds) * 1000 + 1)
    return seconds


def doze(turns: int) -> int:
    """Sleeps a little, often."""
    for _ in range(turns * 1000):
        time.sleep(0.01)
    return turns


def rest() -> str:
    """Sleeps for a day."""
    time.sleep(86_400)
    return "rested"
