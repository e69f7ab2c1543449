"""Declared types that the code guards: values against them have a branch of their own."""

from __future__ import annotations

from typing import Iterable, Protocol, Sequence


def repeat(text: str, times: int) -> str:
    """The text several times."""
    if not isinstance(times, int):
        raise TypeError("times must be a whole number")
    if isinstance(text, bytes):
        text = text.decode()
    return text * times


class Vector:
    def __init__(self, items: Sequence[float]):
        self.items = tuple(items)

    def plus(self, other: Vector) -> Vector:
        if isinstance(other, (int, float)):
            return Vector([one + other for one in self.items])
        if not isinstance(other, Vector):
            raise TypeError(f"cannot add {type(other).__name__}")
        if len(other.items) != len(self.items):
            raise ValueError("lengths differ")
        return Vector([one + two for one, two in zip(self.items, other.items)])


class Sized(Protocol):
    width: int
    height: int


def area(thing: Sized) -> int:
    if thing.width < 0 or thing.height < 0:
        raise ValueError("negative size")
    return thing.width * thing.height


def flatten(parts: Iterable[str]) -> list[str]:
    if isinstance(parts, str):
        return [parts]
    found: list[str] = []
    for part in parts:
        if isinstance(part, list):
            found.extend(flatten(part))
        else:
            found.append(part)
    return found
