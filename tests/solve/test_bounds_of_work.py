"""Every computation on a term is bounded by counted visits, however deep the term is."""

from __future__ import annotations

import random
import sys
from itertools import islice

import deepterms
import pytest

from unitcraft.solve.budget import (
    MAX_DEPTH,
    MAX_NODES,
    Budget,
    BudgetSpentError,
    Limits,
    is_small,
    measure,
)
from unitcraft.solve.chain import chain
from unitcraft.solve.inversion.invert import MAX_VISITS, suggest_values
from unitcraft.solve.inversion.repair import Repair
from unitcraft.solve.layer import End
from unitcraft.solve.local_search.alternating_variable import AlternatingVariable
from unitcraft.solve.local_search.branch_distance import branch_distance
from unitcraft.solve.local_search.finite_domains import FiniteDomains
from unitcraft.solve.protocol import Query, Unknown
from unitcraft.solve.readable.readable_values import make_readable
from unitcraft.solve.smt.z3_layer import Z3
from unitcraft.solve.statistics import Statistics
from unitcraft.symbolic.terms import operations
from unitcraft.symbolic.terms.operations import EVALUATED, TooLargeError
from unitcraft.symbolic.terms.term import are_satisfied, variables_of

X = ("v", 0)


def doubled(depth):
    """A term of ``depth`` + 1 distinct parts that is a tree of 2 ** depth leaves."""
    term = X
    for _ in range(depth):
        term = ("+", term, term)
    return term


def remainders(depth):
    """Each operation has six inverses: 6 ** depth ways from the top to the input."""
    term = X
    for _ in range(depth):
        term = ("%", ("+", term, 1), 97)
    return ("==", term, 40)


def queries(count):
    for seed in range(count):
        rng = random.Random(seed)
        term, hint = deepterms.deep(rng, rng.randint(1, 40)), rng.choice(deepterms.HINTS)
        yield seed, Query(((term, rng.random() < 0.5),), deepterms.KINDS, hint)


def test_chain_is_bounded_on_random_deep_terms():
    statistics = Statistics()
    solver = chain(statistics, work=3_000, after=60)
    before = 0
    for seed, query in queries(150):
        verdict = solver.solve(query)
        assert statistics.work - before < 250_000, seed
        before = statistics.work
        if not is_small(query.constraints[0][0]):
            assert verdict == Unknown("bound"), seed
    assert statistics.failures == []
    bounds = {"repair": Repair.max_work, "z3": Z3.max_work, "enumerate": FiniteDomains.max_work}
    for layer, most in statistics.most_work.items():
        assert most <= bounds.get(layer, 300_000), layer


def test_verdicts_do_not_depend_on_earlier_work():
    """The bounds count work for each Query, so that the same Query ends in the same place."""
    several = [query for _, query in queries(12)]
    forwards = [chain(work=3_000, after=60).solve(query) for query in several]
    backwards = [chain(work=3_000, after=60).solve(query) for query in reversed(several)]
    assert forwards == backwards[::-1]


def test_readable_values_of_random_deep_terms():
    for seed, query in queries(150):
        term = query.constraints[0][0]
        values = make_readable(query.constraints, query.kinds, query.hint)
        if is_small(term) and are_satisfied(query.constraints, query.hint):
            assert are_satisfied(query.constraints, values), seed
        else:
            assert values == query.hint, seed


def test_size_of_a_term_with_shared_parts():
    assert measure(doubled(40), {}) == (3 * 2**40 - 1, 41)
    assert measure(("+", X, 1), {}) == (4, 2)
    assert measure(("+", ("len", X), X), {}) == (6, 3)
    assert measure(("tuple", 1, "a"), {}) == (3, 1)
    assert measure(3, {}) == (1, 0)
    assert variables_of(doubled(200)) == (0,)


def test_terms_that_are_exponential_as_trees_are_refused():
    query = Query(((("<", doubled(60), 9), True),), ("int",), (5,))
    statistics = Statistics()
    assert chain(statistics).solve(query) == Unknown("bound")
    assert statistics.lines() == ["limits 0 0 1"]
    assert statistics.work == 1
    assert make_readable(query.constraints, query.kinds, query.hint) == query.hint


def test_limits_of_size():
    assert is_small(doubled(8))
    assert not is_small(("tuple", *range(MAX_NODES)))
    deep = X
    for _ in range(MAX_DEPTH):
        deep = ("neg", deep)
    assert not is_small(deep)


@pytest.mark.parametrize("depth", [3, 10, 45])
def test_inversion_of_a_deep_term_is_a_beam(depth):
    budget = Budget(10**9)
    list(suggest_values((remainders(depth), True), 0, "int", (5,), budget))
    assert budget.spent < 10 * MAX_VISITS


