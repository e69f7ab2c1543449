"""Loops without end, and swallows whatever should stop it."""

from __future__ import annotations


def spin() -> None:
    """Loop on nothing."""
    while True:
        pass


def spin_stubbornly() -> None:
    """Loop and catch everything."""
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue


def spin_finally() -> None:
    """Loop on in the cleanup."""
    try:
        while True:
            pass
    finally:
        while True:
            pass


def count_up() -> int:
    """Exhaust an endless iterator in C."""
    return sum(1 for _ in iter(int, 1))


def count_in_c() -> int:
    """Exhaust an endless iterator without a Python step."""
    return len(list(iter(int, 1)))


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
