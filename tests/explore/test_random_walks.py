"""Random walks: long histories of one object, well formed and repeatable."""

from __future__ import annotations

import pytest
from source_lab import rng

from unitcraft.core.sequences import Const, Ref
from unitcraft.explore.search.random_walks import MAX_STEPS, MIN_STEPS, walks

STACK = """
class Stack:
    def __init__(self):
        self.items = []

    def push(self, item: int):
        self.items.append(item)

    def pop(self) -> int:
        return self.items.pop()

    def top(self):
        return self.items[-1]

    def needs(self, *, name: str):
        return name
"""


@pytest.fixture
def stack(lab):
    return lab(STACK)


def walked(stack, changing, others, *texts, count=40):
    objects = stack.filled(*texts)
    moving = [stack.proposer(f"Stack.{name}", objects) for name in changing]
    still = [stack.proposer(f"Stack.{name}", objects) for name in others]
    return walks("sample:Stack", moving, still, objects, rng("walks"), count)


def test_walks_are_well_formed_histories_of_one_object(stack):
    made = walked(stack, ["push", "pop"], ["top"], "Stack()")
    assert len(made) == 40
    for name, sequence in made:
        assert sequence.rep_ok()
        assert sequence.calls[0].name == "sample:Stack"
        assert all(call.args[0] == Ref(0) for call in sequence.calls[1:])
        assert MIN_STEPS + 2 <= len(sequence) <= MAX_STEPS + 2
        assert name == f"sample:Stack.{sequence.calls[-1].name}"
    assert {name for name, _ in made} == {f"sample:Stack.{n}" for n in ("push", "pop", "top")}
    assert {call.name for _, one in made for call in one.calls[1:-1]} == {"push", "pop"}


def test_values_meet_again(stack):
    pushed = [
        [call.args[1] for call in sequence.calls if call.name == "push"]
        for _, sequence in walked(stack, ["push"], [], "Stack()")
    ]
    assert sum(len(set(values)) < len(values) for values in pushed) > 20
    assert {type(value) for values in pushed for value in values} == {Const}


def test_walks_run_deep(stack):
    depths = [
        len(self_of(stack, sequence).items)
        for _, sequence in walked(stack, ["push"], [], "Stack()")
    ]
    assert max(depths) >= 10


def self_of(stack, sequence):
    from unitcraft.core.encoding import encode_sequence  # noqa: PLC0415
    from unitcraft.explore.agents.run_traced import run_calls  # noqa: PLC0415

    results = []
    assert run_calls(encode_sequence(sequence), results) is None
    return results[0]


@pytest.mark.parametrize(("changing", "texts"), [([], ["Stack()"]), (["push"], []), ([], [])])
def test_without_a_start_or_a_change_there_is_no_walk(stack, changing, texts):
    assert walked(stack, changing, ["top"], *texts) == []


def test_a_method_that_cannot_be_called_positionally_is_never_the_end(stack):
    made = walked(stack, ["push"], ["needs"], "Stack()")
    assert {name for name, _ in made} == {"sample:Stack.push"}


def test_the_same_chance_walks_the_same_way(stack):
    assert walked(stack, ["push", "pop"], ["top"], "Stack()") == walked(
        stack, ["push", "pop"], ["top"], "Stack()"
    )
