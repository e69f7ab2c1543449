"""Difference logic against enumeration: verdicts, cores, hints that do not keep the prefix."""

from __future__ import annotations

import random
from itertools import product

import randomqueries
from randomqueries import INTS

from unitcraft.solve.differences.difference_logic import DifferenceLogic
from unitcraft.solve.layer import End
from unitcraft.solve.protocol import Query, Sat, Unknown, Unsat
from unitcraft.solve.statistics import Statistics
from unitcraft.solve.validate import valid
from unitcraft.symbolic.terms.term import are_satisfied

X, Y, Z, W = (("v", number) for number in range(4))


def solver():
    statistics = Statistics()
    return DifferenceLogic(End(statistics), statistics)


def ask(*constraints, hint=(0, 0, 0, 0)):
    return solver().solve(Query(constraints, ("int",) * len(hint), hint))


def test_agrees_with_enumeration():
    layer = solver()
    for seed in range(300):
        rng = random.Random(seed)
        kinds = ("int",) * rng.choice([2, 3])
        query, points = randomqueries.query(rng, kinds, 1, rng.randint(1, 6), linear=True)
        verdict = layer.solve(query)
        assert type(verdict) is (Sat if points else Unsat), (seed, query)
        if points:
            assert valid(query, verdict.values), (seed, query)
        else:
            core = [query.constraints[number] for number in verdict.core]
            assert not any(are_satisfied(core, point) for point in product(INTS, repeat=len(kinds)))


def test_core_leaves_out_what_does_not_clash():
    verdict = ask(
        (("<", X, Y), True), (("<", W, 7), True), (("<", Y, Z), True), (("<", Z, X), True),
        hint=(1, 2, 3, 0),
    )  # fmt: skip
    assert verdict == Unsat((0, 2, 3))


def test_pigeons_do_not_fit():
    small = [((">=", one, 0), True) for one in (X, Y, Z)]
    small += [(("<", one, 2), True) for one in (X, Y, Z)]
    unlike = [(("==", X, Y), False), (("==", Y, Z), False), (("==", X, Z), False)]
    assert type(ask(*small, *unlike, hint=(0, 1, 0, 0))) is Unsat


def test_hint_that_keeps_nothing_is_survived():
    chained = [(("<", X, Y), True), (("<", Y, Z), True), (("==", Z, 4), True), (("<", W, X), True)]
    verdict = ask(*chained, hint=(9, 9, 9, 9))
    assert type(verdict) is Sat
    assert are_satisfied(chained, verdict.values)
    clash = ask(*chained, (("<", Z, W), True), hint=(9, 9, 9, 9))
    assert type(clash) is Unsat
    assert type(ask(((("<", X, X)), True), (("<", Y, 1), True))) is Unsat


def test_more_splits_than_allowed_are_not_answered():
    ints = [("v", number) for number in range(12)]
    small = [one for v in ints for one in (((">=", v, 0), True), (("<", v, 11), True))]
    unlike = [(("==", a, b), False) for a, b in product(ints, ints) if a < b]
    query = Query((*small, *unlike), ("int",) * 12, (*range(11), 0))
    assert solver().solve(query) == Unknown("theory")


def test_values_of_others_stay():
    verdict = ask((("<", X, Y), True), (("<", Z, Y), False), hint=(1, 2, 0, 77))
    assert verdict.values[3] == 77


def test_beyond_the_floats():
    huge = 10**400
    assert type(ask((("<", X, huge), True), ((">", X, huge - 2), True), hint=(0,))) is Sat
    assert type(ask((("<", X, huge), True), ((">", X, huge - 1), True), hint=(0,))) is Unsat


def test_equal_constants_of_other_classes_are_not_confused():
    layer = solver()
    for one, expected in ((1, Sat), (1.0, Unknown), (True, Sat)):
        query = Query(((("<", ("+", X, one), 5), True),), ("int",), (9,))
        assert type(layer.solve(query)) is expected


def test_floats_are_not_ints():
    query = Query(((("<", X, 3), True),), ("float",), (7.5,))
    assert solver().solve(query) == Unknown("theory")
