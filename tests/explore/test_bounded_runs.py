"""Runs that hit bounds: passes, charges, retired kinds; and modules that do little else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from unitcraft.core.outcomes import Exhausted, Rejected
from unitcraft.core.sequences import Call, Const, Display, Ref, Sequence
from unitcraft.execute.spec import Reply
from unitcraft.explore.agents.answers import RunAnswer
from unitcraft.explore.search.bounded_runs import (
    CHARGES,
    MAX_CHARGE,
    MAX_SAME_KINDS,
    BoundedRuns,
    SparingPool,
    extra_charge,
    kinds_of,
)

BOUNDS = Path(__file__).parents[2] / "benchmarks" / "bounds"
TIME, STEPS = Exhausted("time"), Exhausted("steps")


def call(*args):
    return Sequence((Call("function", "m:f", tuple(map(Const, args))),))


def plan_of(count, name="m:f", first=0):
    return [(name, call(first + number)) for number in range(count)]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (0, "int 0"), (5, "int below 10"), (-5, "int -below 10"), (999, "int below 1000"),
        (10**9, "int large"), (0.5, "float below 10"), (float("nan"), "float nan"),
        (float("-inf"), "float -large"), (True, "True"), (None, "None"), ("", "str 0"),
        ("abc", "str below 10"), (b"x" * 10, "bytes below 1000"),
    ],
)  # fmt: skip
def test_kinds_of_atoms(value, kind):
    assert kinds_of(Call("function", "f", (Const(value),))) == ("f", kind)


def test_kinds_of_other_arguments():
    made = Call(
        "method", "put", (Ref(0), Display("list", (Const(1), Const(2)))), (("n", Const(1)),)
    )
    assert kinds_of(made) == ("put", "object", "list below 10", "int below 10")


def test_objects_of_something_large_are_of_a_kind_of_their_own():
    last = Call("method", "render", (Ref(0),))
    small, large = (
        Sequence((Call("function", "m:Table", (Const(size),)), last)) for size in (3, 10**7)
    )
    assert kinds_of(last, small.calls[:-1]) == ("render", "object")
    assert kinds_of(last, large.calls[:-1]) == ("render", "object of something large")
    bounds = BoundedRuns()
    for at in range(MAX_SAME_KINDS):
        padded = Call("function", "m:Table", (Const(10**7 + at),))
        bounds.note("m:Table.render", Sequence((padded, last)), Exhausted("memory"))
    assert bounds.is_retired("m:Table.render", large)
    assert not bounds.is_retired("m:Table.render", small)


@pytest.mark.parametrize(
    ("size", "kind"),
    [
        (3, "object"), (50, "object of something below 1000"),
        ("x" * 5000, "object of something below 1000000"),
    ],
)  # fmt: skip
def test_objects_are_told_apart_by_the_size_of_what_they_are_made_of(size, kind):
    before = (Call("function", "m:Table", (Const(size), Const(2))), Call("function", "m:f"))
    assert kinds_of(Call("method", "render", (Ref(0),)), before) == ("render", kind)


def run_all(bounds, plan, fails):
    """Run a plan pass by pass; the numbers of each pass."""
    passes, waiting = [], list(range(len(plan)))
    while True:
        chosen, waiting = bounds.take_pass(plan, waiting)
        if not chosen:
            return passes
        passes.append(chosen)
        for number in chosen:
            bounds.note(*plan[number], fails(*plan[number]))


def test_a_plan_without_bounds_runs_whole_in_few_passes():
    bounds = BoundedRuns()
    plan = [*plan_of(24), *plan_of(24, "m:g")]
    passes = run_all(bounds, plan, lambda *_: None)
    assert [len(one) for one in passes] == [2, 4, 8, 16, 18]
    assert sorted(number for one in passes for number in one) == list(range(48))
    assert len(run_all(bounds, plan, lambda *_: None)) == 1
    assert bounds.findings() == []


def test_the_same_kinds_are_tried_three_times():
    bounds = BoundedRuns()
    passes = run_all(bounds, plan_of(9, first=1), lambda *_: STEPS)
    assert sum(map(len, passes)) == MAX_SAME_KINDS
    assert "(int below 10): 3 runs ended by steps" in bounds.findings()[0].message
    assert bounds.is_retired("m:f", call(4))
    assert not bounds.is_retired("m:f", call(0))
    assert not bounds.is_retired("m:g", call(4))


def test_what_a_bound_ended_is_not_run_again():
    bounds = BoundedRuns()
    bounds.note("m:f", call(1), STEPS)
    assert list(bounds.passes([("m:f", call(1))])) == []
    assert list(bounds.passes([("m:f", call(2))])) == [[0]]


def test_what_follows_a_call_that_drags_on_is_not_run_for_anything():
    """A tracer that traces itself makes each method slow that is called on it afterwards."""

    def after(traced, method):
        make = Call("function", "m:Tracer")
        trace = Call("operator", "call", (Ref(0), Const(traced)))
        return Sequence((make, trace, Call("method", method, (Ref(0),))))

    bounds = BoundedRuns()
    for method in ("a", "b", "c"):
        assert not bounds.is_retired(f"m:Tracer.{method}", after(1, method))
        bounds.note(f"m:Tracer.{method}", after(1, method), STEPS)
        bounds.note(f"m:Tracer.{method}", after(2, method), None)
    assert bounds.is_retired("m:Tracer.d", after(1, "d"))
    assert not bounds.is_retired("m:Tracer.d", after(2, "d"))
    assert list(bounds.passes([("m:Tracer.d", after(1, "d"))])) == []
    for number in range(3):
        bounds.note("m:Tracer.e", after(1, f"e{number}"), None)
    assert not bounds.is_retired("m:Tracer.d", after(1, "d"))


class PoolStub:
    """Answers for a pool: even numbers are out of time."""

    def __init__(self):
        self.asked = []

    def map(self, service, items):
        self.asked.append((service, items))
        for ((_, _, ((_, value),), *_),) in items:
            yield Reply(failure=TIME) if value % 2 == 0 else Reply(("value", value))


def test_what_follows_the_search_runs_no_retired_kinds():
    bounds, pool = BoundedRuns(), PoolStub()
    for value in (2, 4, 6):
        bounds.note("m:f", call(value), TIME)
    plan = [("m:f", call(value)) for value in (1, 8, 20, 21)] + [("m:g", call(3))]
    replies = SparingPool(pool, bounds).run(plan)
    assert replies == [Reply()] * 4 + [Reply(("value", 3))]
    assert len(pool.asked) == 1


def test_what_follows_the_search_runs_all_where_nothing_hit_a_bound():
    bounds, pool = BoundedRuns(), PoolStub()
    plan = [("m:f", call(value)) for value in range(1, 20, 2)]
    replies = SparingPool(pool, bounds).run(plan)
    assert [reply.value[1] for reply in replies] == list(range(1, 20, 2))
    assert bounds.findings() == []


class LeadsStub:
    """Answers which Calls raise: of leads with a negative number the first, of 0 none in time."""

    def __init__(self):
        self.asked = []

    def map(self, service, items):
        assert service == "failing"
        for calls, _needed in items:
            self.asked.append(len(calls))
            value = calls[0][2][0][1]
            raising = (0,) if value < 0 else ()
            yield Reply(failure=TIME) if value == 0 else Reply(raising)


def leading(value, last=Call("function", "m:g")):  # noqa: B008 - Calls are values
    return Sequence((*call(value).calls, last))


def test_the_last_call_is_not_made_to_see_which_before_it_raise():
    pool = LeadsStub()
    plan = [call(0), leading(-1), leading(1)]
    assert SparingPool(pool).failing(plan) == ([(), (0,), ()], 2)
    assert pool.asked == [1, 1]


def test_nothing_follows_calls_whose_arguments_are_retired():
    bounds, pool = BoundedRuns(), LeadsStub()
    for value in (10, 20, 30):
        bounds.note("m:f", call(value), TIME)
    plan = [leading(40), leading(-1), leading(5000)]
    assert SparingPool(pool, bounds).failing(plan)[0] == [None, None, None]
    bounds.note("m:f", call(5000), None)
    assert SparingPool(pool, bounds).failing(plan)[0] == [None, None, ()]


def test_what_leads_into_a_bound_is_charged_and_not_run_again():
    bounds, pool = BoundedRuns(), LeadsStub()
    found, charge = SparingPool(pool, bounds).failing([leading(0)])
    assert (found, charge) == ([None], 1001)
    assert SparingPool(pool, bounds).failing([leading(0)]) == ([None], 0)


def test_other_kinds_go_on_until_the_charge_is_spent():
    bounds = BoundedRuns()
    values = [1, 20, 2000, 10**7, -1, -20, "a", "a" * 10, 0.5, -0.5]
    plan = [("m:f", call(value)) for value in values]
    passes = run_all(bounds, plan, lambda *_: TIME)
    assert sum(map(len, passes)) == MAX_CHARGE // CHARGES["time"]


def test_kinds_that_ended_well_go_on_after_the_charge_is_spent():
    bounds = BoundedRuns()
    bounds.note("m:f", call(1), None)
    for value in (20, 2000, 10**7):
        assert bounds.note("m:f", call(value), TIME) == CHARGES["time"]
    assert bounds.is_spent("m:f")
    assert not bounds.is_retired("m:f", call(2))
    assert bounds.is_retired("m:f", call("a"))


def answer(steps=0, comparisons=()):
    return tuple(RunAnswer(-1, "None", (), (), comparisons, (), steps=steps))


def test_long_questions_and_answers_and_many_steps_are_charged():
    assert extra_charge((), None) == 0
    assert extra_charge((), answer()) == 0
    assert extra_charge((), answer(steps=200_000)) == 400
    assert extra_charge(("x" * 10_000,), answer()) == 5
    assert extra_charge((), answer(comparisons=tuple("x" * 10 for _ in range(1_000)))) == 7


def test_a_refusal_is_no_bound():
    bounds = BoundedRuns()
    assert bounds.note("m:f", call(1), Rejected("open:x")) == 0
    assert bounds.note("m:f", call(1), None) == 0


#: Module -> steps of one run: what forks for ever hits any bound of steps, only later.
SERVED = {"waits": "200000", "prints": "200000", "forks": "20000"}


@pytest.mark.parametrize("name", SERVED)
def test_modules_that_hit_bounds_are_served(tmp_path, name):
    command = [sys.executable, "-m", "unitcraft", "generate", str(BOUNDS / f"{name}.py")]
    done = subprocess.run(
        [*command, "--seed", "1", "-j", "2", "--steps", SERVED[name], "-o", str(tmp_path / "out")],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode in (0, 2), done.stderr
    assert "internal error" not in done.stdout + done.stderr
