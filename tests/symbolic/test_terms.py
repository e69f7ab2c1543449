"""Terms: one object for each constraint, and functions made of terms."""

from __future__ import annotations

import math

import pytest

from unitcraft.symbolic.terms.interning import interned
from unitcraft.symbolic.terms.term import compiled, evaluate

X, Y = ("v", 0), ("v", 1)


def test_the_same_constraint_is_one_object_and_another_is_not():
    made = [(("<", ("v", 0), constant), True) for constant in (1, 1, True, 1.0, 0.0, -0.0)]
    found = interned(made)
    assert repr(found) == repr(tuple(made))
    assert found[0] is found[1]
    assert len({id(one) for one in found}) == len(made) - 1
    assert interned([(("<", ("v", 0), 1), True)])[0] is found[0]


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
