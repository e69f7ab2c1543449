"""Seeded entropy: generators that nobody seeds and the system's random bytes repeat themselves.

A guarded process draws from streams that its spec decides, so that its answers are the same in each
run of unitcraft.  Two hosts with other seeds, or two streams of one, show what depends on chance.

Invariant: what is drawn from an unseeded ``random.Random``, the module's own generator and the
system's random bytes is seen; each value depends only on the seed, the stream and the draws before.
"""

from __future__ import annotations

import _random
import ctypes
import os
import random
import uuid
from dataclasses import dataclass
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


def _state_of(generator: random.Random) -> tuple[int, ...]:
    """The state of a generator; no Python code that a Subject may break runs."""
    return _random.Random.getstate(generator)


@dataclass(frozen=True, slots=True)
class _Unseeded:
    """A generator that nobody gave a seed, and its state when it was last looked at."""

    generator: random.Random
    state: tuple[int, ...]

    def has_moved(self) -> bool:
        return _state_of(self.generator) != self.state

    def now(self) -> _Unseeded:
        return _Unseeded(self.generator, _state_of(self.generator))

    def put_back(self) -> None:
        _random.Random.setstate(self.generator, self.state)


def _body_of(generator: random.Random) -> Any:
    """The memory of ``generator`` behind the header of its object, live: what C code draws from.

    To compare it costs a tenth of putting a state back, and most items draw nothing.
    """
    header = object.__basicsize__
    return (ctypes.c_char * (_random.Random.__basicsize__ - header)).from_address(
        id(generator) + header
    )


class Entropy:
    """The random sources of this process (mutable: the stream and how much of it was drawn).

    Until ``install`` nothing is replaced.  Of the generators that imports make, the module's own
    among them, and of those that a run makes, what was drawn is seen by their state.
    """

    def __init__(self) -> None:
        self._seed = 0
        self._stream = _IMPORT
        self._draws = 0
        self._used = False
        self._is_moved = False
        own = _Unseeded(random._inst, ()).now()  # noqa: SLF001
        self._unseeded = {id(own.generator): own}
        self._first = self._begun = [own]
        self._bodies: list[tuple[_Unseeded, Any, bytes]] = []
        self._seeds: dict[int, Any] = {}
        self._first_seeds: dict[int, Any] = {}
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
        # Identifiers of machines: the C library asks clock and hardware, or draws one, by itself.
        uuid._generate_time_safe = None  # type: ignore[attr-defined]  # noqa: SLF001
        node = blake2b(f"{seed}:node".encode(), digest_size=6).digest()
        uuid._node = int.from_bytes(node, "big")  # type: ignore[attr-defined]  # noqa: SLF001
        self.keep()
        os.register_at_fork(before=self._hold, after_in_child=self._put_back)

    def _hold(self) -> None:
        self._held = _state_of(random._inst)  # noqa: SLF001

    def _put_back(self) -> None:
        """Undo in a forked process what ``random`` does there: it seeds from the system."""
        _random.Random.setstate(random._inst, self._held)  # noqa: SLF001

    def keep(self) -> None:
        """Remember where the generators stand, now that the Subject is imported."""
        self._first = self._begun = [one.now() for one in self._unseeded.values()]
        self._first_seeds = dict(self._seeds)

    def watch(self) -> None:
        """Begin to serve items: all sources are where ``keep`` found them, and ``rewind`` works."""
        for one in self._first:
            one.put_back()
        bodies = [(one, _body_of(one.generator)) for one in self._first]
        self._bodies = [(one, body, body.raw) for one, body in bodies]
        self.rewind()

    def rewind(self) -> None:
        """Begin an item: all sources are where ``keep`` found them.

        The generators of imports are not, after other items.
        """
        self.restart()
        self._seeds = dict(self._first_seeds)
        for one, body, saved in self._bodies:
            if body.raw != saved:
                one.put_back()

    def restart(self, number: int = 0) -> None:
        """Begin a stream for an item: the first one, or another one for ``number`` > 0.

        Another one seeds the generators of imports too, until the first one puts them back to where
        ``start`` found them.
        """
        self._stream, self._draws = _ITEM + number, 0
        if number and self._reseed is not None:
            for one in self._first:
                self._reseed(one.generator, self._next())
            self._is_moved = True
        elif self._is_moved:
            for one in self._begun:
                one.put_back()
            self._is_moved = False

    def start(self) -> None:
        """Forget what was drawn so far."""
        self._used = False
        self._begun = [one.now() for one in self._first]
        self._unseeded = {id(one.generator): one for one in self._begun}

    def drawn(self) -> bool:
        """Was anything drawn since ``start``, but from a generator after it was given a seed?"""
        return self._used or any(one.has_moved() for one in self._unseeded.values())

    def seed_of(self, generator: _random.Random) -> list[Any]:
        """The seed that ``generator`` was last given, as all that it holds; None for no seed.

        Its state where nothing is known of a seed.
        """
        unknown = None if id(generator) in self._unseeded else self
        known = self._seeds.get(id(generator), unknown)
        return [_random.Random.getstate(generator) if known is self else known]

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
            known = self._unseeded.pop(id(generator), None)
            self._used = self._used or (known is not None and known.has_moved())
            seed(generator, self._next() if a is None else a, version)
            self._seeds[id(generator)] = a
            if a is None:
                self._unseeded[id(generator)] = _Unseeded(generator, _state_of(generator))

        return seeding


#: The entropy of this process: its sources are global.
ENTROPY: Final = Entropy()
