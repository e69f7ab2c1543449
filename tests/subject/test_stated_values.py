"""Values that a module states for parameters and keys: comparisons, tables, examples, choices."""

from __future__ import annotations

import ast

import pytest

from unitcraft.core.call_text import arg_text
from unitcraft.core.sequences import Const
from unitcraft.subject.description.stated_values import joined_values
from unitcraft.subject.source_files import FunctionSource
from unitcraft.subject.values.value_pools import ValuePools

#: A module with a text.
TEXT = "EXAMPLES = '''\n{}\n'''\ndef f(p): return [p]"
#: Source with a function ``f`` of a parameter ``p`` -> what is stated for ``p``.
STATED = [
    ("def f(p):\n    return p == 'fast'", ["fast"]),
    ("def f(p):\n    return p in ('fast', 'slow') or p == ''", ["fast", "slow"]),
    ("def f(p):\n    return p.strip().lower() != 'yes'", ["yes"]),
    ("MODES = {'fast': 1, 'slow': 2, 3: 4}\ndef f(p):\n    return MODES[p]", ["fast", "slow"]),
    ("MODES = {'slow', 'fast'}\ndef f(p):\n    return p in MODES", ["fast", "slow"]),
    ("MODES = {'fast': 1}\ndef f(p):\n    return MODES.get(p, 0)", ["fast"]),
    ("def f(p):\n    match p:\n        case 'fast': return 1\n    return 2", ["fast"]),
    ("def f(p):\n    return g(1, p)\ndef g(a, mode):\n    return mode == 'fast'", ["fast"]),
    ("def f(p):\n    return g(mode=p)\ndef g(mode):\n    return mode == 'fast'", ["fast"]),
    ("def f(p):\n    return p == 7", []),
    ("def f(p):\n    q = 'fast'\n    return q == 'slow'", []),
    (TEXT.format("- host: web.example\n  p: tcp\n  port: 80"), ["tcp"]),
    (TEXT.format("a: one\nb: two\np: what the value stands for here"), []),
    (TEXT.format("p:\n  description:\n    - it\n  p: one\n  type: str\n  a: b"), []),
    ("OPTIONS = dict(p=dict(choices=['tcp', 'udp'], default='all'))\ndef f(p): return [p]",
     ["tcp", "udp", "all"]),
    ("OPTIONS = {'p': {'default': 5}}\ndef f(p): return [p]", [5]),
    ("def run(parser):\n    parser.add_argument('--p', choices=['a', 'b'])\ndef f(p): return [p]",
     ["a", "b"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), STATED)
def test_what_the_module_shows_for_a_parameter_is_stated(subject, text, expected):
    described = subject(text)
    shown = [
        one.value.value for one in described.callers
        if (one.invocable, one.parameter) == ("sample:f", "p") and isinstance(one.value, Const)
    ]  # fmt: skip
    assert shown == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return self.CODES.get(p)", [91, 92]),
        ("return Error.CODES[p]", [91, 92]),
        ("return p in (Kind.ONE, Kind.TWO)", [1, 2]),
        ("return p in self.UNKNOWN or p in Nobody.CODES", []),
    ],
)
def test_tables_of_classes_state_their_keys(subject, body, expected):
    described = subject(
        "class Kind:\n    ONE = 1\n    TWO = 2\n    OTHER = True\n"
        "class Base:\n    CODES = {91: 'rejected', 92: 'failed'}\n"
        f"class Error(Base):\n    def text(self, p):\n        {body}\n"
    )
    shown = [
        one.value.value for one in described.callers
        if (one.invocable, one.parameter) == ("sample:Error.text", "p")
        and isinstance(one.value, Const)
    ]  # fmt: skip
    assert shown == expected


def test_what_is_stated_under_a_name_is_there_for_keys_and_tried_before_other_texts(subject):
    pools = ValuePools(subject(
        "EXAMPLES = '''\n- chain: INPUT\n  protocol: tcp\n  jump: ACCEPT\n  log: yes\n'''\n"
        "def rule(params): return params['protocol']\n"
        "def only(mode): return mode == 'fast'\n"
    ))  # fmt: skip
    assert [one.value for one in pools.stated("protocol")] == ["tcp"]
    assert [one.value for one in pools.stated("log")] == [True]
    assert pools.stated(3) == ()
    assert pools.values_of_kind("str", "only", 1, name="mode")[0].value == "fast"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("held = dict(rate=dict(type='int'))\n    held.update(p)", "{'name': {'type': 'int'}}"),
        ("held = {'name': 1.5}\n    held |= p", "{'key': 1.5}"),
        ("held = [(1, 'a'), (2, 'b')]\n    held.extend(p)", "[(1, 'a')]"),
        ("held = [1]\n    held += p", "[1]"),
        ("held = {}\n    held.update(p)", None),
        ("held = {1: 2}\n    held.update(p)", None),
        ("held = dict(p)\n    held.update(p)", None),
        ("held = {'a': 1}\n    held.pop(p)", None),
    ],
)
def test_what_is_joined_to_a_container_is_like_its_items(body, expected):
    text = f"def f(p):\n    {body}\n    return held"
    node = ast.parse(text).body[0]
    found = [one.value for one in joined_values([FunctionSource("m:f", ("p",), node)])]
    assert [arg_text(value) for value in found] == ([expected] if expected else [])
