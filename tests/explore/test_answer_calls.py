"""Functions that are replaced because a run ended in their call; texts that a call wanted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Symbol
from unitcraft.core.types import TypeExpr
from unitcraft.explore.execution import Execution, RunFailure
from unitcraft.explore.search.surroundings.answer_calls import MAX_NOTHING, CallAnswers, answers_to
from unitcraft.explore.search.surroundings.complete_objects import complete_objects, declared_values
from unitcraft.explore.search.surroundings.complete_texts import complete
from unitcraft.explore.search.surroundings.set_variables import VariableChoice, is_arranged
from unitcraft.explore.search.variation.grow_stand_ins import (
    ATTRIBUTES,
    EMPTY,
    grow,
    has_stand_in,
    is_replacement,
    stand_in,
)
from unitcraft.explore.search.variation.places import MOCK, recording, result_of, returning
from unitcraft.instrument.sites import BranchSite
from unitcraft.subject.reading.replaceable_calls import AttributeUse

HERE = (3, 3, 4, 20)
TARGET = "m.fetch"
BARE = Sequence((Call("function", "m:f", (Const("abc"),)),))


def replaced(result):
    call = Call("arrange", "setattr", (Const(TARGET), recording(result)))
    return Sequence((call, *BARE.calls))


def ended(error, message, sequence=BARE, module="other", inside=1, at=HERE):
    failed = RunFailure(len(sequence) - 1, f"builtins:{error}", message, inside, 3, module)
    return Execution("m:f", sequence, failed, "", (), (), (), (), calling=at)


def test_a_stand_in_may_get_what_it_lacks_before_a_function_is_replaced():
    answers = CallAnswers({HERE: TARGET}, {})
    run = ended("AttributeError", "'types.SimpleNamespace' object has no attribute 'send'")
    assert [answers.target_of(run) for _ in range(MAX_NOTHING + 1)] == [None] * MAX_NOTHING + [
        TARGET
    ]
    own = ended("TypeError", "'types.SimpleNamespace' object is not iterable", module="m", inside=2)
    assert answers.target_of(own) is None


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (ended("ConnectionError", "no route"), TARGET),
        (ended("NotImplementedError", ""), TARGET),
        (ended("SystemExit", "1", inside=2), TARGET),
        (ended("SystemExit", "1", module="m", inside=2), None),
        (ended("AttributeError", "'NoneType' object has no attribute 'x'"), TARGET),
        (ended("ConnectionError", "no route", at=(9, 9, 0, 1)), None),
        (ended("RuntimeError", "There is no current event loop in thread 'MainThread'."), TARGET),
        (ended("RuntimeError", "no running event loop"), TARGET),
        (ended("RuntimeError", "generator ignored GeneratorExit"), None),
        (ended("TypeError", "expected string or bytes-like object, got 'int'"), None),
        (
            ended("AttributeError", "'NoneType' object has no attribute 'x'", module="m", inside=2),
            None,
        ),
        (
            ended(
                "AttributeError",
                "'NoneType' object has no attribute 'x'",
                sequence=replaced(Const(None)),
            ),
            None,
        ),
    ],
)
def test_what_ends_beyond_the_module_is_replaced(run, expected):
    assert CallAnswers({HERE: TARGET}, {}).target_of(run) == expected


def test_what_reached_for_the_network_once_is_replaced_in_all_runs_that_end_there():
    answers = CallAnswers({HERE: TARGET}, {})
    wrong = ended("ValueError", "unknown url type: 'a'")
    assert answers.target_of(wrong) is None
    assert answers.target_of_refusal(ended("OSError", "refused"), "socket.connect:a") == TARGET
    assert answers.target_of(wrong) == TARGET
    assert answers.target_of(ended("ValueError", "odd", module="m", inside=2)) is None


def test_nothing_is_replaced_where_another_argument_than_none_may_be_what_is_missing():
    nothing = Sequence((Call("function", "m:f", (Const(None),)),))
    message = "'NoneType' object has no attribute 'x'"
    answers = CallAnswers({HERE: TARGET}, {})
    found = [answers.target_of(ended("AttributeError", message, nothing)) for _ in range(9)]
    assert found == [None] * MAX_NOTHING + [TARGET]
    assert answers.target_of(ended("ConnectionError", "no route", nothing)) == TARGET


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("'NoneType' object has no attribute 'size'", TARGET),
        ("'NoneType' object has no attribute 'other'", None),
        ("'str' object has no attribute 'size'", None),
    ],
)
def test_what_answers_no_object_is_replaced_where_its_result_is_asked(message, expected):
    run = ended("AttributeError", message, module="m", inside=2)
    assert CallAnswers({}, {}, {HERE: ("size", TARGET)}).target_of(run) == expected


def test_an_object_gets_the_attribute_that_only_others_set():
    calls = (Call("function", "m:Server"), Call("method", "go", (Ref(0), Const(1))))
    message = "'Server' object has no attribute '_name'"
    run = ended("AttributeError", message, sequence=Sequence(calls), module="m", inside=2)
    found = complete_objects(run, frozenset())
    assert [one.calls[1].args[1] for one in found] == list(ATTRIBUTES)
    for one in found:
        made, setting, last = one.calls
        assert (made, setting.kind, setting.name) == (calls[0], "set", "_name")
        assert last == calls[1]
    assert complete_objects(run, {"_name"}) == []
    assert complete_objects(replace(run, sequence=BARE), frozenset()) == []
    read = {"_name": AttributeUse(is_called=False, is_read=True, asked=frozenset({"strip"}))}
    assert complete_objects(run, frozenset(), read)[0].calls[1].args[1] == Const("a")


def test_an_object_of_a_class_that_the_test_writes_gets_it_too():
    define = Call("define", "class Host({0}):\n    pass", (Symbol("m", "Mixin"),))
    calls = (define, Call("operator", "call", (Ref(0),)), Call("method", "go", (Ref(1),)))
    message = "'Host' object has no attribute 'values'"
    run = ended("AttributeError", message, sequence=Sequence(calls), module="m", inside=2)
    asked = []
    found = complete_objects(run, frozenset(), declared=lambda *of: asked.append(of) or [Const(1)])
    setting = Call("set", "values", (Ref(1), Const(1)))
    assert [one.calls for one in found] == [(*calls[:2], setting, calls[2])]
    assert asked == [("m:Mixin", "values")]
    other = replace(run, failed=replace(run.failed, message=message.replace("Host", "Other")))
    assert complete_objects(other, frozenset()) == []


NODE = TypeExpr("class", cls="m:Node")


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        (TypeExpr("str"), ["text"]),
        (TypeExpr("union", (NODE, TypeExpr("none"))), ["none", "node"]),
        (TypeExpr("list", (NODE,)), ["[]", "[node]"]),
    ],
)
def test_an_object_gets_what_its_class_declares(declared, expected):
    calls = (Call("function", "m:Node"), Call("method", "go", (Ref(0),)))
    message = "'Node' object has no attribute 'link'"
    run = ended("AttributeError", message, sequence=Sequence(calls), module="m", inside=2)
    plain = {"str": [Const("text")], "none": [Const(None)]}

    def values(cls, name):
        assert (cls, name) == ("m:Node", "link")
        return declared_values(declared, cls, lambda one: plain[one.name])

    found = complete_objects(run, frozenset(), declared=values)
    forms = {
        "text": ([], Const("text")), "none": ([], Const(None)), "[]": ([], Display("list", ())),
        "node": ([calls[0]], Ref(1)), "[node]": ([calls[0]], Display("list", (Ref(1),))),
    }  # fmt: skip
    for one, name in zip(found, expected, strict=True):
        more, value = forms[name]
        assert one.calls == (calls[0], *more, Call("set", "link", (Ref(0), value)), calls[1])


def test_a_stand_in_grows_and_the_call_is_not_replaced():
    answers = CallAnswers({HERE: TARGET}, {})
    message = "'types.SimpleNamespace' object has no attribute '{}'"
    found = {answers.target_of(ended("AttributeError", message.format(name))) for name in "abc"}
    assert found == {None}


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ("socket.connect:('a', 80)", TARGET),
        ("os.system:ls", TARGET),
        ("open:/etc/x", None),
        ("", None),
    ],
)
def test_a_refused_effect_is_replaced_unless_files_can_be_arranged(event, expected):
    run = ended("PermissionError", "refused")
    assert CallAnswers({HERE: TARGET}, {}).target_of_refusal(run, event) == expected
    assert CallAnswers({}, {}, {HERE: ("go", TARGET)}).target_of_refusal(run, event) == expected
    assert CallAnswers({HERE: TARGET}, {}).target_of_refusal(None, event) is None


def test_all_later_sequences_of_the_function_replace_it_with_answers_in_turn():
    choice = VariableChoice()
    first = choice.take_function("m:f", ended("ConnectionError", "no route"), TARGET)
    assert [result_of(one.calls[0].args[1]) for one in first] == [
        result_of(call.args[1]) for call in answers_to(TARGET)
    ]
    assert choice.take_function("m:f", ended("ConnectionError", "no route"), TARGET) == []
    later = [choice.arrange("m:f", BARE) for _ in range(2)]
    assert [one.calls[0] for one in later] == list(answers_to(TARGET)[:2])
    assert choice.arrange("m:g", BARE) == BARE


def test_an_answer_grows_like_any_stand_in():
    def answers(variants):
        return [result_of(one.calls[0].args[1]) for one in variants]

    missing = ended("AttributeError", "'str' object has no attribute 'read'", replaced(Const("a")))
    grown = answers(stand_in(missing, lambda _call, _index: False))
    assert all(isinstance(one, Build) and one.kwargs[0][0] == "read" for one in grown)
    deeper = ended(
        "AttributeError", "'types.SimpleNamespace' object has no attribute 'read'", replaced(EMPTY)
    )
    assert answers(grow(deeper)) == grown
    nothing = ended("TypeError", "'NoneType' object is not iterable", replaced(Const(None)))
    assert Display("list", (Const("a"),)) in answers(grow(nothing))


def test_functions_with_results_that_are_no_literals_are_mocks():
    assert returning(EMPTY) == Build(MOCK, (), (("return_value", EMPTY),))
    assert result_of(returning(EMPTY)) == EMPTY
    assert is_replacement(replaced(Const(1)).calls[0])
    assert has_stand_in(replaced(Const(1)))
    assert not is_replacement(Call("arrange", "setattr", (Const("sys.argv"), Display("list", ()))))


def test_a_text_is_completed_with_what_the_call_looked_for():
    run = ended("ValueError", "no title", replaced(Const("a")))
    made = complete(run, ["<title>b</title>"])
    assert [result_of(one.calls[0].args[1]) for one in made if one.calls[1] == BARE.calls[0]] == [
        Const("<title>b</title>"),
        Const("a <title>b</title>"),
    ]
    assert complete(run, ["x" * 1000]) == []


def test_a_run_that_looks_at_the_machine_has_to_replace_what_it_looks_with():
    choice = VariableChoice()
    sites = [BranchSite("m", "f", 1, "if", "true"), BranchSite("m", "f", 1, "entry", "entered")]
    choice.watch("m", sites, {"f": (TARGET,)})
    looking = replace(ended("ValueError", "x"), hits=(0, 1), touched=((False, "/etc/app"),))
    assert choice.functions_of(looking) == {TARGET}
    for touched in ((), ((True, "own.txt"),)):  # it ended before, or the call was replaced
        assert is_arranged(replace(looking, touched=touched), choice)
    assert choice.functions_of(replace(looking, hits=(0,))) == frozenset()
    assert not is_arranged(looking, choice)
    assert is_arranged(replace(looking, sequence=replaced(Const(1))), choice)


@pytest.mark.parametrize("name", ["exists", "isfile", "is_ready", "has_key", "lexists"])
def test_what_asks_is_answered_yes_or_no(name):
    answers = [result_of(call.args[1]) for call in answers_to(f"m.{name}")]
    assert answers == [Const(value=True), Const(value=False)]


@pytest.mark.parametrize("name", ["issue", "hash", "canvas", "existing"])
def test_what_only_sounds_so_is_not(name):
    assert len(answers_to(f"m.{name}")) > 2


def test_a_method_that_others_define_is_replaced_for_what_calls_it():
    answers = CallAnswers({}, {3: "m.C.hook"})
    run = ended("NotImplementedError", "", module="m", inside=2)
    assert answers.target_of(run) == "m.C.hook"
    assert answers.target_of(replace(run, invocable="m:C.hook")) is None
    assert answers.target_of(ended("NotImplementedError", "", module="m.other", inside=2)) is None


def test_an_answer_that_is_entered_gets_a_context():
    message = "'NoneType' object does not support the context manager protocol"
    made = grow(ended("TypeError", message, replaced(Const(None))))
    contexts = [result_of(one.calls[0].args[1]) for one in made]
    assert contexts == [Build(Symbol("contextlib", "nullcontext"), (EMPTY,))]


def test_what_is_asked_for_methods_of_texts_only_is_a_text():
    lacking = "'int' object has no attribute 'strip'"
    run = ended("AttributeError", lacking, Sequence((Call("function", "m:f", (Const(1),)),)))
    assert stand_in(run, lambda *_: True) == []
    given = Sequence((Call("function", "m:f", (EMPTY,)),))
    message = "'types.SimpleNamespace' object has no attribute 'splitlines'"
    made = grow(ended("AttributeError", message, given))
    assert [one.calls[0].args for one in made] == [(Const("a"),)]
    named = Build(EMPTY.callee, (), (("name", Const("a")),))
    more = grow(ended("AttributeError", message, Sequence((Call("function", "m:f", (named,)),))))
    assert {dict(one.calls[0].args[0].kwargs).keys() >= {"name", "splitlines"} for one in more} == {
        True
    }


def test_answers_that_the_calls_of_a_function_can_go_through_come_first():
    shape = Display("tuple", (Const(0), Const("a")))
    uses = {"run": AttributeUse(is_called=True, is_read=False, asked=frozenset(), answers=(shape,))}
    message = "'types.SimpleNamespace' object has no attribute 'run'"
    made = grow(
        ended("AttributeError", message, Sequence((Call("function", "m:f", (EMPTY,)),))), (), uses
    )
    assert dict(made[0].calls[0].args[0].kwargs)["run"] == returning(shape)
    assert answers_to("m.run", (shape,))[0].args == (Const("m.run"), recording(shape))
    assert answers_to("os.path.exists", (shape,)) == answers_to("os.path.exists")
