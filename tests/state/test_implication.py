"""Implication of symbolic states: never wrong, and complete where only differences speak."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from unitcraft.solve.protocol import Sat, Unknown, Unsat
from unitcraft.state.symbolic.implication import ProjectedState, is_subsumed
from unitcraft.state.symbolic.quick_checks import extends, meets
from unitcraft.state.symbolic.symbolic_state import SymbolicState
from unitcraft.state.symbolic.zones import is_covered
from unitcraft.symbolic.terms.term import are_satisfied, evaluate, variable

V = [variable(number) for number in range(5)]
INTS = ("int",) * 5
ORDER = ("<", "<=", ">", ">=", "==")


def implies(new, old, solver=None):
    """Is every concrete state of ``new`` surely one of ``old``?"""
    return new.shape == old.shape and is_subsumed(
        ProjectedState(new), [ProjectedState(old)], solver
    )


def state(slots, condition=(), kinds=INTS, values=()):
    return SymbolicState(b"heap", tuple(slots), tuple(condition), tuple(kinds), None, values)


def less(first, second):
    return ("<", first, second), True


def heaps(found, domain, inputs):
    return {
        tuple(evaluate(slot, values) for slot in found.slots)
        for values in product(domain, repeat=inputs)
        if are_satisfied(found.condition, values)
    }


def side(rng, inputs):
    term = rng.choice(V[:inputs])
    return rng.choice([term, ("+", term, rng.randint(-1, 1)), rng.randint(-1, 1)])


def random_state(rng, inputs, operations, most, extra=None):
    condition = [
        ((rng.choice(operations), rng.choice(V[:inputs]), side(rng, inputs)), True)
        for _ in range(rng.randint(0, most))
    ]
    if extra is not None and rng.random() < 0.6:
        condition.insert(rng.randint(0, len(condition)), extra(rng, inputs))
    slots = rng.sample(V[:inputs], 2)
    return state(slots, condition)


@pytest.mark.parametrize("seed", range(3))
def test_between_differences_implication_is_inclusion(seed):
    """No inequalities: both answers are exact (bounds are attained near the constants)."""
    rng, answers = Random(seed), []
    small, large = range(-4, 5), range(-7, 8)
    for _ in range(40):
        new, old = (random_state(rng, 3, ORDER, 4) for _ in range(2))
        mine, theirs = heaps(new, large, 3), heaps(old, range(-8, 9), 3)
        expected = {heap for heap in mine if heap[0] in small and heap[1] in small} <= theirs
        answers.append(implies(new, old))
        assert answers[-1] == expected, (new, old)
    assert True in answers
    assert False in answers


@pytest.mark.parametrize("seed", range(3))
def test_with_inequalities_too_implication_is_inclusion(seed):
    rng = Random(seed)
    small = range(-4, 5)
    for _ in range(40):
        new, old = (random_state(rng, 3, (*ORDER, "!=", "!=", "!="), 5) for _ in range(2))
        mine, theirs = heaps(new, range(-7, 8), 3), heaps(old, range(-8, 9), 3)
        expected = {heap for heap in mine if heap[0] in small and heap[1] in small} <= theirs
        assert implies(new, old) == expected, (new, old)


def nonlinear(rng, inputs):
    first, second = rng.choice(V[:inputs]), rng.choice(V[:inputs])
    term = rng.choice([("*", first, second), ("%", first, 3), ("abs", first)])
    return (rng.choice(["<", "==", ">="]), term, rng.choice([0, 1, 2, second])), rng.random() < 0.7


class BruteForce:
    """Answers from a grid; what it calls Unsat is so on the grid only."""

    def __init__(self, domain):
        self.domain, self.asked = domain, 0

    def solve(self, query):
        self.asked += 1
        for values in product(self.domain, repeat=3):
            if are_satisfied(query.constraints, values):
                return Sat(values)
        return Unsat()


@pytest.mark.parametrize("seed", range(3))
def test_with_opaque_constraints_implication_is_never_wrong(seed):
    rng, proven = Random(seed), 0
    for _ in range(120):
        new, old = (random_state(rng, 3, (*ORDER, "!="), 3, nonlinear) for _ in range(2))
        if rng.random() < 0.5:
            old = state(new.slots, new.condition[rng.randint(0, 1) :])
        theirs = heaps(old, range(-7, 8), 3)
        if theirs and implies(new, old):
            proven += 1
            assert heaps(new, range(-2, 3), 3) <= theirs, (new, old)
    assert proven > 20


def test_a_solver_decides_what_no_theory_understands():
    square = ("==", ("*", V[0], V[0]), 4), True
    new = state([V[0]], [square], INTS[:3], (2, 0, 0))
    old = state([V[0]], [(("<", ("*", V[0], V[0]), 9), True)], INTS[:3])
    assert not implies(new, old)
    assert implies(new, old, BruteForce(range(-9, 10)))


def test_a_witness_spares_the_solver():
    brute = BruteForce(range(-9, 10))
    new = state([V[0]], [less(1, V[0])], INTS[:3], (2, 0, 0))
    old = state([V[0]], [(("==", ("%", V[0], 2), 1), True)], INTS[:3])
    assert not implies(new, old, brute)
    assert brute.asked == 0


def test_a_term_that_may_raise_is_not_implied_by_its_contrary_being_infeasible():
    """10 // x never equals 20; but for x == 0 it has no value at all."""
    old = state([V[0]], [(("==", ("//", 10, V[0]), 20), False)], INTS[:3])
    new = state([V[0]], [], INTS[:3], (5, 0, 0))
    assert not implies(new, old, BruteForce(range(-9, 10)))


