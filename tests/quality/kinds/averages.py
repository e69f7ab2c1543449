"""Generators that are sent values."""

from collections.abc import Generator, Iterable, Iterator


def running_mean() -> Generator[float, float, None]:
    """The mean of all that was sent so far."""
    total, count, mean = 0.0, 0, 0.0
    while True:
        value = yield mean
        total += value
        count += 1
        mean = total / count


def pairs(items: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each item with the one after it."""
    before = None
    for item in items:
        if before is not None:
            yield before, item
        before = item


def until(items: Iterable[int], limit: int) -> Iterator[int]:
    """The items whose sum does not exceed a limit."""
    total = 0
    for item in items:
        total += item
        if total > limit:
            return
        yield item
