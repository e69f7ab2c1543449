"""Symbolic inputs of Calls: which constants they are, and that filling in gives back the Calls."""

from __future__ import annotations

import pytest

from unitcraft.core.encoding import encode_call
from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.explore.concolic.symbolic_inputs import encode_with_inputs, fill_inputs

PAIR = Display("tuple", (Const(1), Const("a")))
CALLS = [
    Call("method", "push", (Ref(0), Const(3))),
    Call("method", "put", (Ref(0), Const("k")), (("value", Const(1.5)),)),
    Call("function", "shop:total", (Display("list", (Const(1), PAIR)), Const(b"x")), then="drain"),
    Call("method", "pay", (Ref(0), Build(Symbol("decimal", "Decimal"), (Const("1.5"),)))),
    Call("method", "at", (Ref(0), Build(Symbol("shop", "P"), (), (("x", Const(2)),)))),
    Call("method", "set", (Ref(0), Const(value=True), Const(None), Source("1"), Const(...))),
    Call("method", "keys", (Ref(0), Display("dict", (Const("k"), Const(1))))),
]
FOUND = [(3,), ("k", 1.5), (1, 1, "a", b"x"), ("1.5",), (2,), (), ("k", 1)]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_filling_with_what_was_there_gives_back_the_call(call):
    _, values = encode_with_inputs(call)
    assert fill_inputs(Sequence((call,)), values) == Sequence((call,))


@pytest.mark.parametrize(
    ("call", "values"),
    list(zip(CALLS, FOUND, strict=True)),
    ids=[call.name for call in CALLS],
)
def test_numbers_and_texts_are_inputs_in_source_order(call, values):
    _, found = encode_with_inputs(call)
    assert (found, [type(value) for value in found]) == (values, [type(value) for value in values])


def test_holes_are_numbered_from_the_first_free_one():
    encoded, _ = encode_with_inputs(CALLS[1], 5)
    assert encoded == ("method", "put", (("r", 0), ("x", 5)), (("value", ("x", 6)),), "")


def test_a_call_without_inputs_is_encoded_as_it_is():
    assert encode_with_inputs(CALLS[5]) == (encode_call(CALLS[5]), ())


def test_other_values_take_the_places_of_the_old_ones():
    program = Sequence((CALLS[0], CALLS[1]))
    other = fill_inputs(program, (-1, "", 2.0))
    assert other.calls[0].args == (Ref(0), Const(-1))
    assert (other.calls[1].args[1], other.calls[1].kwargs[0][1]) == (Const(""), Const(2.0))
