"""Seeded entropy: generators that nobody seeds and the system's random bytes repeat themselves.

A guarded process draws from streams that its spec decides, so that its answers are the same in each
run of unitcraft.  Two hosts with other seeds, or two streams of one, show what depends on chance.

Invariant: an unseeded ``random.Random``, the module's own generator and the system's random bytes
are seen, and each of their values depends only on the seed, the stream and the draws before it.
"""

from __future__ import annotations

import _random
import os
import random
from hashlib import blake2b
from typing import Any, Final

#: Repetitions of a run that drew: an outcome of probability 0.75 passes all in one of 1,000 cases.
REPEATS: Final = 24
#: Repetitions for a candidate of mutation analysis, of which few become tests, and those are then
#: repeated as above: an outcome of probability 0.5 passes all in one of 64 cases.
REPEATS_OF_CANDIDATES: Final = 6
#: Streams under which a mutant is tried whose run drew: a kill of probability 0.5 is believed in
#: one of 128 cases, and then always.
STREAMS: Final = 8
#: The stream of imports, and the first of items.
_IMPORT, _ITEM = 0, 1


def _state_of_module() -> tuple[int, ...]:
    """The state of the module's own generator; no Python code that a Subject may break runs."""
    return _random.Random.getstate(random._inst)  # noqa: SLF001


class Entropy:
    """The random sources of this process (mutable: the stream and how much of it was drawn).

    Until ``install`` nothing is replaced.
    """

    def __init__(self) -> None:
        self._seed = 0
        self._stream = _IMPORT
        self._draws = 0
        self._used = False
        self._is_moved = False
        self._state: Any = None
        self._first: Any = None
        self._held: Any = None
        self._reseed: Any = None

    def install(self, seed: int) -> None:
        """Put the seeded sources in the places of the real ones."""
        self._seed = seed
        self._reseed = random.Random.seed
        random.Random.seed = self._seeding()  # type: ignore[method-assign]
        os.urandom = self._bytes
        random._urandom = self._bytes  # type: ignore[attr-defined]  # noqa: SLF001 - where it is read
        random.seed = random._inst.seed  # noqa: SLF001
        random.seed()
        os.register_at_fork(before=self._hold, after_in_child=self._put_back)

    def _hold(self) -> None:
        self._held = _state_of_module()

    def _put_back(self) -> None:
        """Undo in a forked process what ``random`` does there: it seeds from the system."""
        _random.Random.setstate(random._inst, self._held)  # noqa: SLF001

    def keep(self) -> None:
        """Remember where the module's own generator stands, now that the Subject is imported."""
        self._first = _state_of_module()

    def rewind(self) -> None:
        """Begin an item: all sources are where ``keep`` found them.

        The module's own generator is not, after other items.
        """
        self.restart()
        _random.Random.setstate(random._inst, self._first)  # noqa: SLF001

    def restart(self, number: int = 0) -> None:
        """Begin a stream for an item: the first one, or another one for ``number`` > 0.

        Another one seeds the module's own generator too, until the first one puts it back to where
        ``start`` found it.
        """
        self._stream, self._draws = _ITEM + number, 0
        if number and self._reseed is not None:
            self._reseed(random._inst, self._next())  # noqa: SLF001
            self._is_moved = True
        elif self._is_moved:
            _random.Random.setstate(random._inst, self._state)  # noqa: SLF001
            self._is_moved = False

    def start(self) -> None:
        """Forget what was drawn so far."""
        self._used = False
        self._state = _state_of_module()

    def drawn(self) -> bool:
        """Was anything drawn since ``start``?"""
        return self._used or _state_of_module() != self._state

    def _next(self) -> int:
        return int.from_bytes(self._block(), "big")

    def _block(self) -> bytes:
        text = f"{self._seed}:{self._stream}:{self._draws}"
        self._draws += 1
        return blake2b(text.encode(), digest_size=32).digest()

    def _bytes(self, size: int, /) -> bytes:
        self._used = True
        if size < 0:
            raise ValueError("negative argument not allowed")
        blocks = [self._block() for _ in range(-(-size // 32))]
        return b"".join(blocks)[:size]

    def _seeding(self) -> Any:
        seed = self._reseed

        def seeding(generator: random.Random, a: Any = None, version: int = 2) -> None:
            if a is None:
                self._used = True
                a = self._next()
            seed(generator, a, version)

        return seeding


#: The entropy of this process: its sources are global.
ENTROPY: Final = Entropy()