def test_inversion_still_finds_the_way_through_deep_terms():
    query = Query(((remainders(30), True),), ("int",), (5,))
    counts = Statistics()
    verdict = Repair(End(counts), counts).solve(query)
    assert are_satisfied(query.constraints, verdict.values)


def test_inversion_stops_when_the_callers_budget_is_spent():
    with pytest.raises(BudgetSpentError):
        list(suggest_values((remainders(10), True), 0, "int", (5,), Budget(50)))
    few = suggest_values((remainders(10), True), 0, "int", (5,), Budget(10_000))
    assert len(list(islice(few, 3))) == 3


@pytest.mark.parametrize(
    "term",
    [
        ("in", X, ("range", 0, 10**12)), ("in", ("+", X, 1), ("range", 5, 10**12)),
        ("==", ("[]", ("range", 0, 10**12), X), 7), ("==", ("[]", ("range", X, 10**12), 3), 9),
    ],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize("outcome", [True, False])
def test_inversion_does_not_walk_through_a_vast_range(term, outcome):
    assert len(list(suggest_values((term, outcome), 0, "int", (5,), Budget(10_000)))) < 100


def test_layer_asks_the_next_when_its_budget_is_spent():
    query = Query(((("==", ("*", X, X), 1_234_577), True),), ("int",), (5,))
    counts = Statistics()
    layer = AlternatingVariable(End(counts), counts, 10)
    assert layer.solve(query) == Unknown("theory")
    assert counts.work <= layer.max_work


def test_module_has_a_bound_over_all_queries():
    class Counted:
        asked = 0

        def solve(self, _query):
            self.asked += 1
            counts.spend("inner", 40)
            return Unknown("theory")

    counts, inner = Statistics(), Counted()
    limits = Limits(inner, counts, 100)
    query = Query(((("<", X, 3), True),), ("int",), (5,))
    assert [limits.solve(query).reason for _ in range(4)] == ["theory"] * 3 + ["bound"]
    assert inner.asked == 3


def test_ints_that_cannot_be_printed_are_contained():
    vast = 1 << (4 * sys.get_int_max_str_digits())
    constraints = (((">", X, vast), True), ((("<", ("*", X, X), vast)), True))
    query = Query(constraints, ("int",), (vast + 5,))
    assert isinstance(chain(work=3_000, after=60).solve(query), Unknown)
    easier = make_readable(constraints[:1], ("int",), (vast + 5,))
    assert are_satisfied(constraints[:1], easier)


def test_distance_of_long_texts_looks_at_the_start():
    text = "a" * 100_000
    start = branch_distance((("==", X, text), True), ("b" + text[1:],))
    end = branch_distance((("==", X, text), True), (text[:-1] + "b",))
    assert 0.0 < end <= start
    assert branch_distance((("==", X, text), True), (text,)) == 0.0


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("*", (1 << 15_000, 1 << 15_000)), ("**", (3, 40_000)), ("**", (3, 1 << 9_000, 1 << 9_000)),
        ("<<", (1, 30_000)), ("math.factorial", (5_000,)), ("//", (1 << 90_000, (1 << 45_000) + 1)),
        ("math.prod", ([1 << 9_000] * 9,)), ("sum", (range(10**9),)), ("bytes", (10**9,)),
        ("in", (0.5, range(10**9))), ("math.fsum", (range(10**9),)),
        ("str.join", ("", range(10**9))),
        ("math.prod", (range(10**9),)), ("bytes", (range(10**9),)), ("round", (5, -(10**9))),
        ("str.replace", ("a" * 5_000, "a", "b" * 5_000)), ("str.join", ("b" * 5_000, "a" * 5_000)),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)  # fmt: skip
def test_vast_operations_are_refused_by_evaluation(name, args):
    with pytest.raises(TooLargeError):
        EVALUATED[name](*args)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("*", (3, -4)), ("*", ("ab", 3)), ("**", (2, 9)), ("**", (2.5, -2)), ("**", (7, -1, 11)),
        ("<<", (3, 4)), ("//", (-7, 2)), ("%", ("%d", 3)), ("math.prod", ([2, 3.5],)),
        ("sum", (range(4),)), ("sum", ([1, 2], 5)), ("bytes", (3,)), ("in", (2.0, range(5))),
        ("round", (1234, -2)), ("round", (2.5,)), ("str.replace", ("abc", "b", "dd")),
        ("str.replace", ("abab", "b", "", 1)), ("bytes.join", (b",", [b"a", b"b"])),
        ("math.factorial", (6,)),
    ],
    ids=repr,
)  # fmt: skip
def test_other_operations_are_evaluated_as_they_are(name, args):
    assert EVALUATED[name](*args) == operations.OPERATIONS[name](*args)
