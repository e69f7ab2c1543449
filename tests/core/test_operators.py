from __future__ import annotations

import ast
import operator

import pytest

from unitcraft.core.operators import OPERATORS, SPECIAL_METHODS


def source(name):
    """The template of an operator, filled with names."""
    return OPERATORS[name].replace("{*}", "").format("a", "b", "c")


@pytest.mark.parametrize("name", list(OPERATORS))
def test_every_operator_is_python(name):
    assert ast.parse(source(name)).body


@pytest.mark.parametrize(("method", "entry"), SPECIAL_METHODS.items())
def test_special_method_stands_behind_a_known_operator(method, entry):
    name, reflected = entry
    assert name in OPERATORS
    assert not reflected or method.startswith("__r")


@pytest.mark.parametrize(
    "name", ["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "<", "<=", "==", "!="]
)
def test_infix_operator_means_what_the_interpreter_means(name):
    methods = [m for m, entry in SPECIAL_METHODS.items() if entry == (name, False)]
    function = getattr(operator, methods[0])
    assert eval(source(name), {"a": 13, "b": 3}) == function(13, 3)


def test_contains_swaps_its_operands():
    assert eval(source("in"), {"a": [1, 2], "b": 2}) is True
