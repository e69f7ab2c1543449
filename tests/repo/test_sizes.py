"""Modules and functions stay small enough to read on a screen."""

from __future__ import annotations

import ast
import statistics

import pytest
from repository import modules, nodes

MODULE_LINES = 400
FUNCTION_LINES = 60


@pytest.mark.parametrize("name", list(modules()))
def test_module_is_short(name):
    assert len(modules()[name].read_text().splitlines()) <= MODULE_LINES


@pytest.mark.parametrize("name", list(modules()))
def test_no_function_is_long(name):
    long = {where: size for where, size in functions(name) if size > FUNCTION_LINES}
    assert long == {}


def test_functions_are_short_on_the_whole():
    sizes = sorted(size for name in modules() for _, size in functions(name))
    assert statistics.median(sizes) <= 8
    assert sizes[int(len(sizes) * 0.9)] <= 30


def functions(name: str) -> list[tuple[str, int]]:
    """(name:line, lines) of every function, its docstring and decorators not counted."""
    found = []
    for node in nodes(modules()[name]):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            size = (node.end_lineno or 0) - node.lineno + 1
            first = node.body[0]
            if ast.get_docstring(node) is not None:
                size -= (first.end_lineno or 0) - first.lineno + 1
            found.append((f"{node.name}:{node.lineno}", size))
    return found
