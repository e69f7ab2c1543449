"""A decorator factory and functions that are made by it."""

import functools
from collections.abc import Callable


def clamped(low: int, high: int) -> Callable[[Callable[..., int]], Callable[..., int]]:
    if low > high:
        raise ValueError("low above high")

    def decorate(function: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(function)
        def wrapper(*args: int) -> int:
            value = function(*args)
            if value < low:
                return low
            return high if value > high else value

        return wrapper

    return decorate


@clamped(0, 10)
def double(number: int) -> int:
    return number * 2


@functools.lru_cache(maxsize=None)
def steps(number: int) -> int:
    if number < 1:
        raise ValueError("not positive")
    count = 0
    while number != 1 and count < 50:
        number = number // 2 if number % 2 == 0 else 3 * number + 1
        count += 1
    return count
