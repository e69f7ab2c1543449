"""A thousand classes made in a loop, and deep inheritance."""

from __future__ import annotations


CLASSES = [type(f"Kind{number}", (), {"number": number, "get": lambda self: self.number}) for number in range(1000)]

for made in CLASSES:
    globals()[made.__name__] = made


class Base:
    """The root of a deep chain."""

    def name(self) -> str:
        return type(self).__name__


for level in range(200):
    Base = type(f"Level{level}", (Base,), {})


def deepest() -> str:
    """The name of the last class."""
    return Base().name()


def count() -> int:
    """How many classes there are."""
    return len(CLASSES)


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
