"""Extrapolation, on the figures of the binary search tree in the paper's conventions."""

from __future__ import annotations

import pytest

from unitcraft.heaps.field_coverage import PairReader
from unitcraft.heaps.heap_generation import ValidHeap
from unitcraft.heaps.transcoping import (
    FieldSuite,
    StopRule,
    fit_polynomial,
    predict_size,
    predict_work,
)

LEFT = [(s, float(s + s * s // 4)) for s in range(1, 6)]
RIGHT = [(s, float(s + (s - 1) * (s + 3) // 4)) for s in range(1, 6)]


@pytest.mark.parametrize(
    ("points", "linear", "quadratic", "average"),
    [(LEFT, 23.10, 33.17, 28.14), (RIGHT, 27.40, 40.83, 34.11)],
)
def test_predictions_for_scope_10(points, linear, quadratic, average):
    assert predict_size(points, 10, "linear") == pytest.approx(linear, abs=0.01)
    assert predict_size(points, 10, "quadratic") == pytest.approx(quadratic, abs=0.01)
    assert predict_size(points, 10, "average") == pytest.approx(average, abs=0.01)


def test_an_exponential_is_found_again():
    points = [(x, 3.0 * 2.0**x) for x in range(1, 6)]
    assert predict_work(points, 10, "exponential") == pytest.approx(3072)


def test_a_few_points_give_a_polynomial_of_lower_degree():
    assert fit_polynomial([(2, 5.0)], 2)(9) == 5.0


def chains():
    """Lists of one node more in each scope: every heap adds pairs, and the sizes are linear."""
    for size in range(1, 10):
        nodes = [(0, ((0, place + 1) if place + 1 < size else None,)) for place in range(size)]
        yield ValidHeap(tuple(nodes), size, size * size)


def test_a_suite_stops_at_the_predicted_size():
    reader = PairReader((("N.next",),), frozenset())
    full = FieldSuite(reader, range(1, 10))
    full.take(chains())
    assert [one.sizes["N.next"] for one in full.coverage] == [2 * s - 1 for s in range(1, 10)]
    assert full.predicted == {"N.next": pytest.approx(17)}
    early = FieldSuite(reader, range(1, 8), StopRule("size", "linear"))
    early.take(chains())
    assert (early.stopped, early.visited) == (True, 7)
    by_work = FieldSuite(reader, range(1, 10), StopRule("time", "quadratic"))
    by_work.take(chains())
    assert by_work.visited == 9
