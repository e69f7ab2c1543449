"""Settings without which a test holds all the same, wherever it runs.

Code that knows by a name that an optional module is missing has tests which set the name.  Where
the outcome is the same in the process that has the module, nobody needs to read the setting.

Invariant: a setting is dropped only where it sets the value that the name has in the first process,
and where the second answers the same with it and without it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from unitcraft.core.encoding import Plain
from unitcraft.core.sequences import Call, Const, Sequence, renumber_call
from unitcraft.suite.tests import Test, renumber_check

#: Changes nothing: it stands in the place of a setting, so that all numbers stay.
_NOTHING: Final = Call("arrange", "delenv", (Const("UNITCRAFT_NOTHING"),))


def told_settings(module: str, told: dict[str, Plain]) -> frozenset[Call]:
    """The Calls that set names of ``module`` to the values that they have: name -> value."""
    return frozenset(
        Call("arrange", "setattr", (Const(f"{module}.{name}"), Const(value)))
        for name, value in told.items()
    )


def idle(sequence: Sequence, settings: frozenset[Call]) -> Sequence | None:
    """``sequence`` with nothing in the place of ``settings``; None where it has none of them."""
    if not settings.intersection(call for call in sequence.calls if call.kind == "arrange"):
        return None
    return Sequence(tuple([_NOTHING if call in settings else call for call in sequence.calls]))


def without_idle(test: Test) -> Test:
    """``test`` without its ``idle`` Calls: what was made of a run is known by that till the end."""
    calls = test.sequence.calls
    kept = [at for at, call in enumerate(calls) if call not in test.idle]
    where = {at: number for number, at in enumerate(kept)}
    sequence = Sequence(tuple([renumber_call(calls[at], where) for at in kept]))
    checks = tuple([renumber_check(check, where) for check in test.checks])
    return replace(test, sequence=sequence, checks=checks)
