"""Repair and the alternating variable method find the value that a person would choose."""

from __future__ import annotations

import math

import pytest

from unitcraft.solve.inversion.repair import Repair
from unitcraft.solve.layer import End
from unitcraft.solve.local_search.alternating_variable import AlternatingVariable
from unitcraft.solve.local_search.branch_distance import branch_distance
from unitcraft.solve.protocol import Query, Sat, Unknown
from unitcraft.solve.statistics import Statistics
from unitcraft.solve.validate import valid
from unitcraft.symbolic.terms.term import holds

S, T = ("v", 0), ("v", 1)
DIGITS = r"(\d{4})-(\d\d)"


def repaired(constraints, kinds, hint):
    statistics = Statistics()
    return Repair(End(statistics), statistics).solve(Query(tuple(constraints), kinds, hint))


def searched(constraints, kinds, hint, evaluations=4000):
    statistics = Statistics()
    layer = AlternatingVariable(End(statistics), statistics, evaluations)
    return layer.solve(Query(tuple(constraints), kinds, hint))


INTS = [
    ("==", ("%", S, 7), 3), ("==", ("//", S, 10), -3), ("==", ("*", S, 6), 42),
    (">", ("*", S, S), 1000), ("==", ("&", S, 12), 8), ("==", ("^", S, 5), 99),
    ("==", ("<<", S, 3), 48), ("==", ("abs", ("-", S, 3)), 20), ("==", ("**", S, 2), 49),
    ("==", ("int.bit_length", S), 9), ("==", ("+", ("*", 2, S), 5), 25),
    ("in", S, ("tuple", 7, 70)),
    ("==", ("str", S), "451"), ("==", ("chr", S), "Q"), ("==", ("/", S, 4), 2.5),
    ("==", ("hex", S), "0xff"), ("==", ("format", S, ""), "12"), ("same", S, -40),
    ("==", ("[]", ("list", 1, 2, 9), S), 9), ("==", ("-", 100, S), 58), ("<", ("float", S), -1.5),
]  # fmt: skip

TEXTS = [
    ("==", S, "stop"), ("str.startswith", S, "http"), ("str.endswith", S, ("tuple", ".py", ".c")),
    ("in", "@", S), (">", ("len", S), 12), ("==", ("len", S), 0), ("==", ("[]", S, 3), "x"),
    ("==", ("[]", S, -1), "!"), ("==", ("[:]", S, 2, 4, None), "zz"), ("str.isdigit", S),
    ("==", ("str.lower", ("str.strip", S)), "yes"), ("==", ("int", S), 42),
    (">", ("float", S), 9.5), ("==", ("str.find", S, ":"), 4), ("==", ("str.count", S, "-"), 3),
    ("==", ("[]", ("str.split", S, ","), 2), "q"), ("==", ("len", ("str.split", S, ";")), 4),
    ("truth", ("re.match", DIGITS, 0, S)),
    ("==", ("Match.group", ("re.search", DIGITS, 0, S), 2), "07"),
    ("==", ("int", ("Match.group", ("re.match", DIGITS, 0, S), 1)), 1999),
    ("==", ("str.upper", S), "OK"), ("==", ("+", S, "!"), "wow!"), ("==", ("*", S, 2), "abab"),
    (">", S, "zebra"), ("<", S, "B"), ("==", ("ord", ("[]", S, 0)), 95),
    ("==", ("str.replace", S, " ", ""), "ab"), ("str.isupper", S), ("str.isspace", S),
    ("==", ("[:]", S, None, None, -1), "olleh"), ("==", ("str.encode", S), b"key"),
    ("==", ("str.partition", S, "="), ("tuple", "k", "=", "v")),
    ("==", ("[]", ("str.partition", S, "="), 0), "name"), ("in", S, ("tuple", "red", "blue")),
]  # fmt: skip


def test_a_separator_is_put_in_and_a_text_grows_of_its_own_characters():
    part = ("[]", ("str.partition", ("str.strip", S), "="), 1)
    begins = (("str.startswith", ("str.strip", S), "["), True)
    found = repaired([begins, (("truth", part), True)], ("str",), ("[a",))
    assert type(found) is Sat
    long = (("<", ("len", S), 4), False)
    assert type(repaired([(("str.isdigit", S), True), long], ("str",), ("1",))) is Sat


@pytest.mark.parametrize("term", INTS, ids=repr)
def test_int_found_by_repair(term):
    constraints = [(term, True)]
    assert type(repaired(constraints, ("int",), (5,))) is Sat


@pytest.mark.parametrize("term", TEXTS, ids=repr)
def test_text_found_by_repair(term):
    constraints = [(("<", ("len", S), 99), True), (term, True)]
    verdict = repaired(constraints, ("str", "str"), ("zq", "u"))
    assert type(verdict) is Sat
    assert valid(Query(tuple(constraints), ("str", "str"), ("zq", "u")), verdict.values)


