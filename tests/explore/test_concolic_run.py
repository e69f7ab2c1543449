"""Requests in, concolic runs out; what is no run says why."""

from __future__ import annotations

import pytest

from unitcraft.core.errors import UnitcraftError
from unitcraft.core.outcomes import Exhausted
from unitcraft.core.sequences import Call, Const, Sequence
from unitcraft.execute.spec import Reply
from unitcraft.explore.agents.concolic_answer import ConcolicAnswer
from unitcraft.explore.concolic.concolic_run import (
    DIVERGED,
    ConcolicRun,
    LostRun,
    RunRequest,
    Skeleton,
    check_worker,
    run_on_workers,
    skeleton_of,
    solve_leaf,
)
from unitcraft.solve.protocol import Query, Sat, Unknown, Unsat
from unitcraft.symbolic.terms.constraint_tree import TreeNode
from unitcraft.symbolic.terms.interning import marshalled

LESS, MORE = (("<", ("v", 0), 3), True), (("<", ("v", 0), 9), True)
SKELETON = Skeleton((b"call",), ("int",))


class Pool:
    """Answers each item with the next reply, and keeps the items."""

    def __init__(self, *replies):
        self.replies, self.items = replies, []

    def map(self, service, items):
        self.items += [(service, *item) for item in items]
        return iter(self.replies)


def answer(**parts):
    base = {
        "outcome": "",
        "as_known": True,
        "events": (LESS,),
        "whole": True,
        "marks": (),
        "last": 0,
    }
    made = ConcolicAnswer(**{**base, **parts})
    return Reply(made._replace(events=tuple(map(marshalled, made.events))).plain())


def ran(reply, request=None):
    (run,) = run_on_workers(Pool(reply), [request or RunRequest(SKELETON, (1,))])
    return run


def test_programs_that_differ_in_inputs_only_have_one_skeleton():
    first, values = skeleton_of(Sequence((Call("function", "m:f", (Const(1), Const("a"))),)))
    second, _ = skeleton_of(Sequence((Call("function", "m:f", (Const(7), Const("b"))),)))
    third, _ = skeleton_of(Sequence((Call("function", "m:f", (Const(7), Const(b"b"))),)))
    assert (first.kinds, values) == (("int", "str"), (1, "a"))
    assert first == second != third


def test_a_run_has_its_inputs_events_and_marks():
    run = ran(answer(outcome="builtins:KeyError", marks=((4, 0), (2, 1), (4, 1))))
    assert run == ConcolicRun(
        SKELETON, (1,), (LESS,), marks=((4, 0), (2, 1), (4, 1)), outcome="builtins:KeyError"
    )
    assert run.sites == (4, 2)


def test_known_events_are_asked_by_their_outcomes_and_part_of_the_run():
    pool = Pool(answer(events=(MORE,)))
    request = RunRequest(SKELETON, (1,), (LESS,), b"\0")
    (run,) = run_on_workers(pool, [request], "reach")
    assert pool.items == [("reach", (b"call",), (1,), b"\0\1")]
    assert run.events == (LESS, MORE)


def test_the_heap_is_read_by_name():
    run = ran(answer(heap=(b"shape", (("v", 0),), b"digest")))
    assert (run.heap.shape, run.heap.slots, run.heap.digest) == (b"shape", (("v", 0),), b"digest")
    assert ran(answer()).heap is None


@pytest.mark.parametrize(
    ("reply", "lost"),
    [
        (answer(as_known=False), LostRun(DIVERGED)),
        (Reply(failure=Exhausted("steps")), LostRun("exhausted: steps")),
        (Reply(error="Traceback"), LostRun("worker-broken", "Traceback")),
    ],
)
def test_what_is_no_run_says_why(reply, lost):
    assert ran(reply) == lost


def test_only_a_broken_worker_is_an_error():
    check_worker(LostRun(DIVERGED), "m:f")
    with pytest.raises(UnitcraftError, match="m:f"):
        check_worker(LostRun("worker-broken", "Traceback"), "m:f")


@pytest.mark.parametrize(
    ("verdict", "values", "status", "reason"),
    [
        (Sat((4,)), (4,), "unexplored", ""),
        (Unsat(), None, "infeasible", ""),
        (Unknown("time"), None, "unknown", "time"),
    ],
)
def test_a_leaf_says_what_the_solver_answered(verdict, values, status, reason):
    class Answering:
        def solve(self, _):
            return verdict

    leaf = TreeNode(None, 0)
    assert solve_leaf(Answering(), leaf, Query((LESS,), ("int",), (1,))) == values
    assert (leaf.status, leaf.reason) == (status, reason)
