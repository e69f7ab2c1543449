"""Which import reaches a Symbol."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Symbol
from unitcraft.emit.code.imports import Imports, Statement, import_lines, public_module


def written(*symbols: Symbol, first_party: tuple[str, ...] = ()) -> tuple[list[str], list[str]]:
    imports = Imports(symbols)
    names = [imports.symbol(symbol) for symbol in symbols]
    return names, import_lines(imports.used(), frozenset(first_party))


def test_members_are_reached_through_their_class():
    names, lines = written(Symbol("shop", "Colour.RED"), Symbol("shop", "Colour.BLUE"))
    assert names == ["Colour.RED", "Colour.BLUE"]
    assert lines == ["from shop import Colour"]


def test_a_module_itself_is_imported_under_a_name_that_nothing_else_has():
    names, lines = written(Symbol("shop", ""), Symbol("shop", "Box"))
    assert (names, lines) == (["shop", "Box"], ["import shop", "from shop import Box"])
    assert written(Symbol("a.shop", "")) == (["shop"], ["from a import shop"])
    names, lines = written(Symbol("shop", "shop"), Symbol("shop", ""))
    assert names == ["shop", "shop_module"]
    assert lines == ["import shop as shop_module", "from shop import shop"]


def test_builtins_need_no_import():
    assert written(Symbol("builtins", "int")) == (["int"], [])


@pytest.mark.parametrize(
    ("module", "name", "text", "line"),
    [
        ("shop", "sum", "shop.sum", "import shop"),
        ("shop.tools", "sum", "tools_sum", "from shop.tools import sum as tools_sum"),
        ("shop", "__Box", "Box", "from shop import __Box as Box"),
        ("shop", "TestCase", "shop.TestCase", "import shop"),
        ("shop", "setup_module", "shop.setup_module", "import shop"),
        ("math", "pytest", "math_pytest", "from math import pytest as math_pytest"),
        ("json.decoder", "JSONDecodeError", "JSONDecodeError", "from json import JSONDecodeError"),
        ("pathlib._local", "Path", "Path", "from pathlib import Path"),
    ],
)
def test_awkward_names(module, name, text, line):
    assert written(Symbol(module, name)) == ([text], [line])


def test_two_modules_with_one_name():
    names, lines = written(Symbol("shop.a", "Item"), Symbol("shop.b", "Item"))
    assert names == ["Item", "b_Item"]
    assert lines == ["from shop.a import Item", "from shop.b import Item as b_Item"]


def test_sections_and_order():
    statements = [
        Statement("shop.x10", "b"),
        Statement("shop.x9", "MAX"),
        Statement("shop.x9", "make"),
        Statement("shop.x9", "Box"),
        Statement("pytest"),
        Statement("datetime", "date"),
        Statement("math"),
    ]
    assert import_lines(statements, frozenset(["shop"])) == [
        "import math",
        "from datetime import date",
        "",
        "import pytest",
        "",
        "from shop.x9 import MAX, Box, make",
        "from shop.x10 import b",
    ]


def test_a_private_module_of_the_subject_stays():
    assert public_module(Symbol("shop._impl", "Box")) == "shop._impl"
