"""Code objects of functions: found in a live process, compiled from a tree, and identified.

And line marks: calls before the statements of functions, which report each line that runs.

Invariant: nothing here changes a function; a code object is identified by qualname and first line.
Code with marks behaves as it does without them, under the same names and lines.
"""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType
from typing import Final

from unitcraft.suite.mutation.mutants.function_mutants import copy_tree, outermost_functions

#: The built-in function that marked code calls with the number of a file and line.
HIT: Final = "__unitcraft_line__"
#: The built-in function that marked code calls when a function is entered.
ENTRY: Final = "__unitcraft_call__"
#: Factor of the file number in the number of a line: more than the lines of any file.
STRIDE: Final = 1 << 20

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def inner_codes(code: CodeType) -> Iterator[CodeType]:
    """``code`` and all code objects nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from inner_codes(constant)


def identity(code: CodeType) -> tuple[str, int]:
    """The key of a code object: its qualname and its first line."""
    return code.co_qualname, code.co_firstlineno


def live_functions(file: str) -> dict[tuple[str, int], list[FunctionType]]:
    """The live functions whose code is from ``file``, by identity, wherever they are referenced."""
    found: dict[tuple[str, int], list[FunctionType]] = {}
    for thing in gc.get_objects():
        if type(thing) is FunctionType and thing.__code__.co_filename == file:
            found.setdefault(identity(thing.__code__), []).append(thing)
    return found


def enclosing_classes(tree: ast.Module) -> dict[int, list[str]]:
    """Function node -> the names of the classes around it, outermost first."""
    found: dict[int, list[str]] = {}
    stack: list[tuple[ast.AST, list[str]]] = [(tree, [])]
    while stack:
        node, around = stack.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found[id(child)] = around
            elif isinstance(child, ast.ClassDef):
                stack.append((child, [*around, child.name]))
            else:
                stack.append((child, around))
    return found


def wrap_in_classes(node: ast.stmt, classes: list[str]) -> ast.Module:
    """A module that contains only the function, nested in its classes."""
    for owner in reversed(classes):
        node = _class(owner, node)
    return ast.fix_missing_locations(ast.Module([node], []))


def compile_code(tree: ast.Module, name: str, file: str, flags: int) -> CodeType | None:
    """The code of the function with that qualname; None when it cannot be compiled."""
    try:
        whole = compile(tree, file, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    return next((code for code in inner_codes(whole) if code.co_qualname == name), None)


def _class(name: str, body: ast.stmt) -> ast.ClassDef:
    made = ast.ClassDef(name=name, bases=[], keywords=[], body=[body], decorator_list=[])
    made.lineno, made.col_offset = body.lineno, 0
    made.end_lineno, made.end_col_offset = body.lineno, 0
    if sys.version_info >= (3, 12):
        made.type_params = []
    return made


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
