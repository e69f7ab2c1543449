"""What z3 is told means what CPython computes; what it cannot be told is not believed."""

from __future__ import annotations

import math
import random
from itertools import product

import pytest
import randomqueries

from unitcraft.solve.layer import End
from unitcraft.solve.protocol import Query, Sat, Unknown, Unsat
from unitcraft.solve.smt import z3_layer
from unitcraft.solve.smt.z3_layer import Z3
from unitcraft.solve.statistics import Statistics
from unitcraft.solve.validate import valid
from unitcraft.symbolic.terms.term import variable

X, Y = ("v", 0), ("v", 1)
HINTS = {"int": 0, "float": 0.0, "str": "", "bytes": b""}


def ask(*terms, kinds=("int", "int"), work=500_000):
    """z3's own Verdict; a term in a list is meant to be false."""
    constraints = [(term[0], False) if type(term) is list else (term, True) for term in terms]
    counts = Statistics()
    hint = tuple(HINTS[kind] for kind in kinds)
    query = Query(tuple(constraints), kinds, hint)
    verdict = Z3(End(counts), counts, work).solve(query)
    assert type(verdict) is not Sat or valid(query, verdict.values)
    return verdict


@pytest.mark.parametrize("name", ["+", "-", "*", "//", "%", "&", "|", "^", ">>", "<<", "**"])
def test_int_operation_on_every_small_pair(name):
    """One Query for each constant: no x gives another result than CPython's."""
    counts = Statistics()
    layer = Z3(End(counts), counts)
    for constant in (*range(-6, 7), 12, -13):
        for x in range(-9, 10, 3):
            try:
                result = randomqueries.evaluated((name, x, constant))
            except (ArithmeticError, ValueError):
                continue
            if not isinstance(result, int):
                continue
            wrong = ("==", (name, X, constant), result)
            verdict = layer.solve(Query((((("==", X, x)), True), (wrong, False)), ("int",), (0,)))
            assert type(verdict) in (Unsat, Unknown), (name, x, constant)
    assert counts.counts["z3"][1] > 30


UNSAT = [
    (("==", ("*", X, X), 2),), (("<", ("%", X, 5), 0),), ((">", ("%", X, -5), 0),),
    (("==", ("&", X, 6), 1),), (("<", ("abs", X), 0),), ([("ok", ("+", X, Y))],),
    ([("ok", ("//", X, 3))],),
    (("==", ("+", ("*", 2, X), ("*", 4, Y)), 7),),
    (("==", ("//", X, 2), Y), (">", ("*", 2, Y), X)),
]  # fmt: skip


@pytest.mark.parametrize("terms", UNSAT, ids=repr)
def test_ints_without_solution(terms):
    assert type(ask(*terms)) is Unsat


FLOATS = [
    ((("<", X, 1.0), (">", X, 2.0)), Unsat),
    ((("<", X, Y), ("<", Y, X)), Unsat),
    (([("<", X, 1.0)], [(">=", X, 1.0)]), Sat),
    (([("==", X, X)],), Sat),
    ((("==", X, math.nan),), Unsat),
    (((">", X, 1e308), ("math.isinf", X)), Sat),
    (((">", X, math.inf),), Unsat),
    ((("math.isnan", X), ("<", X, 1.0)), Unsat),
    ((("same", X, math.nan), ("==", X, X)), Unsat),
    ((("==", ("int", X), 7), ("!=", X, 7)), Sat),
    ((("ok", ("int", X)), ("math.isnan", X)), Unsat),
    ((("==", X, 10**400),), Unknown),
    ((("==", ("+", X, 1.0), X), ("<", X, 9.0), (">", X, 0.0)), Unsat),
    ((("==", ("+", X, 1.0), X), (">", X, 0.0)), Unknown),
    ((("==", ("-", X, Y), 0.0), ("<", X, 9.0), [("==", X, Y)]), Unknown),
    ((("<", ("*", X, X), -1.0),), Unsat),
    (((">", ("*", X, 2.0), 9.0), ("<", X, 4.0)), Unsat),
    ((("ok", ("/", 1.0, X)), ("==", X, 0)), Unsat),
    ((("same", X, 0.0), ("same", X, -0.0)), Unknown),
    ((("same", X, 0.0), ("==", X, 1.0)), Unsat),
    ((("==", ("*", X, 2.0), 0.5),), Sat),
    ((("float.is_integer", X), (">", X, 1.25), ("<", X, 1.75)), Unsat),
]


@pytest.mark.parametrize(("terms", "expected"), FLOATS, ids=repr)
def test_floats(terms, expected):
    assert type(ask(*terms, kinds=("float", "float"))) is expected


