"""Settings that nobody needs to read: which are tried without, and what is left of the Test."""

from __future__ import annotations

from dataclasses import replace

from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import Build, Call, Const, Ref, Sequence, Symbol
from unitcraft.suite.generated.idle_settings import (
    alarmed,
    idle,
    told_settings,
    uncalled,
    without_idle,
)
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


MOCK = Build(Symbol("unittest.mock", "Mock"), (), (("return_value", Const(1)),))


def test_every_replaced_function_gets_an_alarm_in_turn():
    def replaced(name, value):
        return Call("arrange", "setattr", (Const(name), value))

    named = Call("operator", "itself", (MOCK,))
    first, second = replaced("m.os.stat", MOCK), replaced("m.time.sleep", Ref(1))
    found = alarmed(Sequence((first, named, second, MISSING, Call("function", "m:f"))))
    assert list(found) == [first, second]
    for at, call in ((0, first), (2, second)):
        calls = found[call].calls
        assert calls[at].args[0] == call.args[0]
        assert "BaseException" in repr(calls[at].args[1])
        assert [n for n, one in enumerate(calls) if "BaseException" in repr(one)] == [at]


def test_a_function_that_is_not_called_is_replaced_only_where_a_test_says_so():
    other = Call("arrange", "setattr", (Const("m.os.open"), MOCK))
    for value, is_dropped in ((MOCK, True), (Ref(0), False)):
        setting = Call("arrange", "setattr", (Const("m.os.stat"), value))
        sequence = Sequence((Call("operator", "itself", (MOCK,)), setting, other, MAKE))
        test = Test("m:C", sequence, Returned(), ())
        assert uncalled(test, frozenset([setting])) == ({setting} if is_dropped else set())
