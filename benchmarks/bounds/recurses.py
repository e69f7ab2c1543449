"""Functions that recurse without end, or exponentially."""


def down(n: int) -> int:
    """Never reaches its end."""
    return down(n - 1) + 1


def fibonacci(n: int) -> int:
    """Takes exponential time."""
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def ackermann(m: int, n: int) -> int:
    """Grows faster than anything."""
    if m <= 0:
        return n + 1
    return ackermann(m - 1, 1) if n <= 0 else ackermann(m - 1, ackermann(m, n - 1))


def ping(value, depth=0):
    """Calls itself through another, swallowing the end of the stack."""
    try:
        return pong(value, depth + 1)
    except RecursionError:
        return ping(value, depth)


def pong(value, depth):
    """The other."""
    return ping(value, depth + 1)
