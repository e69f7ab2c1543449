"""When operations may raise, and how constraints read."""

from __future__ import annotations

import pytest

from unitcraft.symbolic.terms.pretty import MAX_TEXT, constraint_text, term_text
from unitcraft.symbolic.terms.raise_conditions import (
    FALLIBLE,
    may_exceed_float,
    may_raise,
    raises_several_classes,
    type_error_depends_on_values,
)

X, Y = ("v", 0), ("v", 1)


@pytest.mark.parametrize(
    ("name", "values", "terms", "expected"),
    [
        ("[]", ("ab", 1), (X, 1), True),
        ("+", (1, 2), (X, Y), False),
        ("int", ("7",), (X,), True),
        ("int", (7,), (X,), False),
        ("float", (7,), (X,), False),
        ("float", (7,), (("**", X, Y),), True),
        ("<<", (1, 2), (X, 2), False),
        ("<<", (1, 2), (X, Y), True),
        ("*", ("a", 3), (X, 3), False),
        ("*", ("a", 3), ("a", X), True),
        ("ord", ("a",), (("[]", X, 0),), False),
        ("ord", ("a",), (("[]", ("str.split", X), 0),), True),
        ("%", ("%d", 7), ("%d", X), False),
        ("%", ("%d", 1.5), ("%d", X), True),
        ("%", ("%c", 7), ("%c", X), True),
        ("format", (7, "c"), (X, "c"), True),
        ("format", (7, ">3"), (X, ">3"), False),
        ("math.floor", (1.5,), (X,), True),
        ("math.gcd", (4, 6), (X, Y), False),
        ("str.index", ("ab", "b"), (X, "b"), True),
        ("in", (7, b"a"), (X, b"a"), True),
        ("str.filled_in", ("{}", (7,)), ("{}", ("tuple", X)), False),
        ("str.filled_in", ("{:{}}", (7, 3)), ("{:{}}", ("tuple", X, 3)), True),
    ],
)
def test_what_may_raise_for_other_operands(name, values, terms, expected):
    assert may_raise(name, values, terms) is expected


def test_ints_beyond_the_floats():
    assert not may_exceed_float(("+", X, ("*", Y, 2)))
    assert not may_exceed_float(("**", X, 2))
    assert may_exceed_float(("**", X, Y))
    assert may_exceed_float(("int", X))


def test_classes_of_errors():
    assert raises_several_classes("int")
    assert not raises_several_classes("[]")
    assert type_error_depends_on_values("ord")
    assert not type_error_depends_on_values("+")
    assert "+" not in FALLIBLE


@pytest.mark.parametrize(
    ("term", "outcome", "values", "expected"),
    [
        (("<", X, 5), True, (1, 0), "a < 5"),
        (("<", X, 5), False, (9, 0), "a >= 5"),
        (("<", 5, X), True, (9, 0), "a > 5"),
        (("<", X, 5.5), False, (9.0, 0), "not a < 5.5"),
        (("==", ("%", X, 2), 1), True, (1, 0), "a % 2 == 1"),
        (("*", ("+", X, Y), 2), True, (1, 0), "(a + b) * 2"),
        (("truth", ("-", X, ("-", Y, 1))), True, (1, 0), "a - (b - 1)"),
        (("in", X, ("tuple", 1)), False, (9, 0), "a not in (1,)"),
        (("ok", ("[]", X, Y)), False, ("", 0), "a[b] raises"),
        (
            ("same", ("raises", ("int", X)), "ValueError"),
            True,
            ("x", 0),
            "int(a) raises ValueError",
        ),
        (("same", X, None), False, (1, 0), "a != None"),
        (("str.startswith", X, "h"), False, ("x", 0), "not a.startswith('h')"),
        (("**", ("neg", X), 2), True, (1, 0), "(-a) ** 2"),
        (("truth", ("re.match", "a+", 0, X)), True, ("a", 0), "re.match('a+', a)"),
        (("<=", X, ("+", ("-", 0, X), Y)), True, (0, 0), "a <= -a + b"),
        (("<=", X, ("-", ("+", 0, Y), 3)), True, (0, 4), "a <= b - 3"),
        (("<=", ("-", ("-", X, 0), 5), 0), True, (0, 0), "a - 5 <= 0"),
        (("<", ("+", ("+", X, Y), X), ("-", X, 0.0)), True, (0, 0), "a + b + a < a - 0.0"),
        (("==", ("len", ("repr", ("+", 0, X))), 1), True, (1, 0), "len(repr(0 + a)) == 1"),
    ],
)
def test_constraints_read_as_python(term, outcome, values, expected):
    assert constraint_text((term, outcome), ("a", "b"), values) == expected


def test_slices_and_long_texts():
    assert term_text(("[:]", X, 1, None, -1), ("a",)) == "a[1::-1]"
    assert term_text(("kind", X), ("a",)) == "type(a).__name__"
    long = constraint_text((("==", X, "x" * 500), True), ("a",), ("x",))
    assert (len(long), long[-3:]) == (MAX_TEXT, "...")
