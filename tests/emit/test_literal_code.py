"""Literals: the text means the value, and is what the formatter prints."""

from __future__ import annotations

import math
from random import Random

import pytest
from random_tests import atom

from unitcraft.core.sequences import EITHER, Build, Const, Display, Source, Symbol
from unitcraft.emit.code.formatter import columns
from unitcraft.emit.code.imports import Imports
from unitcraft.emit.code.literal_code import Code, code


class Plain:
    """Naming without results."""

    def __init__(self, *symbols: Symbol) -> None:
        self.imports = Imports(symbols)

    def symbol(self, symbol: Symbol) -> str:
        return self.imports.symbol(symbol)

    def ref(self, index: int) -> Code:
        raise AssertionError(index)


@pytest.mark.parametrize(
    ("arg", "text"),
    [
        (Const("plain"), '"plain"'),
        (Const('say "hi"'), "'say \"hi\"'"),
        (Const("it's"), '"it\'s"'),
        (Const("both ' and \""), '"both \' and \\""'),
        (Const("a\nb\x00\\"), '"a\\nb\\x00\\\\"'),
        (Const("\ud800"), '"\\ud800"'),
        (Const(b"a'"), 'b"a\'"'),
        (Const(bytes(7)), 'b"' + r"\x00" * 7 + '"'),
        (Const(bytes(8)), "bytes(8)"),
        (Const("TEXT" * 12), '"TEXT" * 12'),
        (Const("-" * 40), '"-" * 40'),
        (Const("-" * 39), f'"{"-" * 39}"'),
        (Const("TEXT" * 12 + "!"), f'"{"TEXT" * 12}!"'),
        (Const(b"ab" + bytes(40) + b"c"), 'b"ab" + bytes(40) + b"c"'),
        (Const(1e16), "1e16"),
        (Const(-0.0), "-0.0"),
        (Const(float("-inf")), 'float("-inf")'),
        (Const(2j), "2j"),
        (Const(complex(1, -2)), "complex(1.0, -2.0)"),
        (Const(...), "..."),
        (Display("tuple", (Const(1),)), "(1,)"),
        (Display("set", ()), "set()"),
        (Display("set", (Const(1), Const(1))), "{1}"),
        (Display("frozenset", (Const(1),)), "frozenset({1})"),
        (Display("dict", (Const("a"), Const(1), Const("a"), Const(2))), '{"a": 2}'),
        (Build(Symbol("builtins", "range"), (Const(3),)), "range(3)"),
        (Build(EITHER, (Build(EITHER, (Const(1), Const(2))), Const(4))), "1 | 2 | 4"),
        (Source("lambda x:x ** 2+len('a')"), 'lambda x: x**2 + len("a")'),
        (Source("lambda x: (f'<{x}>', \"if'a'\")"), """lambda x: (f"<{x}>", "if'a'")"""),
    ],
)
def test_text_of(arg, text):
    assert code(arg, Plain()).text == text


@pytest.mark.parametrize("seed", range(200))
def test_evaluating_the_text_gives_the_value(seed):
    value = atom(Random(seed)).value
    found = eval(code(Const(value), Plain()).text)
    assert type(found) is type(value)
    assert repr(found) == repr(value)


def test_an_integer_too_long_for_str_is_hexadecimal():
    assert eval(code(Const(-(10**5000)), Plain()).text) == -(10**5000)


def test_a_source_that_is_no_expression_is_refused():
    with pytest.raises(ValueError, match="not an expression"):
        code(Source("x = 1"), Plain())


def test_wide_characters_count_two_columns():
    assert columns("\u4f60a\u0301") == 3
    assert not math.isnan(columns(""))
