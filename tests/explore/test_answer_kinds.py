"""The name of a function tells what it answers: surely in the library, by its words elsewhere."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Call, Const, Sequence
from unitcraft.explore.intent import STAND_IN_BURDEN
from unitcraft.explore.search.surroundings.answer_calls import answers_to
from unitcraft.explore.search.surroundings.answer_kinds import (
    OTHER_KIND_BURDEN,
    are_as_documented,
    burden_of_answers,
    kind_of_answer,
)
from unitcraft.explore.search.variation.grow_stand_ins import NAMESPACE
from unitcraft.explore.search.variation.places import recording, returning


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("shop.os.path.exists", "bool"),
        ("shop.exists", "bool"),
        ("shop.os.readlink", "str"),
        ("shop.time.sleep", "NoneType"),
        ("shop.sleep", ""),
        ("shop.Cart.is_empty", "bool"),
        ("shop.page_size", "int"),
        ("shop.load", ""),
    ],
)
def test_the_name_tells_the_kind(target, expected):
    assert kind_of_answer(target) == expected


def replacing(target, answer):
    put = Call("arrange", "setattr", (Const(target), recording(answer)))
    return Sequence((put, Call("function", "shop:load")))


def test_the_library_answers_what_it_can_answer():
    assert not are_as_documented(replacing("shop.os.path.exists", Const(None)))
    assert are_as_documented(replacing("shop.os.path.exists", Const(value=True)))
    assert are_as_documented(replacing("shop.is_empty", Const(None)))


def test_an_answer_of_another_kind_costs_more():
    for target, answer, times in (
        ("shop.is_empty", Const(1), 1),
        ("shop.is_empty", Const(value=True), 0),
        ("shop.load", Const(1), 0),
    ):
        burden = burden_of_answers(replacing(target, answer))
        assert burden == STAND_IN_BURDEN + times * OTHER_KIND_BURDEN


def test_so_do_the_functions_of_a_stand_in():
    def calling(answer):
        stand_in = Build(NAMESPACE, (), (("is_open", returning(answer)), ("size", Const("a"))))
        return burden_of_answers(Sequence((Call("function", "shop:load", (stand_in,)),)))

    assert calling(Const("a")) - calling(Const(value=False)) == OTHER_KIND_BURDEN
    assert burden_of_answers(Sequence((Call("function", "shop:load"),))) == 0


def test_the_first_answers_are_of_the_kind():
    answers = [call.args[1] for call in answers_to("shop.time.sleep")]
    assert answers == [recording(Const(None))]
