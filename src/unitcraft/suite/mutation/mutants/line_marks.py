"""Calls put before the statements of functions, by which code tells which of its lines run.

Invariant: code with marks does what it does without, under the same names and lines.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

from unitcraft.suite.mutation.mutants.function_mutants import copied, functions

#: Built-in functions that marked code calls: with a number for its file and line, with nothing.
HIT: Final = "__unitcraft_line__"
ENTRY: Final = "__unitcraft_call__"
#: More than the lines of a file.
STRIDE: Final = 1 << 20

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def with_probes(tree: ast.Module, number: int) -> ast.Module:
    """A copy of the tree whose functions tell each statement that runs, and their entries."""
    whole = copied(tree)
    for _, function in functions(whole):
        mark(function, number)
    return ast.fix_missing_locations(whole)


def mark(function: ast.stmt, number: int) -> None:
    """Put marks for the file with that number into a function."""
    for node in list(ast.walk(function)):
        _put_in(node, number * STRIDE)


def _put_in(node: ast.AST, base: int) -> None:
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if isinstance(body, list):
            setattr(node, name, list(_told(body, base)))
    if isinstance(node, _Function):
        node.body.insert(_starts(node.body), _call(node.body[0], ENTRY, []))
    elif isinstance(node, ast.Lambda):
        node.body = _or(node.body, base)
    elif isinstance(node, ast.GeneratorExp):
        node.elt = _or(node.elt, base)


def _told(body: list[ast.stmt], base: int) -> Iterable[ast.stmt]:
    for position, statement in enumerate(body):
        if position >= _starts(body):
            yield _call(statement, HIT, [ast.Constant(base + statement.lineno)])
        yield statement


def _starts(body: list[ast.stmt]) -> int:
    """Where the statements begin after a docstring."""
    first = body[0] if body else None
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return int(is_text)


def _call(place: ast.stmt, name: str, arguments: list[ast.expr]) -> ast.stmt:
    made = ast.Expr(ast.Call(ast.Name(name, ast.Load()), arguments, []))
    return ast.copy_location(made, place)


def _or(value: ast.expr, base: int) -> ast.expr:
    told = ast.Call(ast.Name(HIT, ast.Load()), [ast.Constant(base + value.lineno)], [])
    return ast.copy_location(ast.BoolOp(ast.Or(), [told, value]), value)
