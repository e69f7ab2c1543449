"""A walk over a syntax tree that knows which function or class each node stands in.

Invariant: a scope is a ``__qualname__`` that a caller can reach: what stands in a nested
function belongs to the outermost function around it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def scoped(tree: ast.AST, scope: str = "", *, fixed: bool = False) -> Iterator[tuple[ast.AST, str]]:
    """(node, scope) for ``tree`` and all below it, parents first, in source order.

    ``fixed`` means that definitions inside do not open scopes of their own.
    """
    yield tree, scope
    inner, inner_fixed = scope, fixed
    if not fixed and isinstance(tree, (*_FUNCTIONS, ast.ClassDef)):
        inner = f"{scope}.{tree.name}" if scope else tree.name
        inner_fixed = isinstance(tree, _FUNCTIONS)
    for child in ast.iter_child_nodes(tree):
        yield from scoped(child, inner, fixed=inner_fixed)


def words(text: str) -> frozenset[str]:
    """The words of a text, for readable tables of names."""
    return frozenset(text.split())


def callee_name(node: ast.Call) -> str:
    """The last name of what is called: ``match`` for ``re.match(...)``."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def is_docstring(node: ast.stmt) -> bool:
    """Is the statement a bare text?"""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
