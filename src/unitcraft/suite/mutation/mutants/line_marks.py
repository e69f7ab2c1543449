"""Line marks: calls inserted before the statements of functions, which report each line that runs.

Invariant: code with marks behaves as it does without them, under the same names and lines.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

from unitcraft.suite.mutation.mutants.function_mutants import copy_tree, outermost_functions

#: The built-in function that marked code calls with the number of a file and line.
HIT: Final = "__unitcraft_line__"
#: The built-in function that marked code calls when a function is entered.
ENTRY: Final = "__unitcraft_call__"
#: Factor of the file number in the number of a line: more than the lines of any file.
STRIDE: Final = 1 << 20

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def with_line_marks(tree: ast.Module, number: int) -> ast.Module:
    """A copy of the tree whose functions report each statement that runs, and their entries."""
    whole = copy_tree(tree)
    for _, function in outermost_functions(whole):
        add_line_marks(function, number)
    return ast.fix_missing_locations(whole)


def add_line_marks(function: ast.stmt, number: int) -> None:
    """Insert marks for the file with that number into a function."""
    for node in list(ast.walk(function)):
        _mark_node(node, number * STRIDE)


def _mark_node(node: ast.AST, base: int) -> None:
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if isinstance(body, list):
            setattr(node, name, list(_with_hits(body, base)))
    if isinstance(node, _Function):
        node.body.insert(_first_statement(node.body), _call(node.body[0], ENTRY, []))
    elif isinstance(node, ast.Lambda):
        node.body = _with_hit(node.body, base)
    elif isinstance(node, ast.GeneratorExp):
        node.elt = _with_hit(node.elt, base)


def _with_hits(body: list[ast.stmt], base: int) -> Iterable[ast.stmt]:
    for position, statement in enumerate(body):
        if position >= _first_statement(body):
            yield _call(statement, HIT, [ast.Constant(base + statement.lineno)])
        yield statement


def _first_statement(body: list[ast.stmt]) -> int:
    """The position of the first statement after a docstring."""
    first = body[0] if body else None
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return int(is_text)


def _call(place: ast.stmt, name: str, arguments: list[ast.expr]) -> ast.stmt:
    made = ast.Expr(ast.Call(ast.Name(name, ast.Load()), arguments, []))
    return ast.copy_location(made, place)


def _with_hit(value: ast.expr, base: int) -> ast.expr:
    told = ast.Call(ast.Name(HIT, ast.Load()), [ast.Constant(base + value.lineno)], [])
    return ast.copy_location(ast.BoolOp(ast.Or(), [told, value]), value)
