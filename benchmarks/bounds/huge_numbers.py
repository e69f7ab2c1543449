"""Functions that build huge integers."""

import math


def tower(base: int, height: int) -> int:
    """A tower of powers."""
    result = base
    for _ in range(height):
        result = base**result
    return result


def digits(n: int) -> str:
    """The digits of a large power."""
    return str(7 ** (abs(n) * 10**6))


def factorial(n: int) -> int:
    """A factorial beyond any use."""
    return math.factorial(abs(n) * 10**6 + 10**5)


def shift(n: int) -> int:
    """As many bits as asked for, and more."""
    return 1 << (n * 10**10)
