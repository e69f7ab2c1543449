"""``difference_of`` means what the constraint means, for all ints."""

from __future__ import annotations

import math
import random

import pytest
from randomqueries import COMPARISONS

from unitcraft.solve.differences.linear import ALWAYS, NEVER, difference_of
from unitcraft.symbolic.terms.term import holds


def kept(difference, values):
    x = (*values, 0)
    edges, apart = difference
    return all(x[i] - x[j] <= c for i, j, c in edges) and (
        apart is None or x[apart[0]] - x[apart[1]] != apart[2]
    )


def sum_of(rng, depth):
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([("v", 0), ("v", 1), rng.randint(-6, 6), True])
    name = rng.choice(["+", "-", "*", "neg", "invert", "pos", "int", "<<"])
    if name in ("+", "-"):
        return (name, sum_of(rng, depth - 1), sum_of(rng, depth - 1))
    if name in ("*", "<<"):
        return (name, sum_of(rng, depth - 1), rng.randint(0, 3))
    return (name, sum_of(rng, depth - 1))


def constraint(rng):
    right = rng.choice([
        sum_of(rng, 1), rng.randint(-9, 9), rng.uniform(-5, 5), math.inf, -math.inf, math.nan,
        2.0, None, True,
    ])  # fmt: skip
    sides = [sum_of(rng, 3), right]
    rng.shuffle(sides)
    term = (rng.choice([*COMPARISONS, "same"]), *sides)
    if term[0] in ("<", "<=", ">", ">=") and None in sides:
        term = ("==", *sides)
    wrap = rng.random()
    if wrap < 0.2:
        term = ("==", term, rng.random() < 0.5)
    elif wrap < 0.3:
        term = rng.choice([("truth", term), ("ok", term), sides[0], ("truth", sides[0])])
    return term, rng.random() < 0.5


def test_random_constraints_mean_the_same():
    rng = random.Random(1)
    translated = 0
    for _ in range(3000):
        one = constraint(rng)
        difference = difference_of(one)
        if difference is not None:
            translated += 1
            for _ in range(8):
                values = rng.randint(-12, 12), rng.randint(-12, 12)
                assert kept(difference, values) == holds(one, values), (one, values)
    assert translated > 1000


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (("<", ("v", 0), ("+", ("v", 1), 3)), (((0, 1, 2),), None)),
        (("==", ("*", 3, ("v", 0)), 7), NEVER),
        (("!=", ("*", 3, ("v", 0)), 9), ((), (0, -1, 3))),
        (("<", ("v", 0), 2.5), (((0, -1, 2),), None)),
        (("==", ("v", 0), math.inf), NEVER),
        (("!=", ("v", 0), math.nan), ALWAYS),
        (("same", ("v", 0), True), NEVER),
        (("ok", ("+", ("v", 0), 1)), ALWAYS),
        (("<", ("+", ("v", 0), ("v", 1)), 3), None),
        (("<", ("+", ("v", 0), 1.0), 3), None),
        (("==", ("len", ("v", 0)), 3), None),
    ],
)
def test_form(term, expected):
    assert difference_of((term, True)) == expected
