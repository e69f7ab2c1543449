"""Paths of one invocation: a function run on plain values, a solver that tries a few values."""

from __future__ import annotations

from itertools import product
from random import Random
from time import perf_counter

import pytest

from unitcraft.explore.concolic import path_exploration as paths_module
from unitcraft.explore.concolic.concolic_run import ConcolicRun, LostRun, Skeleton
from unitcraft.explore.concolic.path_exploration import (
    MAX_BRANCHES,
    MAX_WORK,
    NODE_COST,
    PathCounts,
    PathExploration,
)
from unitcraft.solve.protocol import Sat, Unknown, Unsat
from unitcraft.symbolic.terms.term import are_satisfied, evaluate, variable

X, Y = variable(0), variable(1)


class Trying:
    """A complete solver over small domains; ``refuse`` maps the last term to a reason."""

    def __init__(self, refuse=None, values=range(-4, 12)):
        self.refuse = refuse or {}
        self.values = values
        self.asked = []

    def solve(self, query):
        self.asked.append(query.constraints)
        assert are_satisfied(query.constraints[:-1], query.hint)
        reason = self.refuse.get(query.constraints[-1][0])
        if reason is not None:
            return Unknown(reason)
        for values in product(self.values, repeat=len(query.kinds)):
            if are_satisfied(query.constraints, values):
                return Sat(values)
        return Unsat()


def tree_of(*terms):
    """A run that asks ``terms`` in order; a nested (term, yes, no) goes on with yes or no."""

    def run(values):
        events, rest = [], list(terms)
        while rest:
            term = rest.pop(0)
            branches = ()
            if isinstance(term[0], tuple):
                term, *branches = term
            outcome = bool(evaluate(term, values))
            events.append((term, outcome))
            if branches:
                rest = list(branches[0] if outcome else branches[1])
        return tuple(events)

    return run


def opened(solver, kinds, start, *more, **options):
    return PathExploration(solver, Skeleton((), kinds), start, *more, **options)


def met(run, values, *, whole=True):
    return ConcolicRun(Skeleton((), ()), values, run(values), whole)


def walk(paths, run, *, whole=True):
    """Run everything that ``paths`` asks for; answers the rounds as lists of inputs."""
    rounds = []
    while taken := paths.take():
        rounds.append([request.values for request in taken])
        for request in taken:
            paths.give(request, met(run, request.values, whole=whole))
    return rounds


def explored(run, solver=None, kinds=("int",), **options):
    paths = opened(solver or Trying(), kinds, (0,) * len(kinds), **options)
    walk(paths, run)
    return paths


CLAMP = tree_of((("<", X, 3), [], [(("<", 8, X), [], [])]))
PAIR = tree_of(("<", X, 3), ("<", Y, X), ("==", X, Y))


def test_every_feasible_path_is_met_once_and_the_others_are_proven_infeasible():
    paths = explored(PAIR, kinds=("int", "int"))
    assert len({met.events for met in paths.met}) == len(paths.met) == 6
    counts = paths.counts
    assert (counts.runs, counts.paths, counts.infeasible, counts.unknown) == (6, 6, 2, 0)
    assert all(PAIR(met.values) == met.events for met in paths.met)


def test_a_branch_is_asked_once_and_with_the_values_of_a_run_beside_it():
    solver = Trying()
    explored(PAIR, solver, ("int", "int"))
    assert len(solver.asked) == len(set(solver.asked)) == 7


def test_rounds_begin_with_the_start_and_take_leaves_breadth_first():
    paths = opened(Trying(), ("int",), (5,))
    assert walk(paths, CLAMP) == [[(5,)], [(-4,), (9,)]]


@pytest.mark.parametrize("seed", range(8))
def test_the_order_of_turning_changes_no_count(seed):
    plain = explored(PAIR, kinds=("int", "int"))
    other = explored(PAIR, kinds=("int", "int"), random=Random(seed))
    assert {met.events for met in other.met} == {met.events for met in plain.met}
    assert other.counts == plain.counts


def test_a_prefix_is_kept_and_never_turned():
    paths = opened(Trying(), ("int",), (5,), [(("<", 4, X), True)])
    walk(paths, CLAMP)
    assert sorted(met.values for met in paths.met) == [(5,), (9,)]
    assert paths.counts.infeasible == 1


