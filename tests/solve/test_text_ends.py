"""Text ends: what they refute, and that they refute nothing that a text satisfies."""

from __future__ import annotations

from random import Random

import pytest

from unitcraft.solve.chain import chain
from unitcraft.solve.layer import End
from unitcraft.solve.protocol import Query, Unknown, Unsat
from unitcraft.solve.statistics import Statistics
from unitcraft.solve.text_ends import TextEnds
from unitcraft.symbolic.terms.term import evaluate

X = ("v", 0)
LINE = ("str.strip", X)
HEAD = ("[]", ("str.partition", LINE, "="), 0)
SIGN = ("[]", ("str.partition", X, "="), 1)
TAIL = ("[]", ("str.rpartition", LINE, "="), 2)
SECTION = (("str.startswith", LINE, "["), True)
CLOSED = (("str.endswith", LINE, "]"), True)


def ask(*constraints, kind="str"):
    statistics = Statistics()
    solver = TextEnds(End(statistics), statistics)
    verdict = solver.solve(Query(constraints, (kind,), ("" if kind == "str" else b"",)))
    assert not statistics.failures
    return verdict


@pytest.mark.parametrize(
    "constraints",
    [
        (SECTION, (("str.isalpha", HEAD), True)),
        (SECTION, (("str.isidentifier", ("str.rstrip", HEAD)), True)),
        (SECTION, (("truth", HEAD), False)),
        (SECTION, (("==", HEAD, "name"), True)),
        (SECTION, (("in", HEAD, ("tuple", "a", "b")), True)),
        (SECTION, (("in", "[", LINE), False)),
        (SECTION, (("str.startswith", LINE, "#"), True)),
        (CLOSED, (("str.isdigit", TAIL), True)),
        (CLOSED, (("==", ("[:]", LINE, -1, None, None), ")"), True)),
        ((("str.endswith", X, ")]"), True), (("str.isdigit", ("[:]", X, 1, None, None)), True)),
        ((("==", ("[:]", X, None, 2, None), "ab"), True), (("str.isupper", X), True)),
        ((("==", ("[]", X, 0), "#"), True), (("str.startswith", X, "//"), True)),
        ((("!=", ("[]", X, -1), "#"), False), (("str.isalnum", X), True)),
        ((("str.startswith", X, "a"), True), (("==", ("str.upper", X), "BA"), True)),
        ((("==", ("+", "<", X), "(a"), True),),
        ((("str.startswith", X, "a=b"), True), (("truth", SIGN), False)),
    ],
)  # fmt: skip
def test_refuted(constraints):
    assert type(ask(*constraints)) is Unsat
    assert type(chain(strict=True).search(constraints, ("str",))) is Unsat


def test_octets_have_ends_too():
    first = ("bytes.startswith", X, b"\x00"), True
    assert type(ask(first, (("bytes.isdigit", X), True), kind="bytes")) is Unsat
    assert type(ask(first, (("==", ("[]", X, 0), 0), True), kind="bytes")) is Unknown


@pytest.mark.parametrize(
    "constraints",
    [
        (SECTION, (("str.isalpha", HEAD), False)),
        ((("str.startswith", X, "=a"), True), (("truth", HEAD), False)),
        ((("str.startswith", X, " a"), True), (("str.isalpha", LINE), True)),
        ((("str.startswith", X, "ab"), True), (("str.isalpha", ("[:]", X, 2, None, None)), True)),
        (SECTION, CLOSED, (("==", ("len", LINE), 2), True)),
    ],
)
def test_left_to_others(constraints):
    assert type(ask(*constraints)) is Unknown


PIECES = ("", "a", "B", "[", "]", "=", " ", "1", "=a", "a=", "ab", "\t", "é", "Σ", "==")
METHODS = ("strip", "lstrip", "rstrip", "lower", "upper", "casefold", "swapcase")
QUESTIONS = (
    "isalpha", "isdigit", "isalnum", "isspace", "isascii", "isprintable", "isupper", "islower",
    "isidentifier",
)  # fmt: skip


def drawn_text(rng, depth):
    if not depth:
        return X
    inner = drawn_text(rng, depth - 1)
    pick = rng.randrange(6)
    if pick == 0:
        return (
            "[]",
            (f"str.{rng.choice(('', 'r'))}partition", inner, rng.choice(PIECES[1:])),
            rng.randrange(3),
        )
    if pick == 1:
        places = [rng.choice((None, 0, 1, 2, -1, -2)) for _ in range(2)]
        return ("[:]", inner, *places, None)
    if pick == 2:
        parts = [inner, rng.choice(PIECES)]
        rng.shuffle(parts)
        return ("+", *parts)
    if pick == 3:
        return (f"str.{rng.choice(METHODS[:3])}", inner, rng.choice(PIECES))
    return (f"str.{rng.choice(METHODS)}", inner)  # fmt: skip


def drawn_question(rng):
    text, piece = drawn_text(rng, rng.randrange(4)), rng.choice(PIECES)
    pick = rng.randrange(7)
    if pick == 0:
        return (f"str.{rng.choice(QUESTIONS)}", text)
    if pick == 1:
        return (rng.choice(("==", "!=", "same")), *rng.choice(((text, piece), (piece, text))))
    if pick == 2:
        return (rng.choice(("==", "!=")), ("[]", text, rng.choice((0, -1))), piece)
    if pick == 3:
        return ("in", *rng.choice(((piece, text), (text, ("tuple", piece, "ab")))))
    if pick == 4:
        return ("truth", text)
    return (f"str.{rng.choice(('startswith', 'endswith'))}", text, piece)


def test_what_a_text_satisfies_is_not_refuted():
    rng = Random(5)
    kept = 0
    for _ in range(12_000):
        value = "".join(rng.choice(PIECES) for _ in range(rng.randrange(5)))
        constraints = []
        for _ in range(rng.randrange(1, 5)):
            term = drawn_question(rng)
            try:
                constraints.append((term, bool(evaluate(term, (value,)))))
            except IndexError:
                continue
        kept += len(constraints)
        assert type(ask(*constraints)) is Unknown, (value, constraints)
    assert kept > 10_000
