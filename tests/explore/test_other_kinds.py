"""A declared type is broken once for each parameter, by literals of other kinds."""

from __future__ import annotations

from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.other_kinds import MAX_EACH, MAX_PARAMETERS, other_kinds
from unitcraft.explore.search.values.parameter_model import ParameterModel
from unitcraft.subject.model import Parameter

TEXT, NUMBER = TypeExpr("str"), TypeExpr("int")


def slot(declared, kind="positional"):
    return ParameterModel(Parameter("x", kind, declared), "", declared)


def tried(call, *slots):
    calls = (call,) if call.kind == "function" else (Call("function", "m:C"), call)
    run = Execution("m:f", Sequence(calls), None, "", (), (), (), ())
    return [one.calls[-1].args for one in other_kinds(run, slots)]


def test_each_declared_argument_is_replaced_by_literals_of_other_kinds():
    call = Call("function", "m:f", (Const("abc"), Const(7), Const("free")))
    found = tried(call, slot(TEXT), slot(NUMBER), slot(ANY))
    assert found == [
        (Const(1), Const(7), Const("free")),
        (Const(None), Const(7), Const("free")),
        (Const("abc"), Const("a"), Const("free")),
        (Const("abc"), Const(None), Const("free")),
    ]
    assert MAX_EACH == 2


def test_a_receiver_is_no_argument_and_args_of_any_number_end_the_list():
    call = Call("method", "f", (Ref(0), Const("abc")))
    assert tried(call, slot(TEXT)) == [(Ref(0), Const(1)), (Ref(0), Const(None))]
    assert tried(call, slot(TEXT, "var_positional")) == []


def test_only_the_first_parameters_are_tried():
    many = MAX_PARAMETERS + 2
    call = Call("function", "m:f", (Const("abc"),) * many)
    assert len(tried(call, *[slot(TEXT)] * many)) == MAX_EACH * MAX_PARAMETERS
