"""Projection against brute force: what is left of the slots is what some inputs put there."""

from __future__ import annotations

from itertools import pairwise, product
from math import inf, nan, nextafter
from random import Random

import pytest

from unitcraft.state.symbolic.difference_constraints import FAR, float_rank, text_distance
from unitcraft.state.symbolic.projection import project_state
from unitcraft.state.symbolic.symbolic_state import SymbolicState
from unitcraft.state.symbolic.theory_split import split_state
from unitcraft.symbolic.terms.term import are_satisfied, evaluate, variable

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
V = [variable(number) for number in range(6)]


def state(slots, condition, kinds, values=(), shape=b""):
    return SymbolicState(shape, tuple(slots), tuple(condition), tuple(kinds), None, tuple(values))


def project(found):
    return project_state(split_state(found))


def contains(zones, texts, heap):
    """Is the vector of places of ``heap`` in one of the zones?  Texts: by distances."""
    nodes = [0, *heap, *texts]
    return any(
        all(within(nodes[i], nodes[j], zone.bounds.bound(i, j)) for i, j in pairs(nodes))
        and all(away(nodes[i], nodes[j]) != c for i, j, c in zone.unequal)
        for zone in zones
    )


def pairs(nodes):
    return [(i, j) for i, j in product(range(len(nodes)), repeat=2) if i != j]


def within(first, second, bound):
    return bound == inf or away(first, second) <= bound


def away(first, second):
    """first - second in the order of their kind."""
    if isinstance(first, (str, bytes)) and isinstance(second, (str, bytes)):
        low, high = sorted((first, second))
        steps = inf if text_distance(low, high) == FAR else text_distance(low, high)
        return steps if high == first else -steps
    return placed(first) - placed(second)


def placed(value):
    return float_rank(value) if isinstance(value, float) else value


def random_constraints(rng, count, inputs, side):
    return [
        ((rng.choice(COMPARISONS), rng.choice(V[:inputs]), side(rng, inputs)), rng.random() < 0.7)
        for _ in range(count)
    ]


def int_side(rng, inputs):
    term = rng.choice(V[:inputs])
    return rng.choice([term, ("+", term, rng.randint(-2, 2)), rng.randint(-2, 2), term])


def feasible_systems(seed, wanted, count, inputs, side, kinds, domain):
    """Random path conditions with all their solutions in ``domain``."""
    rng = Random(seed)
    while wanted:
        condition = random_constraints(rng, rng.randint(1, count), inputs, side)
        solutions = [v for v in product(domain, repeat=inputs) if are_satisfied(condition, v)]
        if solutions:
            wanted -= 1
            yield rng, condition, (kinds,) * inputs, solutions


@pytest.mark.parametrize("seed", range(4))
def test_a_projection_of_ints_is_what_brute_force_leaves(seed):
    domain = range(-7, 8)
    for rng, condition, kinds, solutions in feasible_systems(
        seed, 20, 6, 3, int_side, "int", domain
    ):
        slots = [rng.choice([V[0], ("+", V[0], 1)])] + ([V[1]] if rng.random() < 0.5 else [])
        found = project(state(slots, condition, kinds))
        left = {tuple(evaluate(slot, values) for slot in slots) for values in solutions}
        for heap in product(range(-3, 4), repeat=len(slots)):
            assert contains(found.over, (), heap) == (heap in left), (condition, slots, heap)
            assert contains(found.under, (), heap) == (heap in left), (condition, slots, heap)


TINY = [0.0, 5e-324, 1e-323, -5e-324, inf, nextafter(inf, 0), -inf, nan]


def float_side(rng, inputs):
    return rng.choice([rng.choice(V[:inputs]), rng.choice(TINY), 0])


def neighbours(values, steps):
    found = set()
    for value in values:
        low = high = value
        for _ in range(steps + 1):
            found |= {float_rank(low), float_rank(high)}
            low, high = nextafter(low, -inf), nextafter(high, inf)
    by_place = {float_rank(v): v for v in _around(values, steps)}
    return [by_place[at] for at in sorted(found)]