def test_the_solver_is_told_what_is_in_every_slot():
    """One input in two slots, or a constant beside it, is a demand as well."""
    even = (("==", ("%", V[0], 2), 0), True)
    brute = BruteForce(range(-9, 10))
    pair = state([V[0], V[1]], [even], INTS[:3], (2, 2, 0))
    equal = (*pair.condition, (("==", ("*", 2, V[0]), ("*", 2, V[1])), True))
    same = state([V[0], V[1]], equal, INTS[:3], (2, 2, 0))
    for slots in ([V[0], V[0]], [("+", V[0], 3), ("+", V[0], 3)]):
        half = state(slots, [(("<", ("*", V[0], V[0]), 400), True)], INTS[:3])
        assert not implies(pair, half, brute)
        assert implies(same, half, brute)
    assert not implies(pair, state([V[0], 2], [even], INTS[:3]), brute)


class Undecided:
    def solve(self, _query):
        return Unknown("time")


def test_what_the_solver_cannot_decide_is_kept():
    new = state([V[0]], [(("==", ("*", V[0], V[0]), 4), True)], INTS[:3], (2, 0, 0))
    old = state([V[0]], [(("<", ("*", V[0], V[0]), 9), True)], INTS[:3])
    assert not implies(new, old, Undecided())


def test_the_states_of_the_slides():
    """S5 (x1 = x2, x2 left the heap) is one of S2 (true), and the other way round."""
    two = state([V[0]])
    five = state([V[0]], [(("==", V[0], V[1]), True)])
    assert implies(five, two)
    assert implies(two, five)
    deleted = state([V[0], V[1]], [less(V[1], V[2]), less(V[2], V[0])])
    ordered = state([V[0], V[1]], [less(V[1], V[0])])
    assert implies(deleted, ordered)
    assert not implies(ordered, deleted)


def test_other_heaps_are_never_subsumed():
    other = SymbolicState(b"other", (V[0],), (), INTS, None)
    assert not implies(state([V[0]]), other)


def test_one_input_in_two_slots_is_more_than_equal_inputs_for_floats_only():
    equal = (("==", V[0], V[1]), True)
    for kind, expected in (("int", True), ("str", True), ("float", False)):
        kinds = (kind,) * 2
        twice, pair = state([V[0], V[0]], (), kinds), state([V[0], V[1]], [equal], kinds)
        assert implies(pair, twice) is expected


def test_nan_is_not_forgotten():
    """Not x < y and not x > y: equal, or one of them is NaN, so x may still be anything."""
    kinds = ("float", "float")
    unordered = [(("<", V[0], V[1]), False), ((">", V[0], V[1]), False)]
    anything, number = state([V[0]], (), kinds), state([V[0]], [less(V[0], V[1])], kinds)
    assert implies(anything, state([V[0]], unordered, kinds))
    assert not implies(anything, number)
    assert not implies(state([V[0]], [(("!=", V[0], V[0]), True)], kinds), number)
    assert implies(state([V[0]], [(("<", V[0], 3.0), True)], kinds), number)


