"""The parts of the translation to z3: each row says what CPython computes for given inputs."""

from __future__ import annotations

import math

import pytest

from unitcraft.solve.smt.z3_case_and_strip import CASES
from unitcraft.solve.smt.z3_floats import is_finite
from unitcraft.solve.smt.z3_numbers import NUMBERS
from unitcraft.solve.smt.z3_operations import MEANINGS
from unitcraft.solve.smt.z3_regex import language_of
from unitcraft.solve.smt.z3_strings import TEXTS, WRITTEN
from unitcraft.solve.smt.z3_terms import Translator
from unitcraft.solve.smt.z3_values import (
    INFINITY,
    Untranslatable,
    constant,
    float_of,
    import_z3,
    text_constant,
)

X, Y = ("v", 0), ("v", 1)
Z3 = import_z3()


def is_possible(term, values, *, wide=False):
    """Has the translated ``term``, wanted true, a model in which the inputs are ``values``?"""
    kinds = [type(value).__name__ for value in values]
    translator = Translator(Z3, Z3.Context(), kinds, MEANINGS, wide=wide)
    solver = Z3.Solver(ctx=translator.context)
    solver.add(translator.constraint((term, True)))
    for number, value in enumerate(values):
        solver.add(translator.constraint((("==", ("v", number), value), True)))
    solver.add(*translator.domain)
    return solver.check() == Z3.sat


@pytest.mark.parametrize(
    ("term", "values", "expected"),
    [
        (("==", ("//", X, Y), -4), (7, -2), True),
        (("==", ("//", X, Y), -3), (7, -2), False),
        (("==", ("%", X, Y), -1), (7, -2), True),
        (("==", ("//", X, Y), 0), (7, 0), False),
        (("==", ("&", X, 12), 8), (10, 0), True),
        (("==", ("^", X, 5), 99), (102, 0), True),
        (("==", (">>", X, 2), -2), (-5, 0), True),
        (("==", ("**", X, 3), -8), (-2, 0), True),
        (("==", ("abs", X), 3), (-3, 0), True),
        (("==", ("invert", X), 4), (-5, 0), True),
        (("==", ("int", X), -2), (-2.7, 0), True),
        (("==", ("math.floor", X), -3), (-2.7, 0), True),
    ],
)
def test_numbers(term, values, expected):
    assert is_possible(term, values) is expected


@pytest.mark.parametrize(
    ("term", "values", "expected"),
    [
        (("<", X, 0.5), (0.25,), True),
        (("<", X, Y), (1.5, 1), False),
        (("math.isinf", X), (math.inf,), True),
        (("math.isfinite", X), (math.inf,), False),
        (("==", X, X), (2.0,), True),
        (("float.is_integer", X), (2.5,), False),
        (("==", ("/", X, Y), 0.5), (1, 2), True),
        (("==", ("/", X, Y), 0.5), (1, 0), False),
    ],
)
def test_floats(term, values, expected):
    assert is_possible(term, values) is expected


def test_a_nan_equals_nothing_and_is_not_finite():
    translator = Translator(Z3, Z3.Context(), ["float"], MEANINGS)
    nan = translator.known(math.nan)
    assert Z3.is_false(Z3.simplify(is_finite(translator, nan)))
    assert not is_possible(("==", math.nan, X), (1.0,))


@pytest.mark.parametrize(
    ("term", "values", "expected"),
    [
        (("==", ("len", X), 3), ("abc",), True),
        (("==", ("[]", X, -1), "c"), ("abc",), True),
        (("==", ("[]", X, 3), "c"), ("abc",), False),
        (("==", ("[]", X, 0), 97), (b"a",), True),
        (("==", ("[:]", X, 1, None, None), "bc"), ("abc",), True),
        (("in", "b", X), ("abc",), True),
        (("str.startswith", X, "b"), ("abc",), False),
        (("==", ("str.find", X, "c"), 2), ("abc",), True),
        (("==", ("str.removeprefix", X, "a"), "bc"), ("abc",), True),
        (("str.isdigit", X), ("12",), True),
        (("str.isdigit", X), ("",), False),
        (("==", ("int", X), -12), ("-12",), True),
        (("==", ("str", X), "-7"), (-7,), True),
        (("==", ("ord", X), 97), ("a",), True),
        (("<", X, "b"), ("a",), True),
    ],
)
def test_texts(term, values, expected):
    assert is_possible(term, values) is expected