def _around(values, steps):
    for value in values:
        low = high = value
        for _ in range(steps + 1):
            yield low
            yield high
            low, high = nextafter(low, -inf), nextafter(high, inf)


@pytest.mark.parametrize("seed", range(3))
def test_a_projection_of_floats_is_what_brute_force_leaves(seed):
    domain = neighbours(TINY, 3)
    for _, condition, kinds, solutions in feasible_systems(
        seed, 20, 4, 2, float_side, "float", domain
    ):
        found = project(state([V[0]], condition, kinds))
        left = {float_rank(values[0]) for values in solutions}
        for value in neighbours(TINY, 1):
            expected = float_rank(value) in left
            assert contains(found.over, (), [value]) == expected, (condition, value)
            assert contains(found.under, (), [value]) == expected, (condition, value)


TEXTS = ["", "\0", "a", "a\0", "b"]


def text_side(rng, inputs):
    return rng.choice([rng.choice(V[:inputs]), rng.choice(TEXTS)])


@pytest.mark.parametrize("seed", range(3))
def test_a_projection_of_texts_is_what_brute_force_leaves(seed):
    heaps = [*TEXTS, "\0\0", "aa", "a\0\0", "c"]
    domain = sorted({text + "\0" * more for text in heaps for more in range(5)})
    for _, condition, kinds, solutions in feasible_systems(
        seed, 20, 4, 2, text_side, "str", domain
    ):
        found = project(state([V[0]], condition, kinds))
        left = {values[0] for values in solutions}
        for value in heaps:
            expected = value in left
            assert contains(found.over, found.texts, [value]) == expected, (condition, value)
            assert contains(found.under, found.texts, [value]) == expected, (condition, value)


def test_an_input_that_left_the_heap_says_how_far_apart_the_others_are():
    between = [(("<", V[0], V[2]), True), (("<", V[2], V[1]), True)]
    (zone,) = project(state([V[0], V[1]], between, ["int"] * 3)).over
    assert zone.bounds.bound(1, 2) == -2
    assert zone.bounds.bound(2, 1) == inf


def test_inequalities_with_what_left_the_heap_are_irrelevant():
    different = [(("==", V[0], V[2]), False), (("==", V[1], V[2]), False)]
    plain = project(state([V[0], V[1]], [], ["int"] * 2))
    assert project(state([V[0], V[1]], different, ["int"] * 3)).key == plain.key


def test_a_narrow_gap_is_split_at_inequalities():
    """Some int lies between, and it is another one: so it is one of two, or there are three."""
    condition = [
        (("<", V[0], V[3]), True), (("<", V[3], V[1]), True), (("==", V[2], V[3]), False),
    ]  # fmt: skip
    found = project(state([V[0], V[1], V[2]], condition, ["int"] * 4))
    assert found.over is found.under
    assert contains(found.over, (), (0, 3, 1))
    assert contains(found.over, (), (0, 2, 7))
    assert not contains(found.over, (), (0, 2, 1))


def test_beyond_the_bound_of_parts_a_projection_is_bracketed():
    """Eight inputs have left the range 1..9, each of which differed from all of eight slots."""
    inputs = [variable(number) for number in range(16)]
    left = inputs[8:]
    condition = [(("<", 0, e), True) for e in left] + [(("<", e, 10), True) for e in left]
    condition += [(("==", e, h), False) for e in left for h in inputs[:8]]
    condition += [(("==", e, f), False) for e, f in pairwise(left)]
    found = project(state(inputs[:8], condition, ["int"] * 16))
    assert found.over is not found.under
    assert contains(found.over, (), (1, 1, 1, 1, 2, 2, 2, 2))
    assert not contains(found.under, (), (1, 2, 3, 4, 5, 6, 7, 8))


def test_constants_keep_their_class():
    def key(first):
        slots = [V[0], ("repr", ("+", V[0], first))]
        return project(state(slots, [], ["int"])).key

    assert key(1) != key(1.0)
    assert key(0.0) != key(-0.0)
    assert key(1) == key(1)
