"""Chance and clocks."""

import random
import time


def roll(count: int, sides: int = 6) -> list[int]:
    """Some dice, the highest first."""
    if count < 1:
        raise ValueError("at least one die")
    return sorted((random.randint(1, sides) for _ in range(count)), reverse=True)


def greeting(hour: int | None = None) -> str:
    """A greeting for an hour, that of the clock by default."""
    if hour is None:
        hour = time.localtime().tm_hour
    if hour < 12:
        return "Good morning"
    return "Good evening" if hour >= 18 else "Good day"


class Session:
    def __init__(self, seconds: float = 60) -> None:
        self.seconds = seconds
        self.started = time.time()

    def is_expired(self) -> bool:
        return time.time() - self.started > self.seconds
