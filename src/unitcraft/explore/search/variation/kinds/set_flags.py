"""A variable of the module says something else than it does here: ``HAS_YAML`` is False.

Invariant: the run stays as it is; the variable is set before its first Call, and put back after.
"""

from __future__ import annotations

from random import Random

from unitcraft.core.sequences import Call, Const, Sequence, renumber_call
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.variation_kind import Materials, OnceEach


class SetFlags:
    """Another value for a variable for which the line asks (mutable: each variant only once)."""

    name = "module flags"

    def __init__(self) -> None:
        self._once = OnceEach()

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run, with one of the variables set."""
        found = (
            _with_flag(run.sequence, name, value)
            for name, values in materials.flags
            for value in values
        )
        return self._once.pick(found, rng)


def _with_flag(sequence: Sequence, name: str, value: Const) -> Sequence:
    """``sequence`` with ``value`` for the variable of that dotted ``name``."""
    setting = Call("arrange", "setattr", (Const(name), value))
    for at, call in enumerate(sequence.calls):
        if call.kind == "arrange" and call.args[0] == Const(name):
            return Sequence((*sequence.calls[:at], setting, *sequence.calls[at + 1 :]))
    later = {at: at + 1 for at in range(len(sequence))}
    return Sequence((setting, *[renumber_call(call, later) for call in sequence.calls]))
