"""Settings that nobody needs to read: which are tried without, and what is left of the Test."""

from __future__ import annotations

from dataclasses import replace

from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.suite.generated.idle_settings import idle, told_settings, without_idle
from unitcraft.suite.tests import Check, Test

SETTINGS = told_settings("m", {"yaml": None, "HAS_YAML": False})
MISSING = Call("arrange", "setattr", (Const("m.yaml"), Const(None)))
OTHER = Call("arrange", "setattr", (Const("m.yaml"), Const("abc")))
MAKE = Call("function", "m:C")
USE = Call("method", "f", (Ref(2),))


def test_what_is_tried_keeps_its_numbers():
    sequence = Sequence((OTHER, MISSING, MAKE, USE))
    tried = idle(sequence, SETTINGS)
    assert (tried.calls[0], *tried.calls[2:]) == (OTHER, MAKE, USE)
    assert tried.calls[1].name == "delenv"
    assert idle(Sequence((OTHER, MAKE)), SETTINGS) is None


def test_what_is_dropped_renumbers_calls_and_checks():
    looked = Call("get", "size", (Ref(2),))
    checks = (Check(Ref(3), "is", Ref(2)), Check(looked, "==", Const(1)))
    test = Test("m:C.f", Sequence((OTHER, MISSING, MAKE, USE)), Returned(), checks, idle=SETTINGS)
    assert without_idle(replace(test, idle=frozenset())) == test
    made = without_idle(test)
    assert made.sequence.calls == (OTHER, MAKE, Call("method", "f", (Ref(1),)))
    assert made.checks == (
        Check(Ref(2), "is", Ref(1)),
        Check(Call("get", "size", (Ref(1),)), "==", Const(1)),
    )
