"""Children that work through lists: answers in order, and what becomes of those that end early."""

from __future__ import annotations

import os
import signal
import time

from unitcraft.suite.mutation.session.forked_children import Ended, run


def doubling(todo, _before, say):
    for one in todo:
        if one == "die":
            os._exit(3)
        if one == "leave":
            os._exit(0)
        if one == "late":
            os.kill(os.getpid(), signal.SIGPROF)
        if one == "hang":
            time.sleep(60)
        say((one, os.getpid()))
        if one == "retire":
            return


def answers(lists, patience=20.0):
    found = list(run(lists, doubling, lambda _: patience, lambda _slot: None, 2))
    return [(one, answer) for one, answer in found]


def test_each_element_is_answered_once_in_the_order_of_its_list():
    found = answers([["a", "b", "c"], ["d", "e"]])
    assert [one for one, _ in found if one in "abc"] == ["a", "b", "c"]
    assert [one for one, _ in found if one in "de"] == ["d", "e"]
    assert all(answer[0] == one for one, answer in found)
    assert len({answer[1] for _, answer in found}) == 2


def test_another_child_goes_on_when_one_retires():
    (_, first), (_, second), (_, third) = answers([["retire", "b", "c"]])
    assert first[1] != second[1] == third[1]


def test_what_a_child_died_of_is_lost_and_the_rest_is_done():
    for death in ("die", "leave"):
        found = dict(answers([["a", death, "b"]]))
        assert isinstance(found[death], Ended)
        assert not found[death].timed_out
        assert [found["a"][0], found["b"][0]] == ["a", "b"]


def test_the_timer_and_the_deadline_tell_apart():
    ((_, late),) = answers([["late"]])
    ((_, hung),) = answers([["hang"]], patience=0.2)
    assert (late.exceeded_cpu, late.hung) == (True, False)
    assert (hung.exceeded_cpu, hung.hung) == (False, True)


def test_lists_wait_for_a_free_child():
    found = answers([["a"], [], ["b"], ["c"], ["d", "e"]])
    assert sorted(one for one, _ in found) == ["a", "b", "c", "d", "e"]


def test_a_new_child_knows_what_was_answered():
    def told(todo, before, say):
        say([answer for _, answer in before])
        assert todo

    found = run([["a", "b", "c"]], told, lambda _: 20.0, lambda _slot: None, 1)
    assert [answer for _, answer in found] == [[], [[]], [[], [[]]]]
