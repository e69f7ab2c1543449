"""Moves imports into the functions that use them, so that one that fails costs only those.

Invariant: a name that is used outside of functions stays imported at the top; statements other than
imports keep their text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def with_local_imports(text: str, top: str, spared: frozenset[str]) -> str:
    """``text`` with the names from modules of the package ``top`` imported where they are used.

    ``spared`` are names whose import is known to work.
    """
    tree = ast.parse(text)
    functions = list(_functions(tree.body))
    outside = _names_outside(tree, functions)
    inserted: dict[int, list[str]] = {}
    replaced: dict[int, tuple[int, list[str]]] = {}
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom) or (node.module or "").partition(".")[0] != top:
            continue
        moved = [one for one in node.names if (one.asname or one.name) not in spared | outside]
        for alias in moved:
            for function in functions:
                if _uses(function, alias.asname or alias.name):
                    line, indent = _beginning(function)
                    one = ast.unparse(ast.ImportFrom(node.module, [alias], node.level))
                    inserted.setdefault(line, []).append(f"{' ' * indent}{one}")
        left = [one for one in node.names if one not in moved]
        kept = [ast.unparse(ast.ImportFrom(node.module, left, node.level))] if left else []
        if moved:
            replaced[node.lineno] = (node.end_lineno or node.lineno, kept)
    return _edit(text.splitlines(), inserted, replaced)


def names_bound(text: str) -> frozenset[str]:
    """The names that the imports at the top of ``text`` bind."""
    return frozenset(
        alias.asname or alias.name
        for node in ast.parse(text).body
        if isinstance(node, ast.ImportFrom | ast.Import)
        for alias in node.names
    )


def _edit(
    lines: list[str], inserted: dict[int, list[str]], replaced: dict[int, tuple[int, list[str]]]
) -> str:
    """The lines with some put before a line, and others in the place of spans, by number from 1."""
    out: list[str] = []
    skip_to = 0
    for number, line in enumerate(lines, 1):
        out += inserted.get(number, ())
        if number in replaced:
            skip_to, kept = replaced[number]
            out += kept
        if number > skip_to:
            out.append(line)
    return "\n".join(out) + "\n"


def _functions(body: list[ast.stmt]) -> Iterator[FunctionNode]:
    """The functions of a module and the methods of its classes."""
    for node in body:
        if isinstance(node, FunctionNode):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body)


def _names_outside(tree: ast.Module, functions: list[FunctionNode]) -> frozenset[str]:
    """The names that are used before any function runs, those of decorators and defaults too."""
    inside = {id(node) for one in functions for part in one.body for node in ast.walk(part)}
    return frozenset(
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in inside
    )


def _uses(function: FunctionNode, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name
        for part in function.body
        for node in ast.walk(part)
    )


def _beginning(function: FunctionNode) -> tuple[int, int]:
    """(line, column) of the first statement after the docstring."""
    is_documented = ast.get_docstring(function) is not None and len(function.body) > 1
    first = function.body[is_documented]
    return first.lineno, first.col_offset
