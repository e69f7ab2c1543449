"""The Call of an Invocable: special methods are reached through their statement or operator."""

from __future__ import annotations

import pytest

from unitcraft.core.call_text import call_text
from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.explore.calls import (
    call_of,
    constants_on,
    made_alike,
    other_blocks,
    passed_to,
    with_result_of,
)
from unitcraft.subject.model import Invocable

STREAM = """
    class Stream:
        def __init__(self, words: list[str]) -> None:
            self.words = words
            self.opened = 0

        async def __aenter__(self):
            self.opened += 1
            return self.words

        async def __aexit__(self, kind, error, trace):
            self.opened -= 1

        def __aiter__(self):
            self.left = list(self.words)
            return self

        async def __anext__(self):
            if not self.left:
                raise StopAsyncIteration
            return self.left.pop()
    """


@pytest.mark.parametrize(
    ("method", "text", "behaviour"),
    [
        ("__aenter__", "async with it", "list2"),
        ("__aiter__", "[item async for item in it]", "list2"),
    ],
)
def test_asynchronous_protocols_are_entered_and_iterated(lab, method, text, behaviour):
    made = lab(STREAM)
    member = next(one for one in made.subject.invocables if one.name == method)
    call = call_of(member, (Ref(0),), [], [], drains=False)
    assert call is not None
    assert call_text(call, ["it"]) == text
    (start,) = made.sequence("Stream(['a', 'b'])").calls
    look = Call("get", "opened", (Ref(0),))
    run = made.run(Sequence((start, call)), f"Stream.{method}")
    assert run.failed is None
    assert run.behaviour == behaviour
    assert made.run(Sequence((start, call, look)), "Stream.opened").behaviour == "int0"


GUARD = """
    class Guard:
        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            if kind is KeyError:
                raise RuntimeError("left by a key")
            return kind is ValueError
    """


def test_the_block_of_a_context_manager_raises(lab):
    made = lab(GUARD)
    make = Call("function", "sample:Guard")
    enter = Call("operator", "with", (Ref(0),))
    entered = made.run(Sequence((make, enter)), "Guard.__enter__")
    found = [one.calls[-1] for one in made.proposer("Guard.__enter__").follow_ups(entered)]
    errors = dict(made.subject.block_errors)["Guard.__enter__"]
    assert [(one,) for one in found] == other_blocks(enter, 1, errors)
    assert [one.args[1].callee.qualname for one in found[:-1]] == ["KeyError", "ValueError"]
    assert len(other_blocks(enter, 1)) == 3
    changed, swallowed, opened = (
        made.run(Sequence((make, one)), "Guard.__enter__") for one in found
    )
    assert swallowed.failed is None
    assert changed.failed.type == "builtins:RuntimeError"
    assert opened.failed is None
    assert other_blocks(found[0], 1) == []


SAVEPOINT = """
    from contextlib import contextmanager

    class Discard(Exception):
        pass

    class Ledger:
        def __init__(self):
            self.entries = []

        @contextmanager
        def draft(self):
            kept = list(self.entries)
            try:
                yield self
            except Discard:
                self.entries = kept
                self.entries.append("discarded")

        def add(self, amount):
            self.entries.append(amount)
    """


def test_the_block_of_a_generator_raises_what_it_looks_for_or_has_calls_in_it(lab):
    made = lab(SAVEPOINT)
    make = Call("function", "sample:Ledger")
    enter = Call("method", "draft", (Ref(0),), then="enter")
    entered = made.run(Sequence((make, enter)), "Ledger.draft")
    discarded, other, _, opened = made.proposer("Ledger.draft").follow_ups(entered)
    assert made.run(discarded, "Ledger.draft").failed is None
    assert made.run(other, "Ledger.draft").failed.type == "builtins:ValueError"
    assert made.goals().sensible(made.run(other, "Ledger.draft"))
    inside = Sequence((*opened.calls, Call("method", "add", (Ref(0), Const(3)))))
    assert made.run(inside, "Ledger.add").failed is None
    given = Call("function", "sample:make", then="await enter")
    assert [len(one) for one in other_blocks(given, 0)] == [2]


def test_what_was_stored_in_an_object_is_known_by_place():
    box, other = Ref(0), Ref(1)
    calls = [
        Call("function", "m:Box", (Const(7),)),
        Call("operator", "[]=", (box, Const("key"), Const(1))),
        Call("method", "put", (other, Const("no"))),
        Call("method", "put", (box, Const("word"), other)),
    ]
    assert constants_on(box, calls) == {0: [Const("key"), Const("word")], 1: [Const(1)]}


def test_operators_are_given_no_optional_argument(lab):
    text = "class Box:\n    def __getitem__(self, key, how=None): return key\n"
    text += "    def __call__(self, key, how=None): return key\n"
    text += "    def __round__(self, digits=None): return 1\n"
    found = {one.name: passed_to(one) for one in lab(text).subject.invocables}
    names = {name: [one.name for one in given] for name, given in found.items()}
    assert names["__getitem__"] == ["key"]
    assert names["__call__"] == ["key", "how"]
    assert names["__round__"] == ["digits"]


@pytest.mark.parametrize(
    ("beside_length", "text"), [(False, "list(it)"), (True, "[item for item in it]")]
)
def test_a_loop_stands_where_the_length_acts(beside_length, text):
    iterate = Invocable("m:Cache.__iter__", "method", "__iter__", beside_length=beside_length)
    call = call_of(iterate, (Ref(0),), [], [], drains=False)
    assert call is not None
    assert call_text(call, ["it"]) == text


def test_two_objects_made_alike_are_one():
    """Two plots of two gardens become two of one; the plots stay two, of which one is given one."""
    garden = Call("function", "m:Garden", (Const(1),))
    plots = (Call("function", "m:Plot", (Ref(0),)), Call("function", "m:Plot", (Ref(2),)))
    asked = Call("method", "is_beside", (Ref(1), Ref(3)))
    sequence = Sequence((garden, plots[0], garden, plots[1], asked))
    assert made_alike(sequence) == [(0, 2)]
    assert with_result_of(sequence, 0, 2) == Sequence(
        (garden, plots[0], plots[0], Call("method", "is_beside", (Ref(1), Ref(2))))
    )
