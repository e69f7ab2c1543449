"""Functions of stand-ins that answer each question in its own way."""

from __future__ import annotations

import ast
import dataclasses

import pytest
from source_lab import rng

from unitcraft.core.sequences import Build, Call, Const, Display, Sequence, Source
from unitcraft.explore.execution import Execution, RunFailure
from unitcraft.explore.search.surroundings.answer_kinds import burden_of_answers
from unitcraft.explore.search.variation.grow_stand_ins import NAMESPACE
from unitcraft.explore.search.variation.kinds.split_answers import (
    SplitAnswers,
    answers_in_shape,
    places_of_answers,
)
from unitcraft.explore.search.variation.places import (
    MOCK,
    Answers,
    answering,
    answers_of,
    places,
    recording,
    returning,
)
from unitcraft.explore.search.variation.variation_kind import Materials
from unitcraft.subject.ducktypes.answer_shapes import AnswerShapes
from unitcraft.subject.reading.answer_uses import answer_uses
from unitcraft.suite.generated.lifted_arguments import recording_function
from unitcraft.suite.shrinking.shrink import simpler_values

SOURCE = """
def facts(module):
    if module.ask("name") == "x":
        return int(module.ask("size"))
    return exists("/a")
"""
SHAPES = AnswerShapes(answer_uses(ast.parse(SOURCE)))
NOTHING = Display("dict", ())


def table(**pairs):
    return Display("dict", tuple([Const(one) for pair in pairs.items() for one in pair]))


def asking(function):
    module = Build(NAMESPACE, (), (("ask", function),))
    return Sequence((Call("function", "m:facts", (module,)),))


def ended(sequence, line):
    failed = RunFailure(0, "builtins:ValueError", "no number", 2, line, "m")
    return Execution("m:facts", sequence, failed, "", (), (), (), ())


def functions(sequences):
    return [dict(one.calls[-1].args[0].kwargs)["ask"] for one in sequences]


def test_answers_by_key_are_a_look_up():
    made = answering(Answers(table(size="1"), Const("a")))
    assert made == Source("lambda key, *args, **kwargs: {'size': '1'}.get(key, 'a')")
    ask = eval(made.text)
    assert (ask("size", timeout=3), ask("name", 1)) == ("1", "a")
    assert answering(Answers(table(size="1"), Const(None))).text.endswith("}.get(key)")


@pytest.mark.parametrize("records", [False, True])
def test_what_a_function_answers_can_be_read_again(records):
    for answers in (
        Answers(table(size="1", name="b"), Display("tuple", (Const(0), Const(""))), records),
        Answers(table(size="1"), Const(None), records),
        Answers(NOTHING, Const(2), records),
    ):
        assert answers_of(answering(answers)) == answers


def test_other_functions_have_no_answers():
    for arg in (Source("lambda x: x + 1"), Const(1), Build(MOCK, (), (("spec", Const(1)),))):
        assert answers_of(arg) is None


def test_answers_that_are_no_literals_are_not_split():
    answers = Answers(NOTHING, Build(NAMESPACE), records=True)
    assert answering(answers.with_answer("size", Const(1))) == recording(Build(NAMESPACE))


def test_an_answer_is_added_or_replaced():
    answers = Answers(table(size="1"), Const("a"))
    assert answers.with_answer("name", Const("b")).by_key == table(size="1", name="b")
    assert answers.with_answer("size", Const("2")).by_key == table(size="2")
    assert (answers.of("size"), answers.of("name")) == (Const("1"), Const("a"))


def test_each_answer_is_a_place_of_its_own():
    sequence = asking(answering(Answers(table(size="1"), Const("a"))))
    found = {repr(arg): put for arg, put in places(sequence)}
    (changed,) = functions([found[repr(Const("1"))](Const("7"))])
    assert answers_of(changed) == Answers(table(size="7"), Const("a"))
    (changed,) = functions([found[repr(Const("a"))](Const("b"))])
    assert answers_of(changed) == Answers(table(size="1"), Const("b"))


@pytest.mark.parametrize(("line", "key"), [(3, "name"), (4, "size")])
def test_only_the_answer_that_a_line_uses_is_varied_for_it(line, key):
    found = places_of_answers(asking(returning(Const("a"))), line, SHAPES)
    (made,) = functions([put(Const("x")) for _, put in found])
    assert answers_of(made) == Answers(table(**{key: "x"}), Const("a"))


def test_a_function_in_the_place_of_another_is_split_too():
    call = Call("arrange", "setattr", (Const("m.exists"), recording(Const(value=False))))
    found = places_of_answers(Sequence((call, *asking(Const(1)).calls)), 5, SHAPES)
    ((_, put),) = found
    function = put(Const(value=True)).calls[0].args[1]
    assert answers_of(function) == Answers(
        Display("dict", (Const("/a"), Const(value=True))), Const(value=False), records=True
    )


def test_an_answer_gets_the_shape_that_the_line_needs_on_which_a_run_ended():
    run = ended(asking(returning(Const("a"))), 4)
    (made,) = functions(answers_in_shape(run, SHAPES))
    assert answers_of(made) == Answers(table(size="1"), Const("a"))
    assert list(answers_in_shape(ended(run.sequence, 9), SHAPES)) == []
    assert list(answers_in_shape(ended(asking(made), 4), SHAPES)) == []


def test_the_kind_varies_one_answer_of_the_code_that_is_wanted():
    materials = Materials(
        "facts", ("x",), (), (), (), lambda _: (), lambda *_: None, answers=SHAPES
    )
    run = ended(asking(returning(Const("a"))), 3)
    chance = rng("split answers")
    made = [SplitAnswers().vary(run, materials, chance) for _ in range(200)]
    found = [answers_of(one) for one in functions([one for one in made if one is not None])]
    assert Answers(table(name="x"), Const("a")) in found
    assert Answers(table(size="1"), Const("a")) in found
    assert all(one.default == Const("a") and len(one.by_key.items) == 2 for one in found)
    on_line = dataclasses.replace(materials, line=4)
    made = [SplitAnswers().vary(run, on_line, chance) for _ in range(200)]
    asked = [
        answers_of(one).by_key.items[0].value
        for one in functions([one for one in made if one is not None])
    ]
    assert asked.count("size") > 2 * asked.count("name") > 0
    nothing = dataclasses.replace(materials, answers=AnswerShapes())
    assert SplitAnswers().vary(run, nothing, chance) is None


def test_answers_that_are_not_needed_are_dropped():
    made = answering(Answers(table(size="1", name="b"), Const("a")))
    found = list(map(answers_of, simpler_values(made)))
    assert Answers(NOTHING, Const("1")) in found
    assert Answers(NOTHING, Const("a")) in found
    assert Answers(table(name="b"), Const("1")) in found


def test_a_function_that_records_its_calls_answers_as_before():
    made = answering(Answers(table(size="1"), Const("a")))
    assert answers_of(recording_function(made)) == Answers(
        table(size="1"), Const("a"), records=True
    )


def test_an_answer_of_another_kind_than_the_name_says_costs_more():
    right, wrong = (
        Call("arrange", "setattr", (Const("m.os.path.exists"), answering(Answers(
            Display("dict", (Const("/a"), Const(answer))), Const(value=False), records=True
        ))))
        for answer in (True, "abc")
    )  # fmt: skip
    assert burden_of_answers(Sequence((right,))) < burden_of_answers(Sequence((wrong,)))
