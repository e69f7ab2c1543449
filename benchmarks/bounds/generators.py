"""Endless generators, and functions that exhaust them."""

import itertools


def naturals(start: int):
    """Counts for ever."""
    while True:
        yield start
        start += 1


def total(start: int) -> int:
    """Sums what never ends."""
    return sum(naturals(start))


def drain(values: list) -> list:
    """Repeats values for ever into a list."""
    return list(itertools.cycle(values))


def find(value) -> int:
    """Looks for a value among numbers."""
    return next(n for n in itertools.count() if n == value)


def longest(step: int) -> int:
    """Exhausts a counter in C."""
    return max(itertools.count(0, step))
