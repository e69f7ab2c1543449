"""Zones of a path condition, and the constraints that no zone expresses."""

from __future__ import annotations

from unitcraft.solve.differences.linear import ZERO
from unitcraft.state.symbolic.difference_constraints import Facts
from unitcraft.state.symbolic.elimination import EMPTY_BRACKET, bracket_of, order_of_texts
from unitcraft.state.symbolic.residual_constraints import (
    NO_RESIDUAL,
    demands_of,
    demands_over_slots,
    fill_slots,
    names_of,
    residual_of,
)

X, Y = ("v", 0), ("v", 1)
SLOT = ("slot", 0)


def one_of(*bounds, unequal=()):
    """Facts of which all bounds (i, j, c), meaning i - j <= c, hold."""
    return (Facts(tuple(bounds), tuple(unequal)),)


def test_contradicting_facts_leave_nothing():
    facts = [one_of((0, 1, -1)), one_of((1, 0, -1))]
    assert bracket_of(facts, [0, 1], [0]) == EMPTY_BRACKET


def test_an_eliminated_input_leaves_what_it_implied():
    facts = [one_of((0, 1, 0)), one_of((1, ZERO, 5))]
    bracket = bracket_of(facts, [0, 1], [0])
    assert bracket.over is bracket.under
    assert [zone.bounds.bound(1, 0) for zone in bracket.over] == [5]


def test_alternatives_make_a_union():
    either = (Facts(((0, ZERO, 0),), ()), Facts(((ZERO, 0, -10),), ()))
    bracket = bracket_of([either], [0], [0])
    assert len(bracket.over) == 2
    assert min(zone.bounds.bound(1, 0) for zone in bracket.over) == 0


def test_texts_are_ordered_by_the_distance_of_neighbours():
    facts = order_of_texts(["b", "a", b"a"])
    assert ("a", "b") in [fact[:2] for fact in facts]
    assert all(type(low) is type(high) for low, high, _ in facts)


def test_a_slot_with_an_offset_is_named_less_the_offset():
    assert names_of([(0, 0), (1, 3)]) == {0: ("slot", 0), 1: ("-", ("slot", 1), 3)}


def test_terms_of_slots_and_floats_in_two_slots_are_demands():
    assert list(demands_of([("*", X, X)], [None], ["int"])) == [
        (("same", ("slot", 0), ("*", X, X)), True)
    ]
    both = list(demands_of([X, X], [(0, 0), (0, 0)], ["float"]))
    assert both == [(("same", ("slot", 0), ("slot", 1)), True)]
    assert list(demands_of([X, X], [(0, 0), (0, 0)], ["int"])) == []


def test_equal_demands_of_two_states_have_equal_texts():
    odd = (("==", ("%", X, 2), 1), True)
    other = (("==", ("%", Y, 2), 1), True)
    first = residual_of([X], [(0, 0)], ["int", "int"], [], [odd])
    second = residual_of([Y], [(1, 0)], ["int", "int"], [], [other])
    assert first == second != NO_RESIDUAL
    even = residual_of([X], [(0, 0)], ["int", "int"], [], [(odd[0], False)])
    assert even != first
    assert residual_of([X], [(0, 0)], ["int"], [], []) == NO_RESIDUAL


def test_understood_constraints_tied_by_a_gone_input_are_set_apart():
    tie = (("==", ("*", X, Y), 12), True)
    found = residual_of([X], [(0, 0)], ["int", "int"], [((">", Y, 1), True)], [tie])
    assert found.apart == frozenset({0})


def test_demands_over_slots_name_no_gone_input():
    condition = [((">", X, 3), True)]
    assert demands_over_slots(condition, [X], [(0, 0)]) == [((">", SLOT, 3), True)]
    assert demands_over_slots([((">", Y, 3), True)], [X], [(0, 0)]) is None
    assert fill_slots(("+", SLOT, 1), [("*", X, 2)]) == ("+", ("*", X, 2), 1)
