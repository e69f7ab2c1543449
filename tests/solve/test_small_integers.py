"""Small ascending values for ints that are only compared."""

from __future__ import annotations

import pytest

from unitcraft.solve.readable.small_integers import assign_small_integers
from unitcraft.symbolic.terms.term import holds

X, Y, Z = ("v", 0), ("v", 1), ("v", 2)


@pytest.mark.parametrize(
    ("terms", "values", "expected"),
    [
        ([("<", X, Y)], (-500, 900), {0: 1, 1: 2}),
        ([("<", Y, X)], (900, -500), {0: 2, 1: 1}),
        ([("==", X, Y)], (7000, 7000), {0: 1, 1: 1}),
        ([("!=", X, Y)], (7000, 8000), {0: 1, 1: 2}),
        ([(">", X, 10)], (999, 0), {0: 11}),
        ([("<", X, -3)], (-77, 0), {0: -4}),
        ([("<", X, Y), ("<", Y, 2)], (-9, -8), {0: 0, 1: 1}),
    ],
)
def test_values_are_small_and_keep_the_constraints(terms, values, expected):
    constraints = [(term, True) for term in terms]
    found = assign_small_integers(constraints, ("int", "int"), values)
    assert found == expected
    changed = tuple(found.get(number, value) for number, value in enumerate(values))
    assert all(holds(one, changed) for one in constraints)


def test_an_int_that_other_operations_use_keeps_its_value():
    product = (("==", ("*", X, Y), 42), True)
    assert assign_small_integers([product, (("<", X, Z), True)], ("int",) * 3, (6, 7, 99)) == {2: 7}


def test_other_kinds_are_left_alone():
    assert assign_small_integers([(("<", X, Y), True)], ("float", "float"), (1.0, 2.0)) == {}
