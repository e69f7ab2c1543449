"""An object of a run made as another run made one of its class.

Methods are tried on the plainest object first, ``Dispenser({})``; what they do with a filled one is
seen only where a run comes to it that gets on with the rest of its Calls: ``insert(20)`` and then
``select("abc")``.  Of two things that must come together, ``word == "go" and self.is_playing``, one
run has the text and another one the state: the last Call of the first is made on what the second
came to.

Invariant: one Call that makes an object takes the arguments of another, or the last Call is made on
another object; all else stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from unitcraft.core.sequences import (
    Ref,
    Sequence,
    connected_calls,
    refs_of,
    renumber_call,
)
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.values.object_pool import Composer, ObjectHistory
from unitcraft.explore.search.variation.places import put_call
from unitcraft.explore.search.variation.variation_kind import Materials


class ExchangeReceivers:
    """A Call that makes an object replaced by one of another run (mutable: each only once)."""

    name = "receivers"

    def __init__(self) -> None:
        self._made: set[str] = set()

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run with another object in place of one that it makes before its last Call."""
        ways = [_with_other_makings(run, materials, rng), _on_others(run, materials, rng)]
        rng.shuffle(ways)
        for way in ways:
            for made in way:
                if made.key not in self._made:
                    self._made.add(made.key)
                    return made
        return None


def _with_other_makings(run: Execution, materials: Materials, rng: Random) -> Iterator[Sequence]:
    """The run with one of its constructor's Calls as another run had it."""
    choices = [
        (at, other)
        for at, call in enumerate(run.sequence.calls[:-1])
        if call.kind == "function"
        for other in materials.makings(call.name)
        if other != call
    ]
    rng.shuffle(choices)
    for at, other in choices:
        yield put_call(run.sequence, at, other)


def _on_others(run: Execution, materials: Materials, rng: Random) -> Iterator[Sequence]:
    """The last Call of the run on another known object, first on those that came with a Goal."""
    last = run.sequence.calls[-1]
    receiver = last.args[0] if last.kind != "function" and last.args else None
    known = list(materials.receivers()) if isinstance(receiver, Ref) else []
    rng.shuffle(known)
    known.sort(key=lambda one: not one.is_telling)
    for one in known:
        yield _on(run.sequence, one)


def _on(sequence: Sequence, other: ObjectHistory) -> Sequence:
    """The last Call of ``sequence`` on ``other``, with what it is given besides."""
    *before, last = sequence.calls
    rest = replace(last, args=last.args[1:])
    needed = connected_calls(Sequence(tuple(before)), refs_of(rest))
    where = {old: new for new, old in enumerate(needed)}
    composer = Composer()
    composer.calls = [renumber_call(before[old], where) for old in needed]
    ref = composer.add(other)
    rest = renumber_call(rest, where)
    return composer.finish(replace(rest, args=(ref, *rest.args)))
