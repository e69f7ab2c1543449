"""Difference bounds against enumeration: closure, projection, inclusion, models."""

from __future__ import annotations

from itertools import product
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unitcraft.solve.differences.difference_bounds import DifferenceBounds

EDGES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-4, 4)), max_size=8
).map(lambda edges: [edge for edge in edges if edge[0] != edge[1]])

#: Wide enough for every corner of a feasible system with bounds of at most 4 and 4 nodes.
REACH = range(-13, 14)


def made(edges, variables=3):
    bounds = DifferenceBounds(variables)
    for i, j, c in edges:
        bounds.add(i, j, c)
    return bounds


def vectors(edges):
    found = []
    for vector in product(REACH, repeat=3):
        x = (0, *vector)
        if all(x[i] - x[j] <= c for i, j, c in edges):
            found.append(vector)
    return found


def box(reach):
    """Bounds that keep three variables in ``reach``."""
    return [edge for n in (1, 2, 3) for edge in ((n, 0, reach), (0, n, reach))]


@given(EDGES)
@settings(max_examples=40, deadline=None)
def test_feasible_closed_and_attained(edges):
    edges = edges + box(5)
    bounds, found = made(edges), vectors(edges)
    assert bounds.rep_ok()
    assert bounds.feasible() == bool(found)
    for i, j in product(range(4), repeat=2) if found else ():
        assert bounds.bound(i, j) == max((0, *v)[i] - (0, *v)[j] for v in found)


@given(EDGES)
@settings(max_examples=40, deadline=None)
def test_projection_is_exact(edges):
    edges = edges + box(5)
    bounds, found = made(edges).project((3, 1)), {(v[2], v[0]) for v in vectors(edges)}
    for first, second in product(range(-6, 7), repeat=2):
        one = bounds.copy()
        one.equate(1, 0, first)
        one.equate(2, 0, second)
        assert one.feasible() == ((first, second) in found)


@given(EDGES, EDGES)
@settings(max_examples=60, deadline=None)
def test_implication_is_inclusion(first, second):
    first = first + box(4)
    inside = all((0, *v)[i] - (0, *v)[j] <= c for v in vectors(first) for i, j, c in second)
    assert made(first).implies(made(second)) == inside


@given(EDGES, st.lists(st.integers(-9, 9), min_size=3, max_size=3))
def test_model_keeps_the_bounds(edges, wanted):
    bounds = made(edges)
    model = bounds.model(wanted)
    assert (model is None) == (not bounds.feasible())
    if model is not None:
        x = (0, *model)
        assert all(x[i] - x[j] <= c for i, j, c in edges)


@given(st.permutations([(1, 2, -1), (2, 3, 4), (3, 0, 7), (0, 1, 2), (1, 3, 0)]))
def test_closure_does_not_depend_on_order(edges):
    assert made(edges).close() == made(sorted(edges)).close()


def test_model_stays_where_it_may():
    assert made([(1, 2, -1)]).model((7, 9, -3)) == (7, 9, -3)
    assert made([(1, 2, -1)]).model((7, 2)) == (7, 8, 0)


def test_beyond_the_floats():
    huge = 10**400
    bounds = made([(1, 0, huge), (0, 2, -huge), (2, 1, 0)])
    assert bounds.model() == (huge, huge, 0)
    assert not bounds.add(1, 2, -1)
    assert bounds.close() == ()


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_no_bound_is_infinite(order):
    assert made([]).bound(*order) == inf