@pytest.mark.parametrize(
    ("term", "kind", "hint"),
    [
        (("ok", ("//", 7, S)), "int", 3), (("ok", ("int", S)), "str", "12"),
        (("ok", ("[]", S, 2)), "str", "abc"), (("ok", ("chr", S)), "int", 9),
        (("ok", ("[]", ("str.split", S, ","), 1)), "str", "a,b"),
        (("ok", ("math.sqrt", S)), "float", 4.0), (("ok", ("int", S)), "float", 4.0),
        (("ok", ("str.index", S, "=")), "str", "a=b"), (("ok", ("/", 1.0, S)), "float", 1.0),
        (("ok", ("bytes.decode", S)), "bytes", b"a"), (("==", S, S), "float", 1.0),
        (("math.isfinite", S), "float", 1.0), (("truth", S), "bytes", b"x"),
    ],
    ids=repr,
)  # fmt: skip
def test_outcome_is_negated_and_negated_back(term, kind, hint):
    negated = repaired([(term, False)], (kind,), (hint,))
    assert type(negated) is Sat
    assert type(repaired([(term, True)], (kind,), negated.values)) is Sat


def test_changed_input_keeps_the_other_constraints():
    constraints = [((">", S, 10), True), (("<", S, 20), True), (("==", ("%", S, 5), 0), True)]
    verdict = repaired(constraints, ("int",), (13,))
    assert verdict.values[0] == 15


def test_two_inputs_at_once_are_left_to_others():
    constraints = [(("==", S, T), True), (("==", S, 40), True)]
    assert type(repaired(constraints, ("int", "int"), (3, 3))) is Unknown


@pytest.mark.parametrize(
    ("constraints", "kinds", "hint"),
    [
        ([(("==", S, T), True), (("==", S, 40), True)], ("int", "int"), (3, 3)),
        ([(("==", ("+", ("*", S, S), ("*", T, T)), 85), True)], ("int", "int"), (0, 0)),
        ([(("==", ("+", S, T), 0.75), True), ((">", S, T), True)], ("float", "float"), (0.0, 9.0)),
        ([(("<", ("abs", ("-", ("math.sin", S), 0.5)), 0.001), True)], ("float",), (3.0,)),
        ([(("==", ("str.lower", S), "hex"), True), (("==", S, "hex"), False)], ("str",), ("",)),
        ([(("str.isalpha", S), True), (("==", ("len", S), 4), True), ((">", S, "m"), True)],
         ("str",), ("12",)),
        ([(("==", ("[]", S, 0), 7), True), (("==", ("len", S), 3), True)], ("bytes",), (b"",)),
    ],
    ids=repr,
)  # fmt: skip
def test_found_by_local_search(constraints, kinds, hint):
    verdict = searched(constraints, kinds, hint)
    assert type(verdict) is Sat
    assert valid(Query(tuple(constraints), kinds, hint), verdict.values)
    assert verdict == searched(constraints, kinds, hint)


def test_local_search_ends():
    assert searched([(("<", ("*", S, S), 0), True)], ("int",), (3,), 500) == Unknown("theory")


def test_texts_do_not_grow_without_end():
    forever = [((">", ("len", S), ("+", ("len", S), 1)), True)]
    assert searched(forever, ("str",), ("ab",)) == Unknown("theory")


@pytest.mark.parametrize(
    ("constraint", "far", "near"),
    [
        ((("<", S, 10), True), 90, 12),
        ((("==", S, 10), True), -90, 9),
        ((("truth", S), False), 90, 1),
        ((("==", S, "hello"), True), "zz", "hellp"),
        ((("str.startswith", S, "abc"), True), "xyz", "abd"),
        ((("in", "abc", S), True), "xyzzy", "xxabd"),
        ((("str.isdigit", S), True), "abc", "1b2"),
        ((("<", S, 10.0), True), math.nan, 11.0),
        ((("same", S, 3), True), 300, 4),
        ((("<", ("int", S), 5), True), "x", "99"),
    ],
)
def test_distance_falls_towards_the_goal(constraint, far, near):
    assert 0.0 < branch_distance(constraint, (near,)) < branch_distance(constraint, (far,)) <= 1.0
    assert not holds(constraint, (near,))


def test_distance_is_zero_exactly_when_satisfied():
    for value in (3, 10**400, -(10**400), 0):
        for constraint in ((("<", S, 3), True), (("==", S, 0), False), (("!=", S, 0), False)):
            assert (branch_distance(constraint, (value,)) == 0.0) == holds(constraint, (value,))
