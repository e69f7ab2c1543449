"""What the code does with answers, and the first answers that can go through it."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest

from unitcraft.core.sequences import Const, Display
from unitcraft.subject.ducktypes.answer_shapes import AnswerShapes
from unitcraft.subject.reading.answer_uses import answer_uses


def read(body):
    source = "def main(module):\n" + indent(body, "    ")
    return answer_uses(ast.parse(source))


def tuple_of(*values):
    return Display("tuple", tuple(map(Const, values)))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("rc, out, err = module.run('w')\nreturn rc == 0 and int(out.strip())", (0, "1", "")),
        ("rc, out, err = module.run('w')\nif rc != 3:\n    return out.splitlines()", (3, "a", "")),
        ("out, err = module.run('w')\nreturn int(out.split(' ')[5])", ("1 2 3 4 5 6", "")),
        ("out, err = module.run('w')\nreturn out.split()[1], err.upper()", ("a b", "a")),
    ],
)
def test_an_unpacked_answer_has_items_that_its_use_can_go_through(body, expected):
    (use,) = (one for one in read(body) if one.name == "run")
    assert AnswerShapes([use]).shape_of(use) == tuple_of(*expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return module.run('w').split('=')[1]", Const("a=b")),
        ("for line in module.run('w'):\n    line.split(':')", Display("list", (Const("a:b"),))),
        ("fields = module.run('w').split('|')\nreturn [f.split('=') for f in fields]",
         Const("a=b|c=d")),
        ("name, value = module.run('w').split(',')", Const("a,b")),
        ("for name, _, size in sorted(module.run('w')):\n    print(name, size)",
         Display("list", (tuple_of("a", "b", "c"),))),
        ("if module.run('w'):\n    return 1", Const(value=True)),
        ("return module.run('w').decode()", Const(b"a")),
        ("found = module.run('w')\nreturn found == 7", Const(7)),
        ("found = module.run('w')\nfound = 'x'\nreturn found.upper()", None),
        ("module.run('w')", None),
    ],
)  # fmt: skip
def test_one_answer_has_the_shape_of_its_use(body, expected):
    (use,) = (one for one in read(body) if one.name == "run")
    assert AnswerShapes([use]).shape_of(use) == expected


LOOKED_UP = """
import re

FAMILY = re.compile("family: (?P<name>[a-z]+)")

def main(module):
    out = module.run("a")
    found = re.search("^Memory=([0-9]+)MB$", out.strip())
    out = module.run("b")
    for line in out.splitlines():
        yield FAMILY.match(line)
    out = module.run("c")
    number = int(re.findall("[a-z0-9]", out)[0])
    return number, module.helper([r"e=(.+?)[&]", "f"], module.run("d"), "name")
"""


def test_an_answer_that_a_regex_looks_up_is_a_text_that_it_matches():
    uses = [one for one in answer_uses(ast.parse(LOOKED_UP)) if one.name == "run"]
    texts = {
        "^Memory=([0-9]+)MB$": ("Memory=1MB",),
        "[a-z0-9]": ("a", "7"),
        r"e=(.+?)[&]": ("e=1&",),
    }
    shapes = AnswerShapes(uses, lambda regex: texts.get(regex.pattern, ("family: a",)))
    assert [shapes.shape_of(one) for one in uses] == [
        Const("Memory=1MB"), Const("family: a"), Const("7"), Const("e=1&"),
    ]  # fmt: skip


def test_what_one_call_does_not_look_at_is_as_other_calls_have_it():
    body = (
        "rc, out = module.run('a')\nout.strip()\n"
        "rc, out = module.run('b')\nif rc == 0:\n    return out"
    )
    shapes = AnswerShapes(one for one in read(body) if one.name == "run")
    assert [shapes.shape_of(use) for use in shapes.uses["run"]] == [tuple_of(0, "a")] * 2
    assert shapes.of("run") == (tuple_of(0, "a"),)


def test_the_first_answers_are_those_that_most_calls_can_go_through():
    body = "\n".join(
        ["module.run('c').append(1)"] + [f"int(module.run('{name}'))" for name in "ab"]
    )
    assert AnswerShapes(read(body)).of("run") == (Const("1"), Display("list", (Const(1),)))


def test_the_texts_that_are_passed_and_the_lines_of_the_answers_are_known():
    body = """\
for path in ('/a', '/b'):
    if module.exists(path):
        return 1
text = module.load('c')
if module.load(text):
    words = text.split()
    return words
"""
    uses = [(use.name, use.keys, sorted(use.lines)) for use in read(body)]
    assert uses == [
        ("exists", ("/a", "/b"), [3]),
        ("load", ("c",), [5, 6, 7, 8]),
        ("load", (), [6]),
    ]


def test_builtin_functions_and_methods_of_texts_are_not_answered_by_stand_ins():
    assert read("return len(module).bit_length, 'a'.join(module), int(module)") == ()


def test_scopes_are_those_of_methods_and_of_the_functions_around_nested_ones():
    source = """
class Box:
    def open(self):
        def inner():
            return self.fetch("a")
        return self.load("b")
"""
    assert [(use.scope, use.name) for use in answer_uses(ast.parse(source))] == [
        ("Box.open", "load")
    ]
