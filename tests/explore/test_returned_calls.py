"""Calls of functions that functions return: with arguments that they take, and again."""

from __future__ import annotations

import dataclasses

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
from unitcraft.explore.calls import CALLED
from unitcraft.explore.search.sequence_generator import MAX_FOLLOWED
from unitcraft.explore.search.values.returned_calls import FOLLOW_UPS, MAX_AGAIN, shape_of_arguments

COUNTED = """
def counted(function):
    def inner(value):
        return function(value)
    return inner
"""


def calls_of(*arguments):
    made = Call("function", "sample:counted", (Source("lambda x: x"),))
    return Sequence((made, *[Call(*CALLED, (Ref(0), Const(one))) for one in arguments]))


def test_a_wrapper_is_called_with_what_the_code_says(lab):
    one = lab("""
        def by_key(name):
            def key(row: dict):
                return row[name]
            return key
        """)
    made = one.proposer("by_key", judges=True).follow_ups(one.run("by_key('a')"))
    assert len(made) == FOLLOW_UPS
    given = [sequence.calls[-1].args for sequence in made]
    assert {(args[0], type(args[1]), args[1].kind) for args in given} == {(Ref(0), Display, "dict")}


def test_a_returned_function_is_called_again_and_not_for_ever(lab):
    one = lab(COUNTED)
    proposer = one.proposer("counted", judges=True)
    run = one.run(calls_of(1), "counted")
    repeated, other = proposer.follow_ups(run)
    assert repeated.calls == (*run.sequence.calls, run.sequence.calls[-1])
    assert (other.calls[-1].name, other.calls[-1].args[0]) == ("call", Ref(0))
    assert proposer.follow_ups(one.run(calls_of(*range(MAX_AGAIN)), "counted")) == []


def test_a_function_of_which_nothing_is_known_is_not_called_again(lab):
    one = lab(COUNTED)
    assert one.proposer("counted").follow_ups(one.run(calls_of(1), "counted")) == []


def test_after_a_call_of_a_wrapper_its_functions_are_asked_whatever_was_passed(lab):
    one = lab("""
        def counted(function):
            calls = 0
            def inner(*args):
                nonlocal calls
                calls += 1
                return function(*args)
            def count():
                return calls
            inner.count = count
            return inner
        """)
    proposer = one.proposer("counted", judges=True)
    proposer.follow_ups(one.run("counted(lambda x: x)"))
    made = Call("function", "sample:counted", (Source("lambda x: [x]"),))
    called = Sequence((made, Call(*CALLED, (Ref(0), Const(1)))))
    found = [sequence.calls[-1] for sequence in proposer.follow_ups(one.run(called, "counted"))]
    assert Call("method", "count", (Ref(0),)) in found


def test_functions_of_each_path_are_followed(lab):
    one = lab("""
        def adder(n):
            if n == 1000:
                return lambda x: x
            return lambda x: x + n
        """)
    proposer = one.proposer("adder", judges=True)
    runs = [one.run(f"adder({number})") for number in (*range(MAX_FOLLOWED + 1), 1000)]
    followed = [bool(proposer.follow_ups(run)) for run in runs]
    assert followed == [*[True] * MAX_FOLLOWED, False, True]


def test_a_future_that_was_returned_is_awaited(lab):
    one = lab("def begin(): return 1")
    run = dataclasses.replace(one.run("begin()"), behaviour="_asyncio:Task")
    (awaited,) = one.proposer("begin").follow_ups(run)
    assert awaited.calls == (
        *run.sequence.calls, Call("operator", "itself", (Ref(0),), then="await")
    )  # fmt: skip


def test_an_attribute_that_takes_an_object_is_given_that_of_the_call_before(lab):
    one = lab("""
        def remembered(cache):
            def inner(self):
                return cache(self)
            def clear(self):
                return cache(self).clear()
            inner.clear = clear
            return inner
        """)
    proposer = one.proposer("remembered", judges=True)
    made = Sequence((Call("function", "sample:remembered", (Source("lambda x: {x: 1}"),)),))
    first = proposer.follow_ups(one.run(made, "remembered"))
    assert (first[0].calls[-1].name, len(first[0].calls[-1].args)) == ("clear", 2)
    called = Sequence((*made.calls, Call(*CALLED, (Ref(0), Const("abc")))))
    again = proposer.follow_ups(one.run(called, "remembered"))
    assert Call("method", "clear", (Ref(0), Const("abc"))) in [each.calls[-1] for each in again]


def test_what_is_made_of_other_kinds_of_arguments_is_followed_however_many_were(lab):
    one = lab("""
        def adder(amount, is_loud=False):
            def add(number):
                return number
            return add
        """)
    proposer = one.proposer("adder", judges=True)
    for number in range(MAX_FOLLOWED):
        assert proposer.follow_ups(one.run(f"adder({number})"))
    assert not proposer.follow_ups(one.run("adder(-1)"))
    assert proposer.follow_ups(one.run("adder(1, is_loud=True)"))
    assert proposer.follow_ups(one.run("adder([])"))
    assert not proposer.follow_ups(one.run("adder([1])"))


def test_arguments_are_of_kinds():
    call = Call(
        "function", "m:f",
        (Const(1), Const(value=True), Display("list", ()), Source("lambda x: x"), Ref(0)),
        (("lock", Build(Symbol("threading", "Lock"))), ("key", Const(None))),
    )  # fmt: skip
    assert shape_of_arguments(call) == (
        "=int", "=True", "=list", "=x", "=Ref", "lock=Lock", "key=None",
    )  # fmt: skip
