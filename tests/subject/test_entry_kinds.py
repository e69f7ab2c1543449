"""The kinds of what a module keeps under the keys of its records."""

from __future__ import annotations

import ast

import pytest

from unitcraft.core.sequences import Const, Display
from unitcraft.explore.plausibility.named_values import better_named, burden_of_names, meant
from unitcraft.subject.description_context import context_of
from unitcraft.subject.ducktypes.nested_structure import nested_values, structure_of
from unitcraft.subject.passing.entry_kinds import entry_kinds
from unitcraft.subject.passing.expression_kinds import ExpressionTypes
from unitcraft.subject.passing.name_bindings import scopes_of

#: Body of a function of ``items`` and ``title: str`` -> (key, kind).
ENTRIES = [
    ("return {'id': len(items) + 1, 'title': title.strip(), 'done': False}",
     [("id", "int"), ("title", "str"), ("done", "bool")]),
    ("return {'id': max((i['id'] for i in items), default=0) + 1, 'note': None}", [("id", "int")]),
    ("items['tags'] = [title]", [("tags", "list")]),
    ("items['size'] -= 2", [("size", "int")]),
    ("return {'alone': 1}", []),
    ("return {title: 1, 'other': items}", []),
    ("items['one'] = 1\n    items['one'] = title", []),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), ENTRIES)
def test_what_is_kept_under_a_key_has_one_kind(load, subject, body, expected):
    text = f"def f(items, title: str):\n    {body}\n"
    types = ExpressionTypes(context_of(load(text)), subject(text), scopes_of(ast.parse(text)))
    rows = [(one.path, one.operand) for one in entry_kinds(types, ast.parse(text))]
    assert rows == expected


#: Arguments of ``add_argument`` -> (name, kind).
OPTIONS = [
    ('"id", type=int', [("id", "int")]), ('"-t", "--tag"', [("tag", "str")]),
    ('"--dry-run", action="store_true"', [("dry_run", "bool")]),
    ('"--no", dest="yes", action="store_false"', [("yes", "bool")]),
    ('"words", nargs="+"', [("words", "list")]), ('"word", nargs="?"', []),
    ('"-v", action="count"', [("v", "int")]), ('"--log", type=open', []),
    ('"--version", action="version"', []), ('"--path", type=pathlib.Path', []), ("*items", []),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), OPTIONS)
def test_what_an_option_makes_has_a_kind(load, subject, given, expected):
    text = f"def f(parser, items):\n    parser.add_argument({given})\n"
    types = ExpressionTypes(context_of(load(text)), subject(text), scopes_of(ast.parse(text)))
    rows = [(one.path, one.operand) for one in entry_kinds(types, ast.parse(text))]
    assert rows == expected


def test_a_value_of_another_kind_than_is_kept_costs_more():
    item = Display("dict", (Const("done"), Const("abc"), Const("state"), Const("def")))
    kinds = {"done": "bool"}
    assert burden_of_names(item) == 0 < burden_of_names(item, kinds)
    assert list(better_named(item, kinds)) == [
        Display("dict", (Const("done"), Const(value=True), Const("state"), Const("def")))
    ]
    assert meant("done", kinds) == Const(value=True)


def test_what_code_reads_from_a_record_is_of_the_kind_that_is_kept():
    function = ast.parse("def f(p):\n    return [p['done'], p['size'], p['name']]").body[0]
    read = structure_of(function, "p")
    plain = {"done": Const(value=True), "size": Const(1)}
    (value,) = nested_values(read, plain)
    assert [one.value for one in value.items[1::2]] == [True, 1, "abc"]
