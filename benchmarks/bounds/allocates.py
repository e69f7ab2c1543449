"""Functions that allocate until there is no memory left."""


def grow(item):
    """Doubles a list for ever."""
    items = [item]
    while True:
        items += items


def fill(size: int) -> bytes:
    """Allocates as much as it is asked for, a thousand million times over."""
    return bytes(size * 10**9)


def double(text: str, times: int) -> str:
    """Doubles a text."""
    for _ in range(times * 10):
        text = text + text
    return text


def keep(count: int) -> dict:
    """Holds many small objects."""
    return {n: [n] for n in range(count * 10**7)}
