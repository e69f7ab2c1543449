import pytest

from unitcraft.core.errors import UnitcraftError
from unitcraft.core.sequences import Build, Call, Const, Ref, Symbol
from unitcraft.core.types import TypeExpr
from unitcraft.explore.domains import Domains, calls_of, with_own_classes
from unitcraft.subject.model import ClassInfo, Invocable, Parameter, Subject


def method(*parameters, **more):
    return Invocable("m:C.f", "method", "f", owner="m:C", parameters=parameters, **more)


def arguments(calls):
    return [
        tuple(arg.value for arg in call.args[1:])
        + tuple((name, arg.value) for name, arg in call.kwargs)
        for call in calls
    ]


INT, STR, BOOL, NONE = (TypeExpr(name) for name in ("int", "str", "bool", "none"))


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ((), [()]),
        ((Parameter("a", type=INT),), [(0,), (1,)]),
        ((Parameter("a"), Parameter("b")), [(0, 0), (0, 1), (1, 0), (1, 1)]),
        ((Parameter("a", type=BOOL),), [(False,), (True,)]),
        ((Parameter("a", type=TypeExpr("union", (INT, NONE))),), [(0,), (1,), (None,)]),
        ((Parameter("a", type=TypeExpr("literal", literals=(Const("x"),))),), [("x",)]),
        ((Parameter("a"), Parameter("b", required=False)), [(0,), (1,)]),
        ((Parameter("a", "keyword"),), [(("a", 0),), (("a", 1),)]),
        ((Parameter("a", required=False), Parameter("s", required=False)), [(("s", "t"),)]),
        ((Parameter("args", "var_positional", required=False),), [()]),
    ],
)
def test_every_combination_once(parameters, expected):
    domains = Domains((0, 1), {"s": (Const("t"),)})
    assert arguments(calls_of(method(*parameters), domains)) == expected


def test_the_receiver_comes_first_and_constructors_have_none():
    domains = Domains((3,))
    assert calls_of(method(Parameter("a")), domains) == (Call("method", "f", (Ref(0), Const(3))),)
    constructor = Invocable(
        "m:C", "constructor", "C", owner="m:C", parameters=(Parameter("a", type=INT),)
    )
    assert calls_of(constructor, domains) == (Call("function", "m:C", (Const(3),)),)


def test_asynchronous_methods_are_awaited():
    assert calls_of(method(is_async=True), Domains())[0].then == "await"
    assert calls_of(method(is_generator=True), Domains())[0].then == "drain"
    both = method(is_async=True, is_generator=True)
    assert calls_of(both, Domains())[0].then == "collect"
    assert calls_of(method(manages=True), Domains())[0].then == "enter"
    assert calls_of(method(manages=True, is_async=True), Domains())[0].then == "await enter"


def test_other_types_are_asked_for_elsewhere():
    domains = Domains((1,), otherwise=lambda kind: (Const(kind.name),))
    assert arguments(calls_of(method(Parameter("s", type=STR)), domains)) == [("str",)]


def test_members_of_enums_and_objects_of_the_module_are_values():
    kind = TypeExpr("class", cls="m:Kind")
    money = Invocable(
        "m:Money", "constructor", "Money", owner="m:Money",
        parameters=(Parameter("cents", type=INT), Parameter("kind", type=kind),
                    Parameter("of", type=TypeExpr("class", cls="m:Money"), required=False)),
    )  # fmt: skip
    classes = (
        ClassInfo("m:Kind", "m", "Kind", enum_members=("A", "B")),
        ClassInfo("m:Money", "m", "Money", members=("m:Money",)),
        ClassInfo("m:Loop", "m", "Loop", members=("m:Loop",)),
    )
    loop = Invocable(
        "m:Loop", "constructor", "Loop", owner="m:Loop",
        parameters=(Parameter("one", type=TypeExpr("class", cls="m:Loop")),),
    )  # fmt: skip
    domains = with_own_classes(Domains((1,)), Subject("m", "m.py", classes, (money, loop)))
    calls = calls_of(method(Parameter("price", type=TypeExpr("class", cls="m:Money"))), domains)
    assert [call.args[1] for call in calls] == [
        Build(Symbol("m", "Money"), (Const(1), Symbol("m", f"Kind.{name}"))) for name in "AB"
    ]
    with pytest.raises(UnitcraftError, match="no values for the parameter 'x'"):
        calls_of(method(Parameter("x", type=TypeExpr("class", cls="m:Loop"))), domains)


def test_a_parameter_without_values_is_an_error():
    with pytest.raises(UnitcraftError, match=r"no values for the parameter 's' \[no-domain\]"):
        calls_of(method(Parameter("s", type=STR)), Domains((1,)))