@pytest.mark.parametrize("reason", ["time", "theory"])
def test_a_branch_that_the_solver_did_not_decide_is_unknown_with_its_reason(reason):
    term = ("<", 8, X)
    paths = explored(CLAMP, Trying({term: reason}))
    assert paths.counts.reasons == {reason: 1}
    assert (paths.counts.unknown, paths.counts.infeasible) == (1, 0)
    (leaf,) = [leaf for leaf in paths.tree.leaves() if leaf.status == "unknown"]
    assert (leaf.condition()[-1], leaf.reason) == ((term, True), reason)


def test_a_wrong_model_is_a_divergence_and_not_a_path():
    class Wrong(Trying):
        def solve(self, query):
            return Sat(query.hint)

    paths = explored(CLAMP, Wrong())
    counts = paths.counts
    assert (counts.paths, counts.diverged) == (1, 1)
    assert counts.reasons == {"diverged": 1}


def test_a_run_that_gave_no_answer_leaves_its_branch_unknown():
    paths = opened(Trying(), ("int",), (0,))
    (request,) = paths.take()
    assert request.leaf is None
    paths.give(request, met(CLAMP, request.values))
    (request,) = paths.take()
    paths.give(request, LostRun("exhausted: steps"))
    assert paths.take() == []
    assert paths.counts.reasons == {"exhausted: steps": 1}
    assert (request.leaf.status, request.leaf.reason) == ("unknown", "exhausted: steps")


def test_the_start_may_be_lost_too():
    paths = opened(Trying(), ("int",), (0,))
    (request,) = paths.take()
    paths.give(request, LostRun("exhausted: crash"))
    assert (paths.take(), paths.met) == ([], [])


def test_the_bound_on_runs_leaves_the_rest_unknown():
    paths = explored(PAIR, kinds=("int", "int"), most=2)
    assert (paths.counts.runs, paths.counts.paths) == (2, 2)
    assert paths.counts.reasons["bound"] == paths.counts.unknown > 0
    assert {leaf.status for leaf in paths.tree.leaves()} == {"terminal", "unknown"}


def test_the_bound_on_work_leaves_the_rest_unknown(monkeypatch):
    monkeypatch.setattr(paths_module, "MAX_WORK", 40)
    paths = explored(PAIR, kinds=("int", "int"))
    assert 0 < paths.counts.runs < 6
    assert paths.counts.reasons["bound"] == paths.counts.unknown > 0


def test_a_pin_with_many_values_is_cut_and_counted():
    def run(values):
        return ((("same", X, values[0]), True),)

    paths = explored(run, Trying(values=range(50)))
    assert paths.counts.paths == 8
    assert paths.counts.reasons == {"bound": 1}


def test_counts_may_be_shared():
    counts = PathCounts()
    for _ in range(2):
        explored(CLAMP, counts=counts)
    assert (counts.runs, counts.paths) == (6, 6)


def test_a_run_that_is_not_whole_is_a_path_of_which_the_end_is_unknown():
    paths = opened(Trying(), ("int",), (0,))
    walk(paths, CLAMP, whole=False)
    assert (paths.counts.paths, paths.counts.cut) == (3, 3)
    assert not any(met.whole for met in paths.met)


def test_forgetting_frees_the_tree_and_keeps_what_was_met():
    paths = explored(PAIR, kinds=("int", "int"))
    paths.forget()
    assert len(paths.met) == 6
    assert len(list(paths.tree.leaves())) == 1


class Stepping:
    """Negates the last of ``0 < x, 1 < x, …`` at once, however many there are."""

    def solve(self, query):
        term, outcome = query.constraints[-1]
        return Sat((term[1] + 1 if outcome else term[1],))


def counting(values):
    """10,000 branches on one input: ``for n in range(10_000): n < x``."""
    return tuple([(("<", n, X), n < values[0]) for n in range(10_000)])


def test_ten_thousand_branches_are_bounded_in_time_and_memory_and_reported_as_cut():
    started = perf_counter()
    paths = opened(Stepping(), ("int",), (20_000,))
    walk(paths, counting)
    seconds = perf_counter() - started
    counts = paths.counts
    assert counts.cut == counts.paths > 100
    assert counts.reasons["bound"] > 0
    assert all(len(met.events) <= MAX_BRANCHES for met in paths.met)
    assert paths.tree.nodes < 2 * MAX_WORK / NODE_COST
    assert seconds < 30
