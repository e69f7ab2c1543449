"""Module state, mutable defaults, caches, class attributes, closures and counters."""

from __future__ import annotations

import functools
import itertools
import os
import sys
import warnings


LOG: list[str] = []
SETTINGS = {"mode": "fast"}
_numbers = itertools.count(1)
TOTAL = 0


class Registry:
    """Class attributes as state."""

    count = 0
    names: set[str] = set()

    def add(self, name: str) -> int:
        Registry.count += 1
        Registry.names.add(name)
        return Registry.count


def log(text: str = "a") -> int:
    """Append to a module list."""
    LOG.append(text)
    return len(LOG)


def total(amount: int = 1) -> int:
    """Add to a module global."""
    global TOTAL
    TOTAL += amount
    return TOTAL


def collect(item: int = 1, found: list[int] = []) -> int:
    """A mutable default."""
    found.append(item)
    return len(found)


def register(name: str = "n") -> int:
    """Through the class."""
    return Registry().add(name)


def number() -> int:
    """The next number."""
    return next(_numbers)


@functools.lru_cache
def cached(key: int = 1) -> int:
    """The number of calls that missed the cache."""
    return log("miss")


def _counter():
    value = 0

    def step() -> int:
        nonlocal value
        value += 1
        return value

    return step


step = _counter()


def environment() -> int:
    """Set a variable; 1 the first time."""
    os.environ["SEEN"] = os.environ.get("SEEN", "") + "x"
    return len(os.environ["SEEN"])


def folder() -> int:
    """Change the current folder; 1 the first time."""
    was = os.path.basename(os.getcwd())
    os.chdir("/")
    return 1 if was else 2


def function_attribute() -> int:
    """Count in an attribute of the function."""
    function_attribute.calls = getattr(function_attribute, "calls", 0) + 1
    return function_attribute.calls


def mode() -> int:
    """Change a setting; 1 the first time."""
    was = SETTINGS["mode"]
    SETTINGS["mode"] = "slow"
    return 1 if was == "fast" else 2


def new_class_attribute() -> int:
    """Invent a class attribute; 1 the first time."""
    Registry.extra = getattr(Registry, "extra", 0) + 1
    return Registry.extra


def temporary_file() -> int:
    """Leave a temporary file; 1 the first time."""
    folder_ = os.environ["TMPDIR"]
    with open(os.path.join(folder_, f"f{len(os.listdir(folder_))}"), "w") as stream:
        stream.write("x")
    return len(os.listdir(folder_))


def recursion_limit() -> int:
    """Change the recursion limit; 1 the first time."""
    was = sys.getrecursionlimit()
    sys.setrecursionlimit(777)
    return 2 if was == 777 else 1


def filters() -> int:
    """Add a warning filter; 1 the first time."""
    warnings.simplefilter("error", BytesWarning)
    return sum(1 for entry in warnings.filters if entry[0] == "error" and entry[2] is BytesWarning)


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
