"""The queue of ``turn_queue``: each purpose has its turn, whatever waits for the others."""

from __future__ import annotations

from unitcraft.core.sequences import Call, Sequence
from unitcraft.explore.search.turn_queue import MAX_FOR_PURPOSE, TURN_SHARE, TurnQueue


def sequences(prefix, count):
    return [Sequence((Call("function", f"{prefix}{number}"),)) for number in range(count)]


def names(taken):
    return [one.calls[0].name for one in taken]


def test_purposes_take_turns():
    queue = TurnQueue()
    queue.put("often", sequences("a", 3))
    queue.put("late", sequences("b", 1))
    assert names(queue.take(9)) == ["a0", "b0", "a1", "a2"]
    assert not len(queue)


def test_a_purpose_that_is_full_keeps_nothing_from_another():
    queue = TurnQueue()
    queue.put("often", sequences("a", 10 * MAX_FOR_PURPOSE))
    assert queue.is_full("often")
    assert not queue.is_full("late")
    queue.put("late", sequences("b", 1))
    assert len(queue) == MAX_FOR_PURPOSE + 1
    assert "b0" in names(queue.take(2))


def test_turns_come_beside_what_is_put_first():
    queue = TurnQueue()
    queue.put_first(sequences("a", 9))
    queue.put("turn", sequences("b", 9))
    taken = names(queue.take(6))
    assert [name for name in taken if name.startswith("a")] == ["a8", "a7", "a6", "a5"]
    assert taken[TURN_SHARE - 1] == "b0"


def test_the_end_that_waited_longest_takes_turns_with_what_came_last():
    queue = TurnQueue()
    queue.put_first(sequences("often", 4), "line 3")
    queue.put_first(sequences("late", 2), "line 9")
    queue.put_first(sequences("more", 2), "line 3")
    taken = names(queue.take(9))
    assert taken == ["late1", "more1", "more0", "late0", "often3", "often2", "often1", "often0"]
    queue.put_first((), "line 3")
    assert not len(queue)
    assert queue.take(1) == []
