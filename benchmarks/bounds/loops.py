"""Functions that loop for ever, for all inputs or for some."""


def spin(n: int) -> int:
    """Loops for every positive number."""
    while n > 0:
        n += 1
    return n


def collatz(n: int) -> int:
    """Ends for positive numbers only."""
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def stuck(value):
    """Loops in C for every value."""
    return sum(1 for _ in iter(lambda: value, object()))


def never() -> None:
    """Has no argument to vary."""
    while True:
        pass
