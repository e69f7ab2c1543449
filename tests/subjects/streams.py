"""Generators, coroutines and a context manager."""

from collections.abc import Iterator


def chunks(items: list[int], size: int) -> Iterator[list[int]]:
    if size < 1:
        raise ValueError("size must be positive")
    for start in range(0, len(items), size):
        yield items[start : start + size]


def countdown(number: int) -> Iterator[int]:
    while number > 0:
        yield number
        number -= 1


async def fetch(name: str, retries: int = 2) -> str:
    if not name:
        raise LookupError("no name")
    if retries > 3:
        return "given up"
    return name.upper()


class Recording:
    def __init__(self) -> None:
        self.events: list[str] = []

    def __enter__(self) -> "Recording":
        self.events.append("begin")
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        self.events.append("end" if kind is None else "failed")
        return False

    def note(self, event: str) -> int:
        if event == "begin":
            raise ValueError("reserved")
        self.events.append(event)
        return len(self.events)
