"""Tests that differ in what a replaced function answers are rows of one table."""

from __future__ import annotations

import pytest

from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import (
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Source,
    Symbol,
)
from unitcraft.emit.arrange.templates import LiteralSlot, fill, literals_of, template_of
from unitcraft.emit.naming.surroundings_words import replaced_words, variable_words
from unitcraft.explore.search.variation.places import reading
from unitcraft.suite.tests import Check, Test

MOCK = Symbol("unittest.mock", "Mock")
STREAM = Symbol("io", "StringIO")


def lines(*texts):
    return Display("list", tuple(map(Const, texts)))


def answering(answer, *, named=False):
    """A test in which ``shop.read`` answers ``answer``; ``named``: the Mock has a name."""
    mock = Build(MOCK, (), (("return_value", answer),))
    calls = [Call("operator", "itself", (mock,))] if named else []
    put = Ref(0) if named else mock
    calls.append(Call("arrange", "setattr", (Const("shop.read"), put)))
    calls.append(Call("function", "shop:load", ()))
    check = Check(Ref(len(calls) - 1), "==", answer)
    return Test("shop:load", Sequence(tuple(calls)), Returned(), (check,))


def test_the_answer_is_a_slot_and_the_name_of_the_function_is_none():
    first, second = answering(Const("a")), answering(Const("b"))
    assert template_of(first) == template_of(second)
    slot = LiteralSlot("call", 0, 1)
    assert literals_of(first) == {slot: Const("a"), LiteralSlot("expected", 0): Const("a")}
    other = fill(first, {slot: Const("b"), LiteralSlot("expected", 0): Const("b")})
    assert other == second


def test_another_function_is_another_template():
    one = answering(Const("a"))
    put = Call("arrange", "setattr", (Const("shop.write"), one.sequence.calls[0].args[1]))
    calls = (put, *one.sequence.calls[1:])
    other = Test(one.invocable, Sequence(calls), one.outcome, one.checks)
    assert template_of(one) != template_of(other)


def test_a_function_and_a_file_with_one_text_are_two_templates():
    one = answering(Const("a"))
    stream = Build(STREAM, (Const("a"),))
    put = Call("arrange", "setattr", (Const("shop.read"), stream))
    other = Test(one.invocable, Sequence((put, *one.sequence.calls[1:])), one.outcome, one.checks)
    assert template_of(one) != template_of(other)


def test_yes_and_no_are_circumstances_and_other_answers_are_not():
    assert variable_words(answering(Const(value=True))) == ["when_read"]
    assert variable_words(answering(Const(value=False), named=True)) == ["when_not_read"]
    assert variable_words(answering(Const("a"), named=True)) == []
    assert replaced_words(answering(Const("a"), named=True)) == ["with_read"]


@pytest.mark.parametrize(
    ("first", "second", "core"),
    [
        (reading(lines("a")), reading(lines("b")), lines("a")),
        (Build(Symbol("builtins", "iter"), (lines("a"),)),
         Build(Symbol("builtins", "iter"), (lines("b"),)), lines("a")),
        (Build(Symbol("io", "BytesIO"), (Const(b"a"),)),
         Build(Symbol("io", "BytesIO"), (Const(b"b"),)), Const(b"a")),
    ],
)  # fmt: skip
def test_what_is_at_its_end_after_one_run_is_made_in_the_test(first, second, core):
    one, other = (
        Test("shop:load", Sequence((Call("function", "shop:load", (arg,)),)), Returned(), ())
        for arg in (first, second)
    )
    assert template_of(one) == template_of(other)
    slot = LiteralSlot("call", 0, 0)
    assert literals_of(one) == {slot: core}
    assert fill(one, literals_of(other)) == other
    (named,) = fill(one, {slot: Source("name")}).sequence.calls[0].args
    text = named.text if isinstance(named, Source) else str(named)
    assert "name" in text
    assert named not in (first, Source("name"))
