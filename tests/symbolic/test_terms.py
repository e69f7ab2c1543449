"""Terms: one object for each constraint, and functions made of terms."""

from __future__ import annotations

import math

import pytest

from unitcraft.symbolic.terms.interning import interned, marshalled, opposite
from unitcraft.symbolic.terms.term import compiled, evaluate

X, Y = ("v", 0), ("v", 1)


def test_the_same_constraint_is_one_object_and_another_is_not():
    made = [(("<", ("v", 0), constant), True) for constant in (1, 1, True, 1.0, 0.0, -0.0)]
    found = interned(map(marshalled, made))
    assert repr(found) == repr(tuple(made))
    assert found[0] is found[1]
    assert len({id(one) for one in found}) == len(made) - 1
    assert interned([marshalled((("<", ("v", 0), 1), True))])[0] is found[0]


def test_the_other_outcome_of_a_constraint_is_one_object_too():
    (one, other) = interned([marshalled((("<", X, 1), outcome)) for outcome in (True, False)])
    assert other == (("<", X, 1), False)
    assert (opposite(one) is other, opposite(other) is one) == (True, True)
    assert one[0] is other[0]
    assert opposite((("<", X, 2), False)) == (("<", X, 2), True)


@pytest.mark.parametrize(
    "term",
    [
        7,
        X,
        ("<", X, Y),
        ("<", X, 3),
        ("-", ("neg", X), ("*", Y, 2)),
        ("[:]", ("str", X), 0, 1, None),
        ("ok", ("//", X, 0)),
        ("raises", ("//", X, 0)),
        ("in", X, ("tuple", 1, Y, math.nan)),
    ],
)
def test_a_compiled_term_is_evaluated(term):
    for values in ((3, 4), (4, 3), (-1, -1)):
        assert compiled(term)(values) == evaluate(term, values)
