"""What callees outside of the module accept of the parameters that are handed on to them."""

from __future__ import annotations

import pytest

from unitcraft.core.types import TypeExpr
from unitcraft.subject.description.library_calls import ACCEPTED
from unitcraft.subject.ducktypes.kind_support import supports
from unitcraft.subject.ducktypes.type_inference import types_accepted
from unitcraft.subject.model import ParameterUse

HELPERS = """
    class Shop: ...
    def made(first, second: "int | None" = None): ...
    class Sold:
        def __init__(self, shop: Shop): ...
        def move(self, to: str): ...
        def _plain(self, to): ...
    SOLD = Sold(Shop())
"""
#: Body of ``f(p)`` -> (kinds that the callee accepts, does it refuse others for certain?).
CALLS = [
    ("re.match('a', p)", ("str|bytes", True)),
    ("search('a', p)", ("str|bytes", True)),
    ("WORD.match(p)", ("str", True)),
    ("', '.join(p)", ("iterable", True)),
    ("os.path.exists(p)", ("path", True)),
    ("datetime.date(2024, 1, p)", ("int", True)),
    ("random.choice(p)", ("iterable", True)),
    ("random.shuffle(p)", ("list", True)),
    ("statistics.median(p)", ("iterable", True)),
    ("helpers.made(0, p)", ("int|NoneType", False)),
    ("helpers.made(0, second=p)", ("int|NoneType", False)),
    ("helpers.Sold(p)", ("helpers:Shop", False)),
    ("helpers.SOLD.move(p)", ("str", False)),
    ("helpers.Sold.move(helpers.SOLD, p)", ("str", False)),
    ("helpers.Sold.move(p, 'a')", None),
    ("helpers.SOLD._plain(p)", None),
    ("nowhere.found(p)", None),
    ("p.match(p)", None),
]


@pytest.mark.parametrize(("call", "expected"), CALLS)
def test_a_parameter_that_is_handed_on_has_the_kind_that_the_callee_declares(
    call, expected, write, subject
):
    write("helpers.py", HELPERS)
    text = f"""
        import datetime, os, random, re, statistics, helpers
        from re import search
        WORD = re.compile("a")
        def f(p):
            return {call}
    """
    rows = [row for row in subject(text).uses if row.operation == "argument"]
    assert [(row.operand, row.certain) for row in rows] == ([] if expected is None else [expected])


@pytest.mark.parametrize("call", ["Cache.__init__(self, size, key)", "super().__init__(size, key)"])
def test_what_a_base_class_does_with_its_parameters_counts_for_its_heirs(call, subject):
    text = f"""
        class Cache:
            def __init__(self, size, key=None):
                self.full = size > 3
                self.found = key("abc")
        class Sorted(Cache):
            def __init__(self, size, key=None):
                {call}
    """
    uses = [
        (row.path, row.operation) for row in subject(text).uses if row.invocable.endswith(":Sorted")
    ]
    assert uses == [("size", "gt"), ("key", "call")]


def test_a_name_that_the_function_binds_is_no_callee_of_the_module(subject):
    text = "import re\ndef f(p):\n    re = open(p)\n    return re.match(1, p)\n"
    assert [row.operand for row in subject(text).uses if row.operation == "argument"] == ["path"]


@pytest.mark.parametrize(
    ("kind", "operand", "expected"),
    [
        ("str", "path", True), ("int", "str|bytes", False), ("bool", "int", True),
        ("list", "iterable", True), ("int", "iterable", False), ("NoneType", "int|NoneType", True),
        ("dict", "helpers:Shop", False), ("int", "collections.abc:Hashable", True),
    ],
)  # fmt: skip
def test_a_callee_takes_values_of_the_kinds_that_it_accepts(kind, operand, expected):
    assert supports(kind, ParameterUse("m:f", "p", "argument", operand)) is expected


def test_what_takes_texts_is_given_texts():
    assert list(types_accepted("str|bytes")) == [TypeExpr("str")]
    assert list(types_accepted("bytes|m:Box")) == [
        TypeExpr("bytes"),
        TypeExpr("class", cls="m:Box"),
    ]


def test_the_library_is_listed_place_by_place():
    assert ACCEPTED["textwrap:wrap"] == ("str", "int")


def test_what_functions_of_sibling_modules_do_with_a_parameter_counts(write, subject):
    write("shop/__init__.py", "")
    write("shop/words.py", "def loud(t): return t.upper()\ndef pass_on(t): return loud(t)")
    text = "from shop import words\ndef f(p): return words.pass_on(p)\n"
    uses = subject(text, name="shop.signs").uses
    assert {(row.invocable, row.path, row.operand) for row in uses} == {
        ("shop.signs:f", "p", "upper"),
        ("shop.signs:f", "p.upper", ""),
    }


def test_a_method_takes_what_those_pass_who_call_it_in_the_base_of_the_library(subject):
    text = """
        import logging
        class Shout(logging.Formatter):
            def format(self, record): return record.anything
    """
    rows = [row for row in subject(text).uses if row.operation == "argument"]
    assert [(row.path, row.operand) for row in rows] == [("record", "logging:LogRecord")]


def test_what_is_done_with_a_field_of_a_record_is_done_with_what_it_was_made_of(subject):
    text = """
        from collections import namedtuple
        Rule = namedtuple("Rule", ["case", "exclude"])
        Other = namedtuple("Other", ["case"])
        def names(texts, rules):
            rule = rules.get(texts[0])
            return rule.case(texts[0]) if rule.exclude is None else None
        def either(thing): return thing.case(1)
    """
    rows = [row for row in subject(text).uses if row.invocable in ("sample:Rule", "sample:Other")]
    assert [(row.invocable, row.path, row.operation) for row in rows] == [
        ("sample:Rule", "exclude", "is"),
        ("sample:Rule", "case", "call"),
    ]
