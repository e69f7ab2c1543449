"""Functions that wait busily for a clock."""

import time


def wait_busily(seconds: float) -> float:
    """Burns the processor until a time has come."""
    end = time.monotonic() + abs(seconds) + 60
    while time.monotonic() < end:
        pass
    return seconds


def next_minute(minute: int) -> int:
    """Waits for a minute of the hour."""
    while time.localtime().tm_min != minute:
        continue
    return minute


def until(deadline: float) -> bool:
    """Waits in C, a little at a time."""
    return any(map(deadline.__lt__, iter(time.time, None)))