@pytest.mark.parametrize(
    ("term", "values", "expected"),
    [
        (("==", ("str.lower", X), "ok"), ("oK",), True),
        (("==", ("str.lower", X), "OK"), ("OK",), False),
        (("==", ("str.upper", X), "K"), ("k",), True),
        (("==", ("str.strip", X), "a b"), (" a b\n",), True),
        (("==", ("str.strip", X), " a"), (" a",), False),
        (("==", ("str.lstrip", X, "x"), "ax"), ("xxax",), True),
        (("==", ("bytes.rstrip", X), b" a"), (b" a ",), True),
    ],
)
def test_case_and_strip(term, values, expected):
    assert is_possible(term, values) is expected


def test_a_text_that_is_stripped_again_is_translated_once():
    translator = Translator(Z3, Z3.Context(), ["str"], MEANINGS)
    for text in ("a", "b", "c"):
        translator.constraint((("==", ("str.strip", X), text), False))
    parts = len(translator.domain)
    translator.constraint((("==", ("str.lstrip", X), "d"), False))
    assert len(translator.domain) < 2 * parts


@pytest.mark.parametrize(
    ("method", "pattern", "text", "expected"),
    [
        ("fullmatch", r"[a-c]+\d?", "ab1", True),
        ("fullmatch", r"[a-c]+\d?", "ab12", False),
        ("match", r"a|bc", "bcd", True),
        ("search", r"^b", "ab", False),
        ("search", "b$", "ab\n", True),
        ("fullmatch", r"(ab){2,3}", "abab", True),
        ("fullmatch", r"[^x]", "x", False),
        ("fullmatch", r"(?i)ok", "Ok", True),
    ],
)
def test_regular_expressions(method, pattern, text, expected):
    assert is_possible(("truth", (f"re.{method}", pattern, 0, X)), (text,)) is expected


def test_classes_of_letters_are_narrowed_and_say_so():
    context = Z3.Context()
    assert language_of(Z3, context, "fullmatch", "[0-9]", 0).exact
    assert not language_of(Z3, context, "fullmatch", r"\d", 0).exact
    assert language_of(Z3, context, "fullmatch", rb"\d", 0).exact


@pytest.mark.parametrize("pattern", [r"(a)\1", r"(?=a)", r"\bword", r"(?x) a"])
def test_patterns_that_are_no_regular_language(pattern):
    with pytest.raises(Untranslatable):
        language_of(Z3, Z3.Context(), "match", pattern, 0)


@pytest.mark.parametrize(
    ("term", "values", "expected"),
    [
        (("==", X, True), (1,), True),
        (("==", X, "1"), (1,), False),
        (("same", X, 1.0), (1,), False),
        (("in", X, ("tuple", 7, 70)), (70,), True),
        (("in", X, ("tuple", 7, 70)), (8,), False),
        (("ok", ("//", 1, X)), (0,), False),
        (("ok", ("//", 1, X)), (2,), True),
    ],
)
def test_values_of_unlike_sorts_and_raising(term, values, expected):
    assert is_possible(term, values) is expected


def test_what_is_missing_in_the_tables_is_not_translated():
    assert set(CASES) | set(NUMBERS) | set(TEXTS) | set(WRITTEN) <= set(MEANINGS)
    with pytest.raises(Untranslatable, match=r"str\.title"):
        is_possible(("==", ("str.title", X), "A"), ("a",))


def test_values():
    context = Z3.Context()
    assert constant(Z3, 7, context).const == (7,)
    assert constant(Z3, (1, "a"), context).sort == "items"
    with pytest.raises(Untranslatable, match="complex"):
        constant(Z3, 1j, context)
    with pytest.raises(Untranslatable):
        text_constant(Z3, "\U00020000", context)
    assert float_of(1, 2) == 0.5
    assert float_of(-INFINITY, 1) == -math.inf
