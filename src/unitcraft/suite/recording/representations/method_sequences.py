"""The method-sequence representations: the calls that brought an object into its state.

Invariant: an object that was changed outside recorded calls (a field store, an alias, an argument)
gets its new state as a link of the chain, and one whose construction was not recorded begins with
its state, so that equal chains mean equal states for deterministic code.

Source: ROSTRA, "WholeSeq Representation" and "ModifyingSeq Representation"; *differs*: the links
hold digests of entry states as well, which changes nothing for methods that leave their arguments
alone and stays sound for the others.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

#: Bytes of a digest, as in ``state.heap.canonical``.
SIZE: Final = 16

#: Dead entries are looked for when the table has grown to this many times its live size.
_GROWTH: Final = 2

#: Entries that the table may have at least before dead ones are looked for.
_MIN_LIMIT: Final = 1024


def combine_digests(*parts: bytes) -> bytes:
    """The digest of some digests and names, in order."""
    return blake2b(b"\0".join(parts), digest_size=SIZE).digest()


@dataclass(frozen=True, slots=True)
class History:
    """Digests of all calls that led to an object, of the modifying ones, and of its state."""

    whole: bytes
    modifying: bytes
    state: bytes


class Histories:
    """The History of each live object (mutable).

    Objects that admit no weak reference are held until ``forget_held``.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, History]] = {}
        self._held: list[int] = []
        self._limit = _MIN_LIMIT

    def of(self, value: object, state: bytes) -> History:
        """The History of an object that is now in ``state``."""
        entry = self._known.get(id(value))
        if entry is not None and entry[0]() is value:
            history = entry[1]
            if history.state == state:
                return history
            link = combine_digests(b"changed", state)
            return History(
                combine_digests(history.whole, link),
                combine_digests(history.modifying, link),
                state,
            )
        start = combine_digests(b"met", state)
        return History(start, start, state)

    def knows(self, value: object) -> bool:
        """Has this object a History that was recorded?"""
        entry = self._known.get(id(value))
        return entry is not None and entry[0]() is value

    def put(self, value: object, history: History) -> None:
        """Remember ``history`` for ``value``."""
        key = id(value)
        entry = self._known.get(key)
        if entry is not None and entry[0]() is value:
            self._known[key] = (entry[0], history)
            return
        try:
            reference: Any = weakref.ref(value)
        except TypeError:
            reference = _Held(value)
            self._held.append(key)
        self._known[key] = (reference, history)
        if len(self._known) > self._limit:
            self._sweep()

    def forget_held(self) -> None:
        """Drop the references that keep objects alive."""
        for key in self._held:
            self._known.pop(key, None)
        self._held.clear()

    def _sweep(self) -> None:
        self._known = {key: entry for key, entry in self._known.items() if entry[0]() is not None}
        self._limit = max(_MIN_LIMIT, _GROWTH * len(self._known))


class _Held:
    """A reference that keeps its object alive."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def __call__(self) -> object:
        return self._value
