"""Modules and functions stay small enough to read on a screen."""

from __future__ import annotations

import ast
import statistics

from repository import modules, nodes

MODULE_LINES = 400
FUNCTION_LINES = 60


def test_modules_are_short():
    lines = {name: len(file.read_text().splitlines()) for name, file in modules().items()}
    assert {name: count for name, count in lines.items() if count > MODULE_LINES} == {}


def test_no_function_is_long():
    sizes = {f"{name}:{where}": size for name in modules() for where, size in functions(name)}
    assert {where: size for where, size in sizes.items() if size > FUNCTION_LINES} == {}


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
