"""Receivers: each has its turn, those that were always misused are left out, useful ones never."""

from __future__ import annotations

from source_lab import rng

from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.explore.search.values.object_pool import ObjectHistory
from unitcraft.explore.search.values.receiver_choice import MAX_MISUSES, ReceiverChoice


def seeds(count):
    calls = [Call("function", "m:Box", (Const(number),)) for number in range(count)]
    return [ObjectHistory(Sequence((call,)), 0) for call in calls]


def chosen(choice, objects, times=60):
    return {id(choice.choose(objects, 1, rng(number))) for number in range(times)}


def test_every_second_turn_takes_an_object_until_each_was_taken_once():
    choice, objects = ReceiverChoice(), seeds(5)
    taken = [choice.choose(objects, turn, rng()) for turn in range(0, 10, 2)]
    assert sorted(map(id, taken)) == sorted(map(id, objects))


def test_the_first_and_the_last_new_object_have_turns():
    """Objects that were found late, with code that nothing else reached, do not wait for all."""
    choice, objects = ReceiverChoice(), seeds(40)
    late = ObjectHistory(Sequence((Call("function", "m:read", (Const("text"),)),)), 0)
    assert choice.choose(objects, 0, rng()) is objects[0]
    assert choice.choose([*objects, late], 2, rng()) is late
    assert choice.choose([*objects, late], 4, rng()) is objects[1]


def test_what_was_always_misused_is_left_out_while_there_are_others():
    choice, objects = ReceiverChoice(), seeds(3)
    for _ in range(MAX_MISUSES):
        choice.note(objects[0], sensible=False, kept=False)
    assert chosen(choice, objects) == {id(objects[1]), id(objects[2])}
    for one in objects[1:]:
        for _ in range(MAX_MISUSES):
            choice.note(one, sensible=False, kept=False)
    assert len(chosen(choice, objects)) == 3


def test_an_object_of_which_a_call_went_well_is_never_left_out():
    choice, objects = ReceiverChoice(), seeds(2)
    choice.note(objects[0], sensible=False, kept=False)
    choice.note(objects[0], sensible=True, kept=False)
    for _ in range(9):
        choice.note(objects[0], sensible=False, kept=False)
    assert id(objects[0]) in chosen(choice, objects)


def test_objects_that_grew_have_turns_by_what_calls_on_them_brought():
    """Most objects are as they were made: nearly all calls were on those."""
    made, choice = seeds(40), ReceiverChoice()
    grown = ObjectHistory(Sequence((*made[0].sequence.calls, Call("method", "add", (Ref(0),)))), 0)
    objects, random = [*made, grown], rng()

    def share():
        return sum(choice.choose(objects, 1, random) is grown for _ in range(200)) / 200

    assert 0.4 < share() < 0.6
    for _ in range(30):
        choice.note(made[0], sensible=True, kept=False)
    choice.note(grown, sensible=True, kept=True)
    assert share() > 0.9
