"""What an argument of an unlikely kind costs: a text is not what is meant by several things."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Source, Symbol
from unitcraft.core.types import TypeExpr
from unitcraft.explore.plausibility.argument_burdens import (
    DISORDER_BURDEN,
    INDEX_BURDEN,
    ITSELF_BURDEN,
    LEAVABLE_BURDEN,
    LETTERS_BURDEN,
    OTHER_KIND_BURDEN,
    PLAIN_KINDS,
    RARER_BURDEN,
    RECORD_BURDEN,
    TWICE_BURDEN,
    burden_of_call,
    burden_of_rarer,
    burden_of_unknown,
    put_in_order,
    wraps_unfit,
)
from unitcraft.explore.plausibility.parameter_evidence import Candidate, Evidence
from unitcraft.subject.model import Parameter

TEXTS = Candidate(TypeExpr("list", (TypeExpr("str"),)), 6, ("flow",))
TEXT = Candidate(TypeExpr("str"), 5, ("flow",))
ITEMS = Candidate(TypeExpr("list"), 4, ("callee",))


def evidence(name, *candidates, **more):
    return Evidence(Parameter(name), candidates, **more)


@pytest.mark.parametrize(
    ("name", "candidates", "letters"),
    [
        ("allowed_methods", (TEXTS, TEXT), True),
        ("route", (TEXTS, TEXT, ITEMS), True),
        ("text", (TEXTS, TEXT), False),
        ("address", (TEXTS, TEXT), False),
        ("names", (TEXT, TEXTS), False),
        ("vs", (TEXTS, TEXT), False),
    ],
)
def test_a_text_costs_more_where_several_things_are_meant(name, candidates, letters):
    known = evidence(name, *candidates)
    assert burden_of_unknown(known, Const("abc")) == OTHER_KIND_BURDEN + LETTERS_BURDEN * letters
    assert burden_of_unknown(known, Const("")) == OTHER_KIND_BURDEN
    assert burden_of_unknown(known, Const(1)) == OTHER_KIND_BURDEN + PLAIN_KINDS["int"]


def test_what_may_be_left_out_costs_where_nothing_is_known():
    bare = evidence("loader", takes_none=True)
    assert burden_of_unknown(bare, Display("list", ())) == PLAIN_KINDS["list"] + LEAVABLE_BURDEN
    assert burden_of_unknown(evidence("loader"), Const("abc")) == 0


@pytest.mark.parametrize(
    ("name", "value", "burden"),
    [("i", 0, 0), ("i", 2, INDEX_BURDEN + 2), ("index", -1, INDEX_BURDEN + 1), ("size", 2, 0)],
)
def test_a_place_that_few_containers_have_costs_more_than_the_first(name, value, burden):
    number = Candidate(TypeExpr("int"), 6, ("flow",))
    assert burden_of_rarer(evidence(name, number), Const(value)) == burden


@pytest.mark.parametrize(
    ("seed", "burden"), [(3, 0), ("abc", 2 * RARER_BURDEN), (b"abc", 3 * RARER_BURDEN), (None, 0)]
)
def test_chance_is_seeded_with_a_number(seed, burden):
    either = [Candidate(TypeExpr(kind), 6, ("annotation",)) for kind in ("int", "str", "bytes")]
    assert burden_of_rarer(evidence("seed", *either), Const(seed)) == burden


@pytest.mark.parametrize(("kind", "burden"), [("int", RARER_BURDEN), ("bool", 0)])
def test_a_truth_value_is_no_number(kind, burden):
    known = evidence("rate", Candidate(TypeExpr(kind), 6, ("flow",)))
    assert burden_of_rarer(known, Const(value=True)) == burden


@pytest.mark.parametrize(("name", "burden"), [("options", RECORD_BURDEN), ("prices", 0)])
def test_entries_of_a_record_cost_more_than_none(name, burden):
    table = evidence(name, Candidate(TypeExpr("dict"), 6, ("flow",)))
    fruit = Display("dict", (Const("pear"), Const(3)))
    assert burden_of_rarer(table, fruit) == burden
    assert burden_of_rarer(table, Display("dict", ())) == 0
    assert burden_of_unknown(evidence(name), fruit) == PLAIN_KINDS["dict"] + burden


def day(year):
    return Build(Symbol("datetime", "date"), (Const(year), Const(1), Const(31)))


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (
            [("start", day(2024)), ("asof", day(2008)), ("end", day(2009))],
            {"start": day(2008), "asof": day(2009), "end": day(2024)},
        ),
        ([("low", Const(3)), ("high", Const(1.5))], {"low": Const(1.5), "high": Const(3)}),
        (
            [("from_year", Const(3)), ("name", Const("a")), ("to_year", Const(1))],
            {"from_year": Const(1), "to_year": Const(3)},
        ),
        ([("start", day(2008)), ("end", day(2008))], {}),
        ([("end", day(2024)), ("start", day(2008))], {}),
        ([("first", Const("b")), ("last", Const("a"))], {}),
        ([("start", Const(value=True)), ("stop", Const(0))], {}),
        ([("start", day(2024)), ("other", day(2008))], {}),
    ],
)
def test_what_lies_between_a_start_and_its_end_is_put_in_order(named, expected):
    assert put_in_order(tuple(named)) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (Call("method", "add", (Ref(0), Ref(0))), ITSELF_BURDEN),
        (Call("method", "add", (Ref(0), Ref(1))), 0),
        (Call("function", "m:f", (Display("list", (Ref(0), Ref(0))),)), TWICE_BURDEN),
        (Call("function", "m:f", (Display("list", (Ref(0), Ref(1))),)), 0),
        (Call("function", "m:f", (Display("list", (Const(1), Const(1))),)), 0),
    ],
)
def test_an_object_in_two_places_costs_more_than_another_one(call, expected):
    assert burden_of_call(call, []) == expected


def test_a_start_after_its_end_costs():
    given = [(evidence("start"), Const(2)), (evidence("stop"), Const(1))]
    call = Call("function", "m:f", (Const(2), Const(1)))
    assert burden_of_call(call, given) == DISORDER_BURDEN
    assert burden_of_call(call, given[:1]) == 0


@pytest.mark.parametrize(
    ("text", "given", "unfit"),
    [
        ("lambda: 0", 1, True),
        ("lambda x, y: x + y", 1, True),
        ("lambda x: x", 1, False),
        ("lambda *args: 1 / 0", 3, False),
        ("lambda x, y=1: x", 1, False),
    ],
)
def test_a_wrapped_function_takes_what_its_wrapper_is_given(text, given, unfit):
    made = (Call("function", "m:retry"), Call("operator", "call", (Ref(0), Source(text))))
    called = Call("operator", "call", (Ref(1), *[Const(1)] * given))
    assert wraps_unfit((*made, called)) is unfit
    assert not wraps_unfit((*made, Call("function", "m:keep", (Ref(1),))))
    named = Call("operator", "call", (Ref(1),), (("x", Const(1)),))
    assert not wraps_unfit((*made, named))
