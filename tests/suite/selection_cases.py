"""Executions and Goals made up for the tests of selection and shrinking."""

from __future__ import annotations

from unitcraft.core.goals import Family
from unitcraft.core.sequences import Call, Const, Sequence
from unitcraft.explore.execution import Execution, cost
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.instrument.sites import BranchSite
from unitcraft.subject.model import Invocable, Subject

SITES = 12


def run_of(number: int, size: int, hits: tuple[int, ...]) -> Execution:
    """A run of ``m:f`` with an argument of ``size`` letters."""
    call = Call("function", "m:f", (Const(number), Const("x" * size)))
    return Execution("m:f", Sequence((call,)), None, "int1", hits, (), (), ())


def goal_map(rows: list[tuple[int, tuple[int, ...]]]) -> GoalMap:
    """The Goals that runs of (size, sites) reach, paths left out."""
    sites = [BranchSite("m", "f", 1 + n // 2, "if", ("true", "false")[n % 2]) for n in range(SITES)]
    invocable = Invocable("m:f", "function", "f", module="m", first=1, last=SITES)
    goals = GoalMap(Subject("m", "m.py", (), (invocable,)), sites, [])
    for number, (size, hits) in enumerate(rows):
        run = run_of(number, size, hits)
        goals.offer(run, cost(run.sequence))
    goals.keep_only(set(Family) - {Family.PATH})
    return goals
