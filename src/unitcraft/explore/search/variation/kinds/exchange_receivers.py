"""An object of a run made as another run made one of its class.

Methods are tried on the plainest object first, ``Dispenser({})``; what they do with a filled one is
seen only where a run comes to it that gets on with the rest of its Calls: ``insert(20)`` and then
``select("abc")``.

Invariant: one Call that makes an object takes the arguments of another; all else stays.
"""

from __future__ import annotations

from random import Random

from unitcraft.core.sequences import Sequence
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.places import put_call
from unitcraft.explore.search.variation.variation_kind import Materials


class ExchangeReceivers:
    """A Call that makes an object replaced by one of another run (mutable: each only once)."""

    name = "receivers"

    def __init__(self) -> None:
        self._made: set[str] = set()

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run with another object in place of one that it makes before its last Call."""
        choices = [
            (at, other)
            for at, call in enumerate(run.sequence.calls[:-1])
            if call.kind == "function"
            for other in materials.makings(call.name)
            if other != call
        ]
        rng.shuffle(choices)
        for at, other in choices:
            made = put_call(run.sequence, at, other)
            if made.key not in self._made:
                self._made.add(made.key)
                return made
        return None
