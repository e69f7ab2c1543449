"""What a person would write in place of what a solver found."""

from __future__ import annotations

import random

import pytest
import randomqueries

from unitcraft.solve.readable.readable_values import make_readable
from unitcraft.symbolic.terms.operations import same
from unitcraft.symbolic.terms.term import are_satisfied

X, Y, Z = (("v", number) for number in range(3))


def true(*terms):
    return [(term, True) for term in terms]


@pytest.mark.parametrize(
    ("constraints", "kinds", "values", "expected"),
    [
        (true(("<", X, Y), ("<", Y, Z)), ("int",) * 3, (-90000, 5, 777), (1, 2, 3)),
        (true((">", X, Y), (">", Y, Z)), ("int",) * 3, (900, 5, -777), (3, 2, 1)),
        (true(("!=", X, Y), ("!=", Y, Z)), ("int",) * 3, (4, 9, 7), (1, 2, 3)),
        (true(("==", X, Y), ("<", Y, Z)), ("int",) * 3, (4, 4, 70), (1, 1, 2)),
        (true((">=", X, 1000)), ("int",), (123456,), (1000,)),
        (true((">", X, 1000)), ("int",), (123456,), (1001,)),
        (true(("<", X, 0)), ("int",), (-98765,), (-1,)),
        (true(("<", X, -5), ("<", X, Y)), ("int", "int"), (-98, 77), (-6, 1)),
        (true(("==", ("%", X, 7), 3), (">", X, 50)), ("int",), (6989,), (52,)),
        (true((">", X, 1.37)), ("float",), (1e300,), (2.0,)),
        (true(("!=", X, X)), ("float",), (float("nan"),), (float("nan"),)),
        (true(("str.startswith", X, "foo")), ("str",), ("foo\0#",), ("foo",)),
        (true((">", ("len", X), 1)), ("str",), ("\udead\n\n",), ("ab",)),
        (true(("truth", ("re.fullmatch", r"\d+-\d+", 0, X))), ("str",), ("42-017",), ("1-1",)),
        ([], ("int", "int", "str", "bytes"), (-44, 8, "~", b"~"), (1, 2, "a", b"a")),
    ],
)
def test_values(constraints, kinds, values, expected):
    assert same(make_readable(constraints, kinds, values), expected)


def test_wrong_values_are_left_alone():
    assert make_readable(true(("<", X, 0)), ("int",), (5,)) == (5,)


def test_constraints_stay_satisfied_and_nothing_gets_heavier():
    for seed in range(150):
        rng = random.Random(seed)
        kinds = rng.choice([("int", "int", "int"), ("str", "int"), ("float", "int"), ("bytes",)])
        linear = "float" not in kinds and "str" not in kinds and "bytes" not in kinds
        query, points = randomqueries.query(rng, kinds, 2, 3, linear=linear)
        for point in points[:2]:
            values = make_readable(query.constraints, kinds, point)
            assert are_satisfied(query.constraints, values), (seed, query)
            assert same(make_readable(query.constraints, kinds, point), values)
