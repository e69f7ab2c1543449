"""Arguments that a call changes are named while it is observed, the others stay in place."""

from __future__ import annotations

from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.explore.search.variation.grow_stand_ins import NAMESPACE
from unitcraft.explore.search.variation.places import recording, returning
from unitcraft.suite import tests
from unitcraft.suite.generated.lifted_arguments import lift_arguments, lower_arguments
from unitcraft.suite.tests import Check

ONE = Display("list", (Const(1),))
MADE = Call("function", "shop:Box", (ONE,))
USED = Call(
    "method", "put", (Ref(0), Const(2), Display("tuple", ())), (("into", Display("dict", ())),)
)
SEQUENCE = Sequence((MADE, USED))


def case(sequence, *checks):
    return tests.Test("shop:Box.put", sequence, Returned(), checks)


def test_every_argument_that_may_change_has_a_call_of_its_own():
    lifted = lift_arguments(SEQUENCE)
    assert [call.name for call in lifted.calls] == ["itself", "shop:Box", "itself", "put"]
    assert lifted.calls[3].args == (Ref(1), Const(2), Display("tuple", ()))
    assert lifted.calls[3].kwargs == (("into", Ref(2)),)


def test_a_function_that_is_decorated_has_a_name_and_others_have_none():
    function = Source("lambda x: x * 2")
    made = Call("function", "shop:on", (function,))
    lifted = lift_arguments(Sequence((made, Call("operator", "call", (Ref(0), function)))))
    assert [(call.kind, call.name) for call in lifted.calls] == [
        ("function", "shop:on"), ("operator", "itself"), ("operator", "call"),
    ]  # fmt: skip
    assert lifted.calls[2].args == (Ref(0), Ref(1))


def test_a_test_that_looks_at_none_is_as_before():
    check = Check(Ref(3), "==", ONE)
    assert lower_arguments(case(lift_arguments(SEQUENCE), check)) == case(
        SEQUENCE, Check(Ref(1), "==", ONE)
    )


def test_what_a_check_looks_at_keeps_its_name():
    check = Check(Ref(2), "==", ONE)
    lowered = lower_arguments(case(lift_arguments(SEQUENCE), check))
    assert [call.name for call in lowered.sequence.calls] == ["shop:Box", "itself", "put"]
    assert lowered.sequence.calls[2].kwargs == (("into", Ref(1)),)
    assert lowered.checks == (Check(Ref(1), "==", ONE),)


def test_what_is_built_in_place_is_lifted_with_what_it_refers_to():
    crate = Build(Symbol("shop", "Crate"), (Ref(0),))
    sequence = Sequence((MADE, Call("function", "shop:load", (crate,))))
    lifted = lift_arguments(sequence)
    assert lifted.calls[2] == Call("operator", "itself", (Build(crate.callee, (Ref(1),)),))
    assert lower_arguments(case(lifted)).sequence == sequence


def test_functions_of_a_stand_in_record_their_calls_where_a_check_looks():
    run, path = (Source(f"lambda *args, **kwargs: {answer}") for answer in ("(0, 'x')", "None"))
    inner = Build(NAMESPACE, (), (("path", path),))
    given = Build(NAMESPACE, (), (("run", run), ("fresh", returning(ONE)), ("inner", inner)))
    sequence = Sequence((Call("function", "shop:load", (given,)),))
    lifted = lift_arguments(sequence)
    recorder = recording(Display("tuple", (Const(0), Const("x"))))
    recorded = dict(lifted.calls[0].args[0].kwargs)
    assert recorded["run"] == recorder
    assert recorded["fresh"] == returning(ONE), "a fresh list for each call"
    assert dict(recorded["inner"].kwargs)["path"] == recording(Const(None))
    assert lower_arguments(case(lifted)).sequence == sequence
    told = Check(Call("get", "run.call_args.args", (Ref(0),)), "==", Display("tuple", ()))
    (kept, _) = lower_arguments(case(lifted, told)).sequence.calls
    assert kept.args[0].kwargs == (("run", recorder), *given.kwargs[1:])


def test_what_a_replaced_function_answers_has_a_name_of_its_own():
    answer = Build(NAMESPACE, (), (("stop", returning(Const(None))),))
    made = recording(answer)
    arrange = Call("arrange", "setattr", (Const("shop.Client"), made))
    sequence = Sequence((arrange, Call("function", "shop:main")))
    lifted = lift_arguments(sequence)
    assert lifted.calls[0].args[0].kwargs == (("stop", recording(Const(None))),)
    assert lifted.calls[1].args == (recording(Ref(0)),)
    assert lower_arguments(case(lifted)).sequence == sequence
    told = Check(Call("get", "stop.call_args.args", (Ref(0),)), "==", Display("tuple", ()))
    lowered = lower_arguments(case(lifted, told)).sequence
    assert lowered.calls[1] == Call("arrange", "setattr", (Const("shop.Client"), recording(Ref(0))))


def test_functions_of_what_a_function_of_a_stand_in_answers_record_where_a_check_looks():
    answer = Build(NAMESPACE, (), (("set", returning(Const(None))),))
    given = Build(NAMESPACE, (), (("get", recording(answer)),))
    sequence = Sequence((Call("function", "shop:toggle", (given,)),))
    lifted = lift_arguments(sequence)
    recorded = Build(NAMESPACE, (), (("set", recording(Const(None))),))
    assert lifted.calls[0].args[0].kwargs == (("get", recording(recorded)),)
    assert lower_arguments(case(lifted)).sequence == sequence
    path = "get.return_value.set.call_args.args"
    told = Check(Call("get", path, (Ref(0),)), "==", Display("tuple", (Const(value=True),)))
    assert lower_arguments(case(lifted, told)).sequence.calls[0].args == lifted.calls[0].args


def test_what_a_call_sets_keeps_its_name():
    clock = Call("operator", "itself", (recording(Const(0)),))
    made = Call("function", "shop:Cache", (), (("timer", Ref(0)),))
    later = Call("set", "return_value", (Ref(0), ONE))
    sequence = Sequence((clock, made, later, Call("method", "expire", (Ref(1),))))
    assert lower_arguments(case(lift_arguments(sequence))).sequence == sequence
