"""Settings without which a test holds all the same, wherever it runs.

Code that knows by a name that an optional module is missing has tests which set the name.  Where
the outcome is the same in the process that has the module, nobody needs to read the setting.  Nor
does anybody the replacement of a function that the test never calls.

Invariant: a setting is dropped only where it sets the value that the name has in the first process,
and where the second answers the same with it and without it; a replacement only where the first
answers the same with another one, which ends whatever calls it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from unitcraft.core.encoding import Plain
from unitcraft.core.sequences import Build, Call, Const, Ref, Sequence, Symbol, renumber_call
from unitcraft.suite.tests import Test, renumber_check

#: Changes nothing: it stands in the place of a setting, so that all numbers stay.
_NOTHING: Final = Call("arrange", "delenv", (Const("UNITCRAFT_NOTHING"),))
#: What stands in for a function that is said to be called never.
_MOCK: Final = Symbol("unittest.mock", "Mock")
_ALARM: Final = Build(_MOCK, (), (("side_effect", Build(Symbol("builtins", "BaseException"))),))


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


def alarmed(sequence: Sequence) -> dict[Call, Sequence]:
    """``sequence`` with an alarm in the place of a function that it replaces, for each of them."""
    return {
        call: Sequence(tuple([_with_alarm(one) if one is call else one for one in sequence.calls]))
        for call in sequence.calls
        if call.kind == "arrange" and call.name == "setattr" and _is_mock(call, sequence)
    }


def _is_mock(setting: Call, sequence: Sequence) -> bool:
    value = setting.args[1]
    if isinstance(value, Ref):
        (value,) = sequence.calls[value.index].args[:1] or (value,)
    return isinstance(value, Build) and value.callee == _MOCK


def _with_alarm(setting: Call) -> Call:
    return replace(setting, args=(setting.args[0], _ALARM))


def uncalled(test: Test, settings: frozenset[Call]) -> frozenset[Call]:
    """The Calls of ``test`` that replace what ``settings`` replace, of which it asserts nothing."""
    names = {call.args[0] for call in settings}
    return frozenset(
        call for call in test.sequence.calls
        if call.kind == "arrange" and call.args[0] in names and not isinstance(call.args[-1], Ref)
    )  # fmt: skip


def without_idle(test: Test) -> Test:
    """``test`` without its ``idle`` Calls: what was made of a run is known by that till the end."""
    calls = test.sequence.calls
    kept = [at for at, call in enumerate(calls) if call not in test.idle]
    where = {at: number for number, at in enumerate(kept)}
    sequence = Sequence(tuple([renumber_call(calls[at], where) for at in kept]))
    checks = tuple([renumber_check(check, where) for check in test.checks])
    return replace(test, sequence=sequence, checks=checks)
