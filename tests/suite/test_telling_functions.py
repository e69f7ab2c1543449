"""Functions whose answers show what they are given take the place of those that say nothing."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Call, Const, Ref, Sequence, Source, Symbol
from unitcraft.subject.values.callable_values import RAISING
from unitcraft.suite.telling.telling_functions import (
    TELLING,
    shows_nothing,
    with_telling_functions,
)


def calling(*args):
    return Sequence((Call("function", "sample:run", args),))


@pytest.mark.parametrize(
    "arg",
    [
        Source("lambda: 0"), Source("lambda x: x + 1"), Source("lambda x, y: (x, y)"),
        Source("lambda *args: args[0] * 2"), Source("[].append"), Symbol("builtins", "len"),
        Const("lambda x: x"), *TELLING,
    ],
)  # fmt: skip
def test_what_tells_or_has_nothing_to_tell_stays(arg):
    assert with_telling_functions(calling(arg)) == []


@pytest.mark.parametrize(
    "text", ["lambda x: x", "lambda x, y: x", "lambda x: None", "lambda *args: 3", "lambda x: [x]"]
)
def test_what_answers_the_same_or_what_it_is_given_shows_nothing(text):
    assert shows_nothing(Source(text)) is (text != "lambda x: [x]")


def test_str_shows_nothing_of_a_text():
    expected = [calling(one, Const(1), one) for one in TELLING]
    text = Symbol("builtins", "str")
    assert with_telling_functions(calling(text, Const(1), Source("lambda x: x"))) == expected


def test_a_predicate_that_most_values_meet_shows_nothing():
    assert shows_nothing(Symbol("builtins", "bool"))
    assert not shows_nothing(Source("lambda x: x != 1"))


def test_functions_of_stand_ins_stay():
    stand_in = Build(Symbol("types", "SimpleNamespace"), (), (("render", Source("lambda x: x")),))
    assert with_telling_functions(calling(stand_in)) == []


def test_what_raises_shows_enough():
    assert not shows_nothing(RAISING)
    assert with_telling_functions(calling(RAISING)) == []


def test_a_wrapped_function_is_not_given_other_arguments_than_it_takes():
    wrapped = Call("function", "m:timed", (Source("lambda *args: None"),))
    sequence = Sequence((wrapped, Call("operator", "call", (Ref(0), Const(1)))))
    made = [one.calls[0].args[0] for one in with_telling_functions(sequence)]
    assert made == [one for one in TELLING if "x, y" not in one.text]
