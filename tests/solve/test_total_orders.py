"""Total orders: what comparisons refute, and that they refute nothing that values satisfy."""

from __future__ import annotations

import math
from random import Random

import pytest

from unitcraft.solve.chain import chain
from unitcraft.solve.layer import End
from unitcraft.solve.protocol import Query, Unknown, Unsat
from unitcraft.solve.statistics import Statistics
from unitcraft.solve.total_orders import TotalOrders
from unitcraft.symbolic.terms.term import evaluate

X, Y, Z = (("v", number) for number in range(3))
SUM = ("+", X, Y)
FLOATS = ("float",) * 3


def ask(*constraints, kinds=FLOATS):
    statistics = Statistics()
    solver = TotalOrders(End(statistics), statistics)
    verdict = solver.solve(Query(constraints, kinds, (None,) * len(kinds)))
    assert not statistics.failures
    return verdict


@pytest.mark.parametrize(
    "constraints",
    [
        ((("<", X, Y), True), (("<", Y, X), True)),
        ((("<=", X, Y), True), ((">", Y, Z), False), (("<", X, Z), True), (("==", X, Z), True)),
        ((("<", X, 1.0), True), ((">=", X, 2), True)),
        ((("<=", X, Y), True), (("<=", Y, X), True), (("!=", X, Y), True)),
        ((("<=", X, 0), False), ((">", X, -0.0), False), (("<", X, Y), True)),
        ((("<", SUM, Z), True), (("<", SUM, Z), False)),
        ((("==", X, 1), True), (("==", Y, True), True), (("<", X, Y), True)),
        ((("same", SUM, 2.0), True), (("<", SUM, 2), True)),
    ],
)
def test_refuted(constraints):
    assert type(ask(*constraints)) is Unsat
    assert type(chain(strict=True).search(constraints, FLOATS)) is Unsat


def test_texts_are_ordered():
    texts = (("<", X, "b"), True), ((">", X, Y), True), ((">=", Y, "c"), True)
    assert type(ask(*texts, kinds=("str", "str"))) is Unsat


@pytest.mark.parametrize(
    "constraints",
    [
        ((("<", X, Y), False), (("<", Y, X), False), (("==", X, Y), False)),
        ((("<", X, 1), False), ((">=", X, 1), False)),
        ((("<", ("+", X, 1), Y), True), (("<", ("+", X, 1.0), Y), False)),
        ((("<", ("set", X), ("set", Y)), False), (("<=", ("set", Y), ("set", X)), False)),
        ((("same", X, math.nan), True), (("!=", X, X), True)),
    ],
)
def test_left_to_others(constraints):
    assert type(ask(*constraints)) is Unknown


NUMBERS = (
    0,
    1,
    True,
    -1,
    10**17,
    10**17 + 1,
    0.0,
    -0.0,
    1.0,
    0.5,
    1e17,
    math.inf,
    -math.inf,
    math.nan,
)
TEXTS = ("", "a", "b", "ab", "é")


def drawn(rng, values, stock):
    places = [
        place for place, value in enumerate(values) if (type(value) is str) is (stock is TEXTS)
    ]
    if not places or rng.random() < 0.3:
        return rng.choice(stock)
    place = ("v", rng.choice(places))
    return ("+", place, rng.choice(stock)) if rng.random() < 0.2 else place


def test_what_values_satisfy_is_not_refuted():
    rng = Random(6)
    kinds = ("int", "float", "float", "str", "str")
    for _ in range(12_000):
        stocks = [[one for one in NUMBERS if type(one) is kind] for kind in (int, float, float)]
        values = [rng.choice(stock) for stock in (*stocks, TEXTS, TEXTS)]
        constraints = []
        for _ in range(rng.randrange(2, 7)):
            stock = rng.choice((NUMBERS, NUMBERS, TEXTS))
            name = rng.choice(("<", "<=", ">", ">=", "==", "!=", "same"))
            term = (name, drawn(rng, values, stock), drawn(rng, values, stock))
            constraints.append((term, bool(evaluate(term, values))))
        assert type(ask(*constraints, kinds=kinds)) is Unknown, (values, constraints)
