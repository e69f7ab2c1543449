"""The nested structure that code reads from a value, and values that have it."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest

from unitcraft.core.types import TypeExpr
from unitcraft.subject.ducktypes.answer_shapes import AnswerShapes
from unitcraft.subject.ducktypes.nested_structure import (
    MAX_DEPTH,
    MAX_ITEMS,
    ParameterStructures,
    nested_values,
    structure_of,
)
from unitcraft.subject.literal_args import literal_text
from unitcraft.subject.reading.answer_uses import answer_uses


def values(body):
    """The values of the parameter ``given`` of a function with that body, as they are written."""
    tree = ast.parse("def main(given):\n" + indent(body, "    "))
    return [
        ast.literal_eval(literal_text(one))
        for one in nested_values(structure_of(tree.body[0], "given"))
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("media = given['media']\nreturn media['title'].upper()", [{"media": {"title": "abc"}}]),
        ("return given.get('port', 80) - 1", [{"port": 1}, {}]),
        (
            "for one in given['files']:\n    if one.get('url') == 'x':\n        return one['size']",
            [{"files": [{"size": "abc", "url": "x"}] * 2}, {"files": [{"size": "abc"}]}],
        ),
        (
            "for name, part in given['parts'].items():\n    yield name, int(part['size'])",
            [{"parts": {"a": {"size": 1}}}],
        ),
        (
            "return [one['id'] for one in given if one['id']]",
            [[{"id": "abc"}] * 2, [{"id": "abc"}]],
        ),
        ("first, second = given['pair']\nreturn first['x']", [{"pair": [{"x": "abc"}] * 2}]),
        ("return given['rows'][2]['cell']", [{"rows": [{"cell": "abc"}] * 3}]),
        (
            "part = given.get('part') or {}\nif 'new' in part:\n    return part.get('old')",
            [{"part": {"new": "abc", "old": "abc"}}, {}],
        ),
        (
            "return next(f for f in given['list'] if f['on'])",
            [{"list": [{"on": "abc"}] * 2}, {"list": [{"on": "abc"}]}],
        ),
        (
            "if (found := given['found'])['state'] in ('on', 'off'):\n    return found",
            [{"found": {"state": "on"}}],
        ),
    ],
)
def test_values_have_all_that_is_asked_for_or_what_is_needed(body, expected):
    assert values(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "return given + 1",
        "return 'x' in given",
        "for one in given:\n    print(one)",
        "given = {}\nreturn given['a']",
        "def inner():\n    return given['a']",
    ],
)
def test_where_no_key_is_looked_up_there_is_no_structure(body):
    assert values(body) == []


def test_nesting_and_sizes_are_bounded():
    deep = "".join(["['a']"] * (MAX_DEPTH + 5))
    (value,) = values(f"return given{deep}")
    assert str(value).count("'a'") == MAX_DEPTH
    (value,) = values("return given[5000]['a']")
    assert value == [{"a": "abc"}] * MAX_ITEMS
    (value,) = values("while given['next']:\n    given = given['next']")
    assert value == {"next": "abc"}


def test_a_parameter_gets_the_values_that_are_of_its_type():
    tree = ast.parse("class Reader:\n    def read(self, data):\n        return data['a']['b']\n")
    structures = ParameterStructures(tree)

    def found(type_, scope="Reader.read"):
        return list(map(literal_text, structures.values(TypeExpr(type_), scope, "data")))

    assert found("any") == found("dict") == ["{'a': {'b': 'abc'}}"]
    assert found("list") == found("str") == found("any", "Reader.write") == []


def test_answers_of_one_function_have_what_all_its_calls_look_up():
    tree = ast.parse(
        "class First:\n"
        "    def play(self):\n"
        "        show = self.load('show')\n"
        "        name = show['name']\n"
        "        part = self.load('part')\n"
        "        return name, part.get('id')\n"
        "class Second:\n"
        "    def play(self):\n"
        "        return self.load('x')['other']\n"
    )
    shapes = AnswerShapes(answer_uses(tree))
    first = ['{"name": "abc", "id": "abc"}', '{"name": "abc"}']
    assert [literal_text(one).replace("'", '"') for one in shapes.of("load", "First")][:2] == first
    (second,) = shapes.of("load", "Second")
    assert literal_text(second).replace("'", '"') == '{"other": "abc"}'