TEXTS = [
    ((("==", ("len", X), 3), ("str.startswith", X, "ab"), ("str.endswith", X, "bc")), Sat),
    ((("==", ("len", X), 2), ("str.startswith", X, "ab"), ("str.endswith", X, "bc")), Unsat),
    ((("==", ("[]", X, -1), "z"), ("==", ("[]", X, 0), "q")), Sat),
    ((("==", ("[:]", X, 1, -1, None), "mid"), ("==", ("len", X), 5)), Sat),
    ((("in", "ab", X), ("==", ("str.find", X, "ab"), -1)), Unsat),
    ((("ok", ("str.index", X, "q")), [("in", "q", X)]), Unsat),
    ((("<", X, "b"), (">", X, "a\x00")), Sat),
    ((("truth", ("re.fullmatch", "(ab){2,3}", 0, X)), ("==", ("len", X), 5)), Unsat),
    ((("truth", ("re.fullmatch", "(ab){2,3}", 0, X)), (">", ("len", X), 5)), Sat),
    ((("truth", ("re.match", "a$", 0, X)), ("==", ("len", X), 2)), Sat),
    ((("truth", ("re.search", "^a$", 0, X)), (">", ("len", X), 2)), Unsat),
    ((("==", ("re.search", "[^x]", 0, X), None), ("==", ("len", X), 2)), Sat),
    ((("str.isdigit", X), ("==", ("len", X), 3)), Sat),
    ((("str.isdigit", X), ("str.isalpha", X)), Unknown),
    ((("str.isdigit", X), ("in", ",", X)), Unsat),
    ((("str.isspace", X), ("in", "x", X)), Unsat),
    ((("truth", ("re.fullmatch", r"\w+", 0, X)), ("in", "-", X)), Unsat),
    ((("truth", ("re.fullmatch", r"\w", 0, X)), [("str.isascii", X)]), Unknown),
    (([("ok", ("int", X))], ("==", X, "-12")), Unsat),
    (([("ok", ("int", X))], ("truth", ("re.fullmatch", "[0-9]+", 0, X))), Unknown),
    ((("==", ("str.lower", ("str.strip", X)), "stop"), ("in", ",", X)), Unsat),
    ((("==", ("str.lower", ("str.strip", X)), "stop"), (">", ("len", X), 5)), Sat),
    ((("==", ("str.upper", X), "KEY"), [("str.isascii", X)]), Unsat),
    ((("==", ("str.lower", X), "key"), [("str.isascii", X)]), Sat),
    ((("==", ("str.lower", X), "Key"),), Unsat),
    ((("==", ("str.upper", X), "SS"), ("==", ("len", X), 1)), Unknown),
    ((("==", ("str.rstrip", X, "."), "a."),), Unsat),
    ((("==", ("int", X), -12),), Sat),
    ((("==", ("str", ("len", X)), "3"),), Sat),
    ((("==", ("str.removeprefix", X, "un"), "do"), ("==", ("len", X), 4)), Sat),
    ((("==", ("str.title", X), "A"),), Unknown),
    ((("==", X, "\\u{61}"),), Sat),
    ((("==", X, "\U0001f600\\"),), Sat),
    ((("==", X, "\U0010ffff"),), Unknown),
    ((("==", X, b"a"),), Unsat),
    ((("==", X, None),), Unsat),
    ((("==", X, Y), ("!=", ("len", X), ("len", Y))), Unsat),
    ((("in", X, ("tuple", "a", "bb", 3)), ("==", ("len", X), 2)), Sat),
    ((("in", X, ("tuple", "a", "bb", 3)), ("==", ("len", X), 3)), Unsat),
]


@pytest.mark.parametrize(("terms", "expected"), TEXTS, ids=repr)
def test_texts(terms, expected):
    assert type(ask(*terms, kinds=("str", "str"))) is expected


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ((("==", ("[]", X, 1), 200), ("bytes.startswith", X, b"\xff")), Sat),
        (((">", ("[]", X, 0), 255),), Unsat),
        ((("truth", ("re.fullmatch", rb"\w\s", 0, X)), ("==", ("len", X), 3)), Unsat),
    ],
    ids=repr,
)
def test_octets(terms, expected):
    assert type(ask(*terms, kinds=("bytes",))) is expected


REGEXES = [
    "a|b", "^ab?$", "a*b+", "[^ab]", r"\d\d", r"\s", "(a|b)c{0,2}", "a.c", "(?i)Ab", "x?", "",
    r"\Aab\Z", "[a-c1]+$", r"\S", "(a)(b)?",
]  # fmt: skip
SAMPLES = [
    "".join(text) for size in range(4) for text in product("abAc1 \n", repeat=size)
]  # fmt: skip


@pytest.mark.parametrize("pattern", REGEXES)
def test_regexes_match_what_re_matches(pattern):
    """Each sample is pinned: z3 must find it a model or prove that it is none."""
    counts = Statistics()
    layer = Z3(End(counts), counts)
    rng = random.Random(pattern)
    for method in ("match", "fullmatch", "search"):
        term = ("truth", (f"re.{method}", pattern, 0, X))
        for sample in rng.sample(SAMPLES, 7):
            outcome = randomqueries.evaluated(term, (sample,))
            for wanted in (True, False):
                query = Query(((("==", X, sample), True), (term, wanted)), ("str",), ("",))
                verdict = layer.solve(query)
                assert (type(verdict) is Sat) == (wanted is outcome), (sample, method, verdict)
    assert counts.counts["z3"][0] == 21


def test_untranslatable_neighbours_do_not_hide_a_clash():
    opaque = ("==", ("str.zfill", ("str", X), 3), "007")
    assert type(ask(opaque, ("==", ("%", X, 2), 0), ("==", ("%", X, 4), 1))) is Unsat
    assert type(ask(opaque, ("==", X, 8))) is Unknown


def test_work_is_bounded():
    cubes = ("+", ("+", ("**", X, 3), ("**", Y, 3)), ("**", ("v", 2), 3))
    verdict = ask(("==", cubes, 114), kinds=("int",) * 3, work=20_000)
    assert verdict == Unknown("time")


def test_exceptions_of_z3_are_survived(monkeypatch):
    class Broken:
        def __getattr__(self, name):
            raise OSError(name)

    monkeypatch.setattr(z3_layer, "import_z3", Broken)
    assert ask(("==", X, 3)) == Unknown("theory")


def test_a_pattern_without_an_answer_is_not_asked_about_again(monkeypatch):
    asked = []
    layer = Z3(End(Statistics()), Statistics())
    monkeypatch.setattr(layer, "_ask", lambda query: asked.append(query) or Unknown("time"))
    for pattern in ("a+", "a+", "b+"):
        term = ("truth", ("re.match", pattern, 32, variable(0)))
        layer.attempt(Query(((term, True),), ("str",), ("",)))
    assert len(asked) == 2
