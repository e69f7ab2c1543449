"""Stubs that record in the place of classes that a test writes."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Call, Const, Ref, Sequence, Symbol
from unitcraft.explore.search.variation.places import MOCK, recording
from unitcraft.suite.generated.recorded_stubs import recording_stubs

PAYMENTS = Symbol("shop", "Payments")
TEXT = """class StubPayments({0}):
    def charge(self, customer, cents):
        return {1}

    def refund(self, customer, cents):
        pass"""
DEFINE = Call("define", TEXT, (PAYMENTS, Const(value=False)))
MAKE = Call("operator", "call", (Ref(0),))
CHECKOUT = Call("function", "shop:Checkout", (Ref(1), Const(5)))
PAY = Call("method", "pay", (Ref(2), Const("ann")))


def test_the_stub_answers_as_the_class_did():
    found = recording_stubs(Sequence((DEFINE, MAKE, CHECKOUT, PAY)))
    members = (
        ("spec", PAYMENTS),
        ("charge", recording(Const(value=False))),
        ("refund", recording(Const(None))),
    )
    made = Call("function", "shop:Checkout", (Build(MOCK, (), members), Const(5)))
    assert found == Sequence((made, Call("method", "pay", (Ref(0), Const("ann")))))


@pytest.mark.parametrize(
    "calls",
    [
        (Call("define", TEXT.replace("pass", "self.done = 1"), DEFINE.args), MAKE, CHECKOUT, PAY),
        (Call("define", "class Stub({0}):\n    size = {1}", DEFINE.args), MAKE, CHECKOUT, PAY),
        (DEFINE, MAKE, CHECKOUT, Call("method", "pay", (Ref(2), Ref(1)))),
        (DEFINE, MAKE, Call("method", "charge", (Ref(1), Const("ann"), Const(1)))),
        (DEFINE, Call("operator", "call", (Ref(0), Const(1))), CHECKOUT, PAY),
        (Call("function", "shop:Checkout", (Const(1),)),),
    ],
    ids=["more than answers", "a field", "given twice", "called", "made of values", "no class"],
)
def test_what_a_stub_cannot_stand_for_stays(calls):
    assert recording_stubs(Sequence(calls)) == Sequence(calls)
