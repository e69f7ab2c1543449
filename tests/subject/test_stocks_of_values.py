"""Values for parameters: defaults by name, constants near by, containers, callables, examples."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from re import _parser

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.known_types import BOOL, INT, STR, union
from unitcraft.subject.model import Constant, Example, Invocable, Parameter, Regex, Subject
from unitcraft.subject.values import default_values
from unitcraft.subject.values.callable_values import BY_ARITY, callables
from unitcraft.subject.values.constant_pool import ConstantPool, drawn_args, packed_fields
from unitcraft.subject.values.container_values import (
    dicts,
    interleave,
    is_hashable,
    tuples,
    typed_dicts,
    unique,
    with_elements,
)
from unitcraft.subject.values.default_values import KINDS
from unitcraft.subject.values.example_arguments import ExampleArguments, fits
from unitcraft.subject.values.regex_characters import Alphabet

ONE, TWO, THREE = Const(1), Const(2), Const(3)
LIST = Display("list", ())


def test_plain_texts_and_kinds_are_listed_once():
    assert len(default_values.TEXTS) == len(set(default_values.TEXTS))
    assert default_values.TEXTS[0] == "abc"
    assert {"int", "str", "callable1", "list_int"} <= set(KINDS)


SUBJECT = Subject(
    "m",
    "m.py",
    constants=(
        Constant(40, "far"),
        Constant(700, "near", "compare"),
        Constant(50, "callee", "compare"),
        Constant("stop", "near", "compare"),
        Constant(0.25, "far"),
        Constant(b"key", "near", "compare"),
    ),
    regexes=(Regex(r"[ab]\d", 0, "near"),),
    calls=(("near", ("callee",)),),
)


def values(args):
    return [arg.value for arg in args]


def test_constants_of_the_scope_come_before_those_of_others():
    found = values(ConstantPool(SUBJECT).ints("near"))
    assert found[:3] == [1, 0, 2]
    assert found[3:9] == [700, 701, 699, 50, 51, 49]
    assert found.index(40) > found.index(50)
    other = values(ConstantPool(SUBJECT).ints("other"))
    assert other.index(3) < other.index(700)


def test_integers_count_as_floats():
    found = values(ConstantPool(SUBJECT).floats("near"))
    assert found.index(700.0) < found.index(0.25)
    assert all(type(one) is float for one in found)


def test_texts_are_drawn_from_the_regex_of_the_scope():
    found = values(islice(ConstantPool(SUBJECT).texts("near"), 12))
    assert "stop" in found
    assert any(re.fullmatch(r"[ab]\d", one) for one in found)
    assert b"key" in values(ConstantPool(SUBJECT).byte_strings("near"))
    assert b"stop" in values(ConstantPool(SUBJECT).byte_strings("near"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (">I", b"\0\0\0\x05"), ("<HB", b"\x05\0\x06"), ("!2B", b"\x05\x06"),
        (">s", b""), (">", b""), ("I", b""), (3, b""),
    ],
)  # fmt: skip
def test_numbers_are_packed_as_a_format_says(text, expected):
    assert packed_fields(text) == expected


def test_packed_numbers_come_before_other_bytes():
    described = replace(SUBJECT, constants=(Constant(">I", "near", "plain"), *SUBJECT.constants))
    assert next(iter(values(ConstantPool(described).byte_strings("near")))) == b"\0\0\0\x05"
    assert next(iter(values(ConstantPool(SUBJECT).byte_strings("near")))) == b"abc"


def test_one_drawn_text_misses_nearly():
    found = values(drawn_args(Regex(r"\d{3}", 0)))
    assert [bool(re.fullmatch(r"\d{3}", one)) for one in found].count(False) == 1


@pytest.mark.parametrize(
    ("pattern", "first", "excluded"),
    [
        ("[a-z0-9_]", ["a", "1", "_"], "A"),
        ("[^a]", ["b"], "a"),
        (r"[\d]", ["1"], "x"),
        ("[é]", ["é"], "e"),
    ],
)
def test_members_of_a_character_class(pattern, first, excluded):
    item = _parser.parse(pattern)[0]
    items = item[1] if str(item[0]) == "IN" else [item]
    items = (
        [(_parser.NEGATE, None), (_parser.LITERAL, item[1])]
        if str(item[0]) == "NOT_LITERAL"
        else items
    )
    alphabet = Alphabet(0)
    found = alphabet.members(items)
    assert found[: len(first)] == first
    assert excluded not in found
    assert all(alphabet.accepts(char, items) for char in found)


def test_readable_characters():
    assert Alphabet(0).plain(0) == "a"
    assert Alphabet(0).other_than("A") == "b"


def test_repeats_are_dropped_by_type():
    assert list(unique([ONE, Const(value=True), Const(1.0), ONE])) == [
        ONE,
        Const(value=True),
        Const(1.0),
    ]
    assert list(interleave([[ONE, TWO], [], [THREE]])) == [ONE, THREE, TWO]


def test_what_is_hashable():
    assert is_hashable(Display("tuple", (ONE,)))
    assert not is_hashable(Display("tuple", (LIST,)))
    assert not is_hashable(Build(Symbol("m", "f"), (LIST,)))


def test_shapes_of_containers():
    lists = [one.items for one in with_elements("list", [ONE, TWO, THREE])]
    assert lists[:5] == [(ONE, TWO, THREE), (), (ONE,), (TWO, ONE), (THREE, TWO, ONE)]
    assert (ONE, ONE) in lists
    sets = [one.items for one in with_elements("set", [ONE, ONE, LIST])]
    assert all(LIST not in items and items.count(ONE) < 2 for items in sets)


def test_shapes_of_dicts_and_tuples():
    assert [len(one.items) // 2 for one in islice(dicts([ONE, TWO], [THREE]), 3)] == [2, 0, 1]
    assert list(dicts([LIST], [ONE])) == [Display("dict", ())]
    pairs = [one.items for one in tuples([[ONE, TWO], [THREE]])]
    assert pairs[:2] == [(ONE, THREE), (TWO, THREE)]
    assert list(tuples([[ONE], []])) == []
    assert next(typed_dicts((Const("k"),), [[ONE]])).items == (Const("k"), ONE)


@pytest.mark.parametrize(
    ("args", "first"),
    [
        ((INT, BOOL), "lambda x: x > 1"),
        ((STR, BOOL), "lambda x: True"),
        ((ANY, ANY, ANY), "lambda x, y: x + y"),
        ((TypeExpr("none"),), "lambda: None"),
    ],
)
def test_callables_by_arity_and_result(args, first):
    assert callables(TypeExpr("callable", args))[0] == Source(first)


def test_callables_of_unknown_arity_are_mixed():
    found = callables(TypeExpr("callable"))
    assert {BY_ARITY[0][0], BY_ARITY[1][0], BY_ARITY[2][0]} <= set(found)


def test_arguments_of_examples():
    put = Invocable(
        "m:Box.put",
        "method",
        "put",
        "m:Box",
        (Parameter("item"), Parameter("rest", "var_positional")),
    )
    call = Call("method", "put", (Ref(0), Const("a"), Const(2)), (("item", Ref(0)),))
    subject = Subject(
        "m", "m.py", invocables=(put,), examples=(Example("m:Box.put", Sequence((call,))),)
    )
    known = ExampleArguments(subject)
    assert known.of("Box.put", "item") == [Const("a")]
    assert known.of("Box.put", "rest") == [Const(2)]
    assert known.alike("item", STR) == [Const("a")]
    assert known.alike("item", INT) == []


@pytest.mark.parametrize(
    ("arg", "type_", "expected"),
    [
        (ONE, TypeExpr("float"), True),
        (ONE, union(STR, INT), True),
        (Const("a"), INT, False),
        (LIST, TypeExpr("iterable"), True),
        (Source("lambda: 1"), TypeExpr("callable"), True),
        (ONE, TypeExpr("literal", literals=(TWO,)), False),
        (Const(value=True), INT, False),
        (LIST, ANY, True),
        (Build(Symbol("m", "Box")), TypeExpr("class", cls="m:Box"), True),
    ],
)
def test_whether_a_value_fits_a_type(arg, type_, expected):
    assert fits(arg, type_) is expected
