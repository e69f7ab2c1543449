"""The Call of an Invocable: special methods are reached through their statement or operator."""

from __future__ import annotations

import pytest

from unitcraft.core.call_text import call_text
from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.explore.calls import call_of, constants_on, other_blocks, passed_to

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
    assert found == other_blocks(enter)
    swallowed, changed, opened = (
        made.run(Sequence((make, one)), "Guard.__enter__") for one in found
    )
    assert swallowed.failed is None
    assert changed.failed.type == "builtins:RuntimeError"
    assert opened.failed is None
    assert other_blocks(found[0]) == []


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
