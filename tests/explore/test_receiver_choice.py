"""Receivers: each has its turn, those that were always misused are left out, useful ones never."""

from __future__ import annotations

from source_lab import rng

from unitcraft.core.sequences import Call, Const, Sequence
from unitcraft.explore.search.values.object_pool import ObjectHistory
from unitcraft.explore.search.values.receiver_choice import MAX_MISUSES, ReceiverChoice


def seeds(count):
    calls = [Call("function", "m:Box", (Const(number),)) for number in range(count)]
    return [ObjectHistory(Sequence((call,)), 0) for call in calls]


def chosen(choice, objects, times=60):
    return {id(choice.choose(objects, 1, rng(number))) for number in range(times)}


def test_every_second_turn_takes_the_next_object_until_each_was_taken():
    choice, objects = ReceiverChoice(), seeds(3)
    assert [choice.choose(objects, turn, rng()) for turn in (0, 2, 4)] == objects


def test_what_was_always_misused_is_left_out_while_there_are_others():
    choice, objects = ReceiverChoice(), seeds(3)
    for _ in range(MAX_MISUSES):
        choice.note(objects[0], sensible=False)
    assert chosen(choice, objects) == {id(objects[1]), id(objects[2])}
    for one in objects[1:]:
        for _ in range(MAX_MISUSES):
            choice.note(one, sensible=False)
    assert len(chosen(choice, objects)) == 3


def test_an_object_of_which_a_call_went_well_is_never_left_out():
    choice, objects = ReceiverChoice(), seeds(2)
    choice.note(objects[0], sensible=False)
    choice.note(objects[0], sensible=True)
    for _ in range(9):
        choice.note(objects[0], sensible=False)
    assert id(objects[0]) in chosen(choice, objects)
