from __future__ import annotations

import ast
import re
import textwrap

import pytest

from unitcraft.subject.reading.constants import constants_in
from unitcraft.subject.reading.regexes import regexes_in


def rows(text: str) -> list[tuple[object, str, str]]:
    tree = ast.parse(textwrap.dedent(text))
    return [(one.value, one.scope, one.role) for one in constants_in(tree)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x): return x == 3", [(3, "f", "compare")]),
        ("def f(x): return x < -2.5", [(-2.5, "f", "compare")]),
        ("def f(x): return x in ('a', b'c')", [("a", "f", "member"), (b"c", "f", "member")]),
        ("T = {'k': 1}", [("k", "", "key"), (1, "", "plain")]),
        ("def f(d): return d['k']", [("k", "f", "key")]),
        (
            "def f(s): return s.startswith(('a', 'b'))",
            [("a", "f", "compare"), ("b", "f", "compare")],
        ),
        ("def f(o): return getattr(o, 'name')", [("name", "f", "compare")]),
        ("def f(x='abc'): ...", [("abc", "f", "default")]),
        ("def f(t, name): return t.encode(name)", [("utf-8", "f", "compare")]),
        ("def f(t, name): return t.decode(encoding=name)", [("utf-8", "f", "compare")]),
        ("def f(t): return t.encode('ascii')", [("ascii", "f", "plain")]),
        ("def f(t): return t.encode()", []),
        ("def f(x): return f'<{x:>10}>'", [("<", "f", "format"), (">", "f", "format")]),
        ("def f(x): return '%d!' % x", [("%d!", "f", "format")]),
        ("def f(x): return '{}!'.format(x)", [("{}!", "f", "format")]),
        (
            "def f(x):\n  match x:\n    case 'on': return 1",
            [("on", "f", "compare"), (1, "f", "plain")],
        ),
        (
            "class A:\n  L = 5\n  def m(self):\n    def g(): return 6",
            [(5, "A", "plain"), (6, "A.m", "plain")],
        ),
        ("def f(x):\n  y = 3\n  return x == 3", [(3, "f", "compare")]),
        ("'''doc'''\ndef f():\n  'doc'\n  return None", []),
        ("__all__ = ['f']\n__version__ = '1'", []),
        ("def f(x: 'int' = 1) -> 'str': ...", [(1, "f", "default")]),
        ("def f(): raise ValueError('long story')", []),
        ("def f(x): assert x, 'why'", []),
        (
            "def f(**o): return g(1, **o)\ndef g(n, *, dash=2): ...",
            [
                (1, "f", "plain"),
                (2, "g", "default"),
                ("n", "f", "keyword"),
                ("n", "g", "keyword"),
                ("dash", "f", "keyword"),
                ("dash", "g", "keyword"),
            ],
        ),
        (
            "class A:\n  def __init__(self, wide): ...\ndef f(rows): A(**rows), len(**rows)",
            [("wide", "f", "keyword"), ("wide", "A.__init__", "keyword")],
        ),
        ("x = True\ny = None\nz = ''", []),
        ("x = '" + "long " * 40 + "'", []),
    ],
)
def test_constants(text: str, expected: list[tuple[object, str, str]]) -> None:
    assert rows(text) == expected


def test_one_and_true_and_one_point_zero_are_different_constants() -> None:
    assert [repr(value) for value, _, _ in rows("x = [1, 1.0, 1]")] == ["1", "1.0"]


def test_regexes_and_their_flags_and_scopes() -> None:
    tree = ast.parse(
        textwrap.dedent(
            r"""
        import re
        from re import match
        P = "a+" + "b"
        X = re.compile(P, re.I | re.MULTILINE)
        def f(s):
            re.sub("c+", "-", s, flags=re.S)
            return match(r"\d", s)
        TABLE = [(r"(quiz)$", r"\1zes")]
        broken = re.compile("(")
        """
        )
    )
    assert [(one.pattern, one.flags, one.scope) for one in regexes_in(tree)] == [
        ("a+b", int(re.IGNORECASE | re.MULTILINE), ""),
        ("c+", int(re.DOTALL), "f"),
        (r"\d", 0, "f"),
        ("(quiz)$", 0, ""),
    ]


def test_texts_that_look_like_regexes_are_not_plain_constants() -> None:
    assert rows(r"T = [(r'(quiz)$', r'\1zes', 'plain')]") == [("plain", "", "plain")]
