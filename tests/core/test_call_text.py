"""Calls as a person reads them: encoded Call in, text out."""

from __future__ import annotations

import pytest

from unitcraft.core.call_text import arg_text, call_text
from unitcraft.core.program_lines import program_lines
from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Source, Symbol

ONE, TWO = Const(1), Const(2)


@pytest.mark.parametrize(
    ("arg", "text"),
    [
        (Const("it's"), '"it\'s"'),
        (Source("lambda: 0"), "lambda: 0"),
        (Symbol("shop", "Colour.RED"), "Colour.RED"),
        (Ref(0), "shop"),
        (Ref(3), "_3"),
        (Display("list", (ONE, TWO)), "[1, 2]"),
        (Display("tuple", (ONE,)), "(1,)"),
        (Display("tuple", ()), "()"),
        (Display("dict", (Const("a"), ONE)), "{'a': 1}"),
        (Display("set", (ONE,)), "{1}"),
        (Display("set", ()), "set()"),
        (Display("frozenset", (ONE,)), "frozenset({1})"),
        (Display("frozenset", ()), "frozenset()"),
        (Build(Symbol("shop", "Cart"), (ONE, Ref(0)), (("size", TWO),)), "Cart(1, shop, size=2)"),
    ],
)
def test_args(arg, text):
    assert arg_text(arg, ("shop",)) == text


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (Call("function", "shop:Cart.of", (ONE,), (("size", TWO),)), "Cart.of(1, size=2)"),
        (Call("method", "put", (Ref(0), ONE)), "cart.put(1)"),
        (Call("method", "walk", (Ref(0),), (), "drain"), "list(cart.walk())"),
        (Call("method", "load", (Ref(0),), (), "await"), "await cart.load()"),
        (Call("method", "each", (Ref(0),), (), "collect"), "[item async for item in cart.each()]"),
        (Call("method", "open", (Ref(0),), (), "enter"), "with cart.open()"),
        (Call("method", "open", (Ref(0),), (), "await enter"), "async with cart.open()"),
        (Call("get", "size", (Ref(0),)), "cart.size"),
        (Call("set", "size", (Ref(0), ONE)), "cart.size = 1"),
        (
            Call("invoke", "shop:cli", (Display("list", (Const("a"),)),), (("input", TWO),)),
            "CliRunner().invoke(cli, ['a'], input=2)",
        ),
        (Call("operator", "+", (Ref(0), ONE)), "cart + 1"),
        (Call("operator", "in", (Ref(0), ONE)), "1 in cart"),
        (Call("operator", "[]=", (Ref(0), ONE, TWO)), "cart[1] = 2"),
        (Call("operator", "call", (Ref(0), Const("{}")), (("key", TWO),)), "cart('{}', key=2)"),
    ],
)
def test_calls(call, text):
    assert call_text(call, ("cart",)) == text


def test_no_name_of_a_program_hides_what_it_imports():
    double = [Call("function", "shop:double", (arg,)) for arg in (ONE, Ref(0), Ref(1))]
    assert program_lines(Sequence(tuple(double))) == (
        "double_1 = double(1)", "double_2 = double(double_1)", "double(double_2)",
    )  # fmt: skip
