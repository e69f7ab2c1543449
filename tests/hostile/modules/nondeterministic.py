"""Results that depend on time, chance, identity and hashing."""

from __future__ import annotations

import datetime
import random
import time
import uuid


def now() -> float:
    """The time."""
    return time.time()


def today() -> str:
    """The date."""
    return datetime.date.today().isoformat()


def dice() -> int:
    """A random number."""
    return random.randrange(10**9)


def identity() -> int:
    """An address."""
    return id(object())


def hashed(text: str = "a") -> int:
    """A randomised hash."""
    return hash(text)


def order() -> list[str]:
    """The order of a set of strings."""
    return list({"a", "b", "c", "d", "e"})


def unique() -> str:
    """A random identifier."""
    return str(uuid.uuid4())


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
