"""Input shapes: which conditions they have, and what of them is an input."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Const, Display, Source
from unitcraft.core.types import TypeExpr
from unitcraft.explore.concolic.shape_model import (
    InputShape,
    bind_arguments,
    joined,
    length_condition,
    with_type,
    without_inputs,
)
from unitcraft.subject.model import Parameter

NUMBER = InputShape((), Const(0), ("a",))


@pytest.mark.parametrize(
    ("arg", "fixed"),
    [
        (Const(3), Source("3")),
        (Const(float("nan")), Source("float('nan')")),
        (Const(None), Const(None)),
        (Display("list", (Const("x"),)), Display("list", (Source("'x'"),))),
    ],
)
def test_fixed_values_are_no_inputs(arg, fixed):
    assert without_inputs(arg) == fixed


@pytest.mark.parametrize(
    ("when", "alone", "expected"),
    [
        ((), False, ("isinstance(a, int)",)),
        ((), True, ("a is not None",)),
        (("a is None",), False, ("a is None",)),
        (("len(a) == 1",), False, ("isinstance(a, int)", "len(a) == 1")),
    ],
)
def test_the_type_is_a_condition_unless_one_implies_it(when, alone, expected):
    shape = InputShape(when, Const(0), ("a",))
    assert with_type(shape, "a", TypeExpr("int"), alone=alone).when == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("list", "len(a) == 2"), ("set", "2 items in a"), ("dict", "2 items in a")],
)
def test_a_set_may_be_smaller_than_its_display(kind, expected):
    assert length_condition("a", 2, kind) == expected


def test_the_inputs_of_parts_are_in_source_order():
    parts = (InputShape(("x",), Const(1), ("p",)), InputShape(("y",), Const(2), ("q", "r")))
    whole = joined(("first",), Display("list", (Const(1), Const(2))), parts)
    assert (whole.when, whole.holes) == (("first", "x", "y"), ("p", "q", "r"))


def test_arguments_are_named_from_the_first_one_on_that_is_left_out():
    parameters = [Parameter(name, "positional") for name in ("a", "b", "c")]
    left_out = InputShape(("b is left out",), None)
    assert bind_arguments(parameters, (NUMBER, left_out, NUMBER)) == (
        (Const(0),),
        (("c", Const(0)),),
    )
