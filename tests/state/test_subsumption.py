"""The symbolic states that exploration counts, in whatever order they come."""

from __future__ import annotations

from random import Random

import pytest

from unitcraft.state.symbolic.implication import ProjectedState, is_subsumed
from unitcraft.state.symbolic.subsumption import Subsumption
from unitcraft.state.symbolic.symbolic_state import SymbolicState
from unitcraft.symbolic.terms.term import variable

V = [variable(number) for number in range(4)]
INTS = ("int",) * 4


def implies(new, old, solver=None):
    """Is every concrete state of ``new`` surely one of ``old``?"""
    return new.shape == old.shape and is_subsumed(
        ProjectedState(new), [ProjectedState(old)], solver
    )


def state(slots, condition=(), shape=b"heap"):
    return SymbolicState(shape, tuple(slots), tuple(condition), INTS, None)


def below(bound, slot=0):
    return state([V[slot]], [(("<", V[slot], bound), True)])


def random_layer(seed, count):
    rng = Random(seed)
    for _ in range(count):
        condition = [
            (
                (rng.choice(["<", "<=", "==", "!="]), *rng.sample([*V[:3], 0, 2], 2)),
                rng.random() < 0.8,
            )
            for _ in range(rng.randint(3, 5))
        ]
        yield state(V[:2], condition, rng.choice([b"one", b"two"]))


@pytest.mark.parametrize("seed", range(6))
def test_the_count_of_a_layer_does_not_depend_on_its_order(seed):
    layer = list(random_layer(seed, 40))
    counts = set()
    for shuffle in range(6):
        Random(shuffle).shuffle(layer)
        seen = Subsumption()
        for each in layer:
            seen.add(each)
        assert seen.rep_ok()
        counts.add((len(seen), sum(map(seen.wants, layer))))
    assert len(counts) == 1
    assert 2 < counts.pop()[0] < 40


@pytest.mark.parametrize("seed", range(3))
def test_what_is_left_stands_for_everything_and_nothing_twice(seed):
    layer = list(random_layer(seed, 50))
    seen = Subsumption()
    for each in layer:
        seen.add(each)
    left = list(seen)
    assert all(any(implies(each, one) for one in left) for each in layer)
    assert not any(implies(a, b) for a in left for b in left if a is not b)


def test_a_weaker_state_replaces_what_is_queued():
    seen, strong, weak = Subsumption(), below(3), below(5)
    assert seen.add(strong)
    assert seen.add(weak)
    assert len(seen) == 1
    assert not seen.wants(strong)
    assert seen.wants(weak)


def test_a_weaker_state_does_not_undo_what_was_explored():
    seen, strong, weak = Subsumption(), below(3), below(5)
    seen.add(strong)
    assert seen.wants(strong)
    assert seen.add(weak)
    assert len(seen) == 2
    assert seen.wants(strong)
    assert list(seen) == [strong, weak]


def test_a_stronger_or_equal_state_is_not_new():
    seen = Subsumption()
    assert seen.add(below(5))
    assert not seen.add(below(3))
    assert not seen.add(below(5, slot=2))
    assert len(seen) == 1


def test_syntactic_comparison_keeps_what_is_implied_and_merges_what_is_equal():
    seen = Subsumption("syntactic")
    assert seen.add(below(5))
    assert seen.add(below(3))
    assert not seen.add(below(5, slot=1))
    irrelevant = state([V[0]], [(("<", V[0], 5), True), (("==", V[0], V[1]), False)])
    implied = state([V[0]], [(("<", V[0], 9), True), (("<", V[0], 5), True)])
    assert not seen.add(irrelevant)
    assert not seen.add(implied)
    assert len(seen) == 2


def test_comparison_of_shapes_ignores_conditions():
    seen = Subsumption("shape")
    assert seen.add(below(3))
    assert not seen.add(below(5))
    assert seen.add(state([V[0]], shape=b"other"))
    assert len(seen) == 2


def test_merged_states_stand_for_what_none_of_them_does():
    above = state([V[0]], [(("<", 3, V[0]), True)])
    for merge, new in ((True, False), (False, True)):
        seen = Subsumption(merge=merge)
        assert seen.add(below(4))
        assert seen.add(above)
        assert seen.add(state([V[0]])) is new


def test_when_merging_a_queued_state_that_others_cover_is_dropped():
    middle = state([V[0]], [(("<", 0, V[0]), True), (("<", V[0], 9), True)])
    above = state([V[0]], [(("<", 3, V[0]), True)])
    seen = Subsumption(merge=True)
    assert [seen.add(each) for each in (middle, below(5), above)] == [True, True, True]
    assert len(seen) == 2
    assert not seen.wants(middle)
    assert seen.rep_ok()
