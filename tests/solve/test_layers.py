"""Validation, slices and the cache around a solver that records what it was asked."""

from __future__ import annotations

import math

import pytest

from unitcraft.solve.cache import Cache, key_of
from unitcraft.solve.independence import Independence
from unitcraft.solve.layer import End, Layer
from unitcraft.solve.protocol import Query, Sat, Unknown, Unsat
from unitcraft.solve.statistics import Statistics
from unitcraft.solve.validate import InvalidModel, Validate, valid

X, Y, Z = (("v", number) for number in range(3))


class Scripted:
    """Gives one answer and keeps the Queries."""

    def __init__(self, verdict):
        self.verdict = verdict
        self.asked = []

    def solve(self, query):
        self.asked.append(query)
        if isinstance(self.verdict, Exception):
            raise self.verdict
        return self.verdict


def query(*constraints, kinds=("int", "int", "int"), hint=(1, 2, 3)):
    return Query(constraints, kinds, hint)


WANTED = query((("<", X, 0), True))


@pytest.mark.parametrize(
    "values", [(1, 2, 3), (-1, 2), (True, 2, 3), (-1, 2, "a"), (-1.0, 2, 3), (-True, 2, 3.0)]
)
def test_wrong_models_are_not_believed(values):
    statistics = Statistics()
    assert Validate(Scripted(Sat(values)), statistics).solve(WANTED) == Unknown("invalid")
    assert statistics.counts == {"validate": [0, 0, 1]}
    with pytest.raises(InvalidModel):
        Validate(Scripted(Sat(values)), statistics, strict=True).solve(WANTED)


@pytest.mark.parametrize("verdict", [Sat((-1, 2, 3)), Unsat((0,)), Unknown("time")])
def test_right_answers_pass(verdict):
    assert Validate(Scripted(verdict), Statistics(), strict=True).solve(WANTED) == verdict


def test_terms_too_deep_are_unknown():
    assert Validate(Scripted(RecursionError()), Statistics()).solve(WANTED) == Unknown("bound")


def test_slice_follows_shared_inputs():
    inner = Scripted(Unsat((0, 2)))
    first, aside, link, last = (
        ((">", X, 0), True), (("==", Z, 3), True), (("<", X, Y), True), (("<", Y, 0), True),
    )  # fmt: skip
    verdict = Independence(inner).solve(query(first, aside, link, last))
    assert inner.asked == [query(first, link, last)]
    assert verdict == Unsat((0, 3))


def test_slice_without_constraints():
    assert Independence(Scripted(Sat((1, 2, 3)))).solve(query()) == Sat((1, 2, 3))


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, True), (1, 1.0), (0.0, -0.0), (True, 1.0), ("a", b"a"), (math.nan, 0.0), (None, False)],
)
def test_key_tells_constants_apart(one, other):
    assert key_of(query((("==", X, one), True))) != key_of(query((("==", X, other), True)))


def test_key_does_not_tell_numbers_of_inputs_apart():
    one = key_of(query((("<", X, Z), True), (("<", Z, 4), True)))
    other = key_of(query((("<", Y, X), True), (("<", X, 4), True)))
    assert one[0] == other[0]
    assert (one[1], other[1]) == ([0, 2], [1, 0])
    assert one[0] != key_of(query((("<", X, Z), True), (("<", X, 4), True)))[0]
    texts = query((("<", X, Z), True), (("<", Z, 4), True), kinds=("str",) * 3)
    assert one[0] != key_of(texts)[0]


def test_kept_answer_is_given_to_the_inputs_that_ask():
    inner, statistics = Scripted(Sat((-5, 2, 3))), Statistics()
    cache = Cache(inner, statistics)
    assert cache.solve(query((("<", X, -4), True))) == Sat((-5, 2, 3))
    assert cache.solve(query((("<", Y, -4), True), hint=(7, 8, 9))) == Sat((7, -5, 9))
    assert len(inner.asked) == 1
    assert statistics.total("cache") == 1


def test_recent_model_answers_an_easier_query():
    inner = Scripted(Sat((-5, 2, 3)))
    cache = Cache(inner, Statistics())
    cache.solve(query((("<", X, -4), True)))
    assert cache.solve(query((("<", Y, -2), True))) == Sat((1, -5, 3))
    assert len(inner.asked) == 1


def test_unknown_is_asked_again():
    inner = Scripted(Unknown("time"))
    cache = Cache(inner, Statistics())
    for _ in range(2):
        assert cache.solve(WANTED) == Unknown("time")
    assert len(inner.asked) == 2


def test_layer_too_deep_asks_the_next():
    class Deep(Layer):
        def attempt(self, _query):
            raise RecursionError

    assert Deep(Scripted(Unsat()), Statistics()).solve(WANTED) == Unsat()


def test_a_layer_that_raises_asks_the_next_and_is_counted():
    class Broken(Layer):
        name = "broken"

        def attempt(self, _query):
            raise ValueError("Exceeds the limit (4300 digits)")

    statistics = Statistics()
    assert Broken(Scripted(Unsat()), statistics).solve(WANTED) == Unsat()
    ((layer, error),) = statistics.failures
    assert layer == "broken"
    assert error.startswith("ValueError: Exceeds the limit (4300 digits)")


def test_end_knows_nothing():
    statistics = Statistics()
    assert End(statistics).solve(WANTED) == Unknown("theory")
    assert statistics.lines() == ["end 0 0 1"]


def test_validity_of_the_model():
    assert valid(WANTED, (-1, 0, 0))
    assert not valid(WANTED, (-1, 0, 0, 0))
