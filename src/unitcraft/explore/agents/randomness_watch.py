"""Detects whether a run drew random values from a generator that nobody seeded.

Invariant: an unseeded ``random.Random``, the module's own generator, and the system's random
bytes are seen; what a run draws is not changed.
"""

from __future__ import annotations

import _random
import os
import random
from collections.abc import Callable
from typing import Any, Final

#: Repetitions of a run that drew: an outcome of probability 0.75 passes all in one of 1,000 cases.
REPEATS: Final = 24


def _state_of_module() -> tuple[int, ...]:
    """The state of the module's own generator; no Python code that a Subject may break runs."""
    return _random.Random.getstate(random._inst)  # noqa: SLF001


class RandomnessWatch:
    """Watches the sources once ``install`` was called; ``drawn`` says whether one was used."""

    def __init__(self) -> None:
        self._used = False
        self._state: object = None

    def install(self) -> None:
        """Put the watching functions in the places of the real ones."""
        random.Random.seed = self._seeding(random.Random.seed)  # type: ignore[method-assign]
        watched = self._reading(os.urandom)
        os.urandom = watched
        random._urandom = watched  # type: ignore[attr-defined]  # noqa: SLF001 - where it is read

    def start(self) -> None:
        """Forget what was drawn so far."""
        self._used = False
        self._state = _state_of_module()

    def drawn(self) -> bool:
        """Was anything drawn since ``start``?"""
        return self._used or _state_of_module() != self._state

    def _seeding(self, seed: Callable[..., None]) -> Callable[..., None]:
        def seeding(generator: random.Random, a: Any = None, version: int = 2) -> None:
            self._used = self._used or a is None
            seed(generator, a, version)

        return seeding

    def _reading(self, urandom: Callable[[int], bytes]) -> Callable[[int], bytes]:
        def reading(size: int) -> bytes:
            self._used = True
            return urandom(size)

        return reading


#: The watch of this process: the sources are global.
RANDOMNESS: Final = RandomnessWatch()
