"""Code objects of functions: found in a live process, compiled from a tree, and identified.

Invariant: nothing here changes a function; a code object is identified by qualname and first line.
"""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType


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
