"""Lowering beside difference logic on slices: the same values, wherever it has an answer."""

from __future__ import annotations

import random

import randomqueries

from unitcraft.solve.differences.difference_logic import DifferenceLogic
from unitcraft.solve.differences.lowering import Lowering
from unitcraft.solve.independence import Independence
from unitcraft.solve.layer import End
from unitcraft.solve.protocol import Query, Sat, Unknown
from unitcraft.solve.statistics import Statistics
from unitcraft.symbolic.terms.term import are_satisfied

X, Y, Z = (("v", number) for number in range(3))


def end():
    return End(Statistics())


def sliced():
    return Independence(DifferenceLogic(end(), Statistics()))


def ask(*constraints, hint=(0, 0, 0), kinds=("int", "int", "int")):
    return Lowering(end(), Statistics()).solve(Query(constraints, kinds, hint))


def test_values_are_those_of_difference_logic_on_the_slice():
    layer, other = Lowering(end(), Statistics()), sliced()
    answered = 0
    for seed in range(800):
        rng = random.Random(seed)
        kinds = ("int",) * rng.choice([2, 3, 4])
        query, points = randomqueries.query(rng, kinds, 1, rng.randint(1, 6), linear=True)
        if not are_satisfied(query.constraints[:-1], query.hint):
            continue
        verdict = layer.solve(query)
        if type(verdict) is Sat:
            answered += 1
            assert points, (seed, query)
            assert verdict == other.solve(query), (seed, query)
    assert answered > 100


def test_only_inputs_that_must_follow_are_lowered():
    less = ((("<", X, Y), True), (("<", Y, Z), True))
    assert ask(*less, (("<", Z, X), True), hint=(1, 2, 3)) == Unknown("theory")
    assert ask(less[0], (("<", Z, Y), True), hint=(1, 2, 3)) == Sat((1, 2, 1))
    assert ask(*less, (("<", Z, 2), True), hint=(1, 2, 3)) == Sat((-1, 0, 1))


def test_what_lowering_does_not_answer_is_passed_on():
    passed = Unknown("theory")
    assert ask((("<", X, ("*", Y, Z)), True)) == passed
    assert ask((("<", X, Y), True), kinds=("int", "int", "float")) == passed
    assert ask((("<", 5, X), True)) == passed  # the constant 0 would have to be lowered
    assert ask((("==", X, 0), False)) == passed  # an excluded difference is split
    assert ask((("<", Y, Z), True), (("<", X, 5), True)) == passed  # no hint for the first
    assert ask() == passed