def test_there_is_no_float_between_neighbours():
    kinds = ("float",) * 3
    between = state([V[0], V[1]], [less(V[0], V[2]), less(V[2], V[1])], kinds)
    zero = (("==", V[0], 0.0), True)
    assert not implies(state([V[0], V[1]], [zero, (("==", V[1], 5e-324), True)], kinds), between)
    assert implies(state([V[0], V[1]], [zero, (("==", V[1], 1e-323), True)], kinds), between)


def test_texts_are_compared_with_constants_of_both_states():
    kinds = ("str", "str")
    low = state([V[0]], [less(V[0], "apple")], kinds)
    wide = state([V[0]], [less(V[0], "b")], kinds)
    assert implies(low, wide)
    assert not implies(wide, low)
    assert implies(low, state([V[0]], [(("==", V[0], "pear"), False)], kinds))
    empty = state([V[0]], [less(V[0], "\0")], kinds)
    assert implies(empty, state([V[0]], [(("==", V[0], ""), True)], kinds))


def test_together_two_states_may_stand_for_a_third():
    low, high = state([V[0]], [less(V[0], 5)]), state([V[0]], [less(4, V[0])])
    every = ProjectedState(state([V[0]]))
    known = [ProjectedState(low), ProjectedState(high)]
    assert is_subsumed(every, known, together=True)
    assert not is_subsumed(every, known[:1], together=True)
    assert not is_subsumed(
        every, [known[0], ProjectedState(state([V[0]], [less(5, V[0])]))], together=True
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_union_covers_only_what_is_in_one_of_them(seed):
    rng, small, yes = Random(seed), range(-4, 5), 0
    for _ in range(40):
        new, *old = (random_state(rng, 3, (*ORDER, "!="), 3) for _ in range(4))
        old = [state(new.slots, each.condition) for each in old]
        answer = is_subsumed(
            ProjectedState(new), [ProjectedState(each) for each in old], together=True
        )
        yes += answer
        theirs = set().union(*(heaps(each, range(-8, 9), 3) for each in old))
        mine = {h for h in heaps(new, range(-7, 8), 3) if h[0] in small and h[1] in small}
        assert answer == (mine <= theirs), (new, old)
    assert yes


def extended(rng, found):
    more = random_state(rng, 3, (*ORDER, "!="), 3)
    return state(found.slots, (*found.condition, *more.condition))


@pytest.mark.parametrize("seed", range(3))
def test_a_shortcut_never_says_more_than_the_theory(seed):
    rng, extending, keeping = Random(seed), 0, 0
    for _ in range(400):
        old = random_state(rng, 3, ORDER, 2)
        new = rng.choice([extended(rng, old), random_state(rng, 3, ORDER, 5)])
        mine, theirs = ProjectedState(new), ProjectedState(old)
        kept = theirs.needs is not None and meets(mine.direct, mine.split.places, theirs.needs)
        if kept or extends(new, old):
            cover = theirs.projection.under
            assert all(is_covered(zone, cover) for zone in mine.projection.over), (new, old)
        extending += extends(new, old)
        keeping += kept
    assert extending > 50
    assert keeping > 50


def test_a_longer_condition_on_other_terms_is_no_extension():
    """1 and 1.0 are equal, but not the same thing to find in a heap."""
    first, second = (state([("repr", ("+", V[0], one))], [less(0, V[0])]) for one in (1, 1.0))
    assert not extends(state(second.slots, first.condition), first)
    assert extends(state(first.slots, (*first.condition, less(V[1], 3))), first)


def test_a_group_of_constraints_on_what_left_the_heap_is_compared_as_a_whole():
    """Some e has e * e == x (and e > 1): whatever the inputs are called and listed."""

    def square(x, e, *more):
        return state([V[x]], [(("==", ("*", V[e], V[e]), V[x]), True), *more])

    assert implies(square(0, 1), square(2, 0))
    assert implies(square(0, 1, less(V[0], 50)), square(2, 0))
    assert not implies(square(2, 0), square(0, 1, less(1, V[1])))
    assert not implies(state([V[0]], [less(1, V[0])]), square(0, 1))
    large = [less(1, V[1]), (("==", ("*", V[1], V[1]), V[0]), True)]
    assert implies(square(2, 3, less(1, V[3])), state([V[0]], large))
    assert not implies(square(2, 3, less(0, V[3])), state([V[0]], large))


def test_opaque_constraints_that_cannot_touch_the_heap_are_irrelevant():
    even = (("==", ("%", V[1], 2), 0), True)
    assert implies(state([V[0]]), state([V[0]], [even, less(V[1], V[2])]))
