"""Enumeration: the domains that constraints leave, and verdicts on opaque terms."""

from __future__ import annotations

import math

import pytest

from unitcraft.solve.layer import End
from unitcraft.solve.local_search.finite_domains import FiniteDomains, domain_of
from unitcraft.solve.protocol import Query, Sat, Unknown, Unsat
from unitcraft.solve.statistics import Statistics

X, Y = ("v", 0), ("v", 1)
SMALL = ((">=", X, 1), True), (("<", X, 5), True)


def ask(*constraints, kinds=("int", "int"), hint=(1, 1)):
    statistics = Statistics()
    return FiniteDomains(End(statistics), statistics).solve(Query(constraints, kinds, hint))


@pytest.mark.parametrize(
    ("constraints", "kind", "expected"),
    [
        (SMALL, "int", [1, 2, 3, 4]),
        ((*SMALL, (("%", X, 2), True)), "int", [1, 3]),
        (((("==", X, 2.0), True),), "int", [2]),
        (((("in", X, ("tuple", 1, 2.5, True, "a", 10**400)), True),), "int", [1, 10**400]),
        (((("in", X, ("tuple", 1, 2.5, 10**400, "a")), True),), "float", [1.0, 2.5]),
        (((("==", X, 0), True),), "float", [0.0, -0.0]),
        (((("same", X, -0.0), True),), "float", [-0.0]),
        (((("in", X, ("list", "a", b"b")), True),), "str", ["a"]),
        (((("in", X, ("tuple", math.nan)), True),), "float", None),
        (((("in", X, "abc"), True),), "str", None),
        (((("in", X, ("tuple", "a")), False),), "str", None),
        (((("==", X, ("+", X, 1)), True),), "int", None),
        (SMALL[:1], "int", None),
    ],
)
def test_domain(constraints, kind, expected):
    assert repr(domain_of(0, Query(constraints, (kind,), (None,)))) == repr(expected)


def test_opaque_terms_are_decided():
    square = ("math.isqrt", ("*", X, X))
    assert type(ask(*SMALL, (("==", square, X), False))) is Unsat
    verdict = ask(*SMALL, (("==", ("bin", X), "0b11"), True))
    assert verdict == Sat((3, 1))


def test_too_many_values_are_left_to_others():
    wide = ((">=", X, 0), True), (("<", X, 10_000), True)
    assert type(ask(*wide, (("==", ("math.isqrt", X), -1), True))) is Unknown
    both = [(one, True) for v in (X, Y) for one in ((">=", v, 0), ("<", v, 100))]
    assert type(ask(*both, (("==", ("math.gcd", X, Y), -1), True))) is Unknown
