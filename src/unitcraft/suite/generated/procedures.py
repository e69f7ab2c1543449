"""Functions that answer nothing: their tests assert what they did.

That a procedure returned None says nothing about it, as no change of it would make that fail.

Invariant: a function is a procedure where no statement of its own returns or yields a value; a
member that the Subject inherits is one where all functions of its name are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Procedures:
    """The procedures of the module with this source text; none of a text without syntax."""

    def __init__(self, source: str) -> None:
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError):
            tree = ast.Module([], [])
        self._by_name = dict(_functions(tree, ""))

    def has(self, invocable: str) -> bool:
        """Is the Invocable with this id a procedure?"""
        qualname = invocable.rpartition(":")[2]
        if qualname in self._by_name:
            return self._by_name[qualname]
        member = "." + qualname.rpartition(".")[2]
        found = [mute for name, mute in self._by_name.items() if name.endswith(member)]
        return "." in qualname and bool(found) and all(found)


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, bool]]:
    """(qualname, does it answer nothing?) of each function; of several of one name, of the last."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _FUNCTIONS):
            yield prefix + child.name, not any(map(_answers, _own_nodes(child)))
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        elif isinstance(child, (ast.If, ast.Try, ast.ExceptHandler, ast.With)):
            yield from _functions(child, prefix)


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of ``function`` without those of functions and classes inside it."""
    for child in ast.iter_child_nodes(function):
        yield child
        if not isinstance(child, (*_FUNCTIONS, ast.ClassDef, ast.Lambda)):
            yield from _own_nodes(child)


def _answers(node: ast.AST) -> bool:
    if isinstance(node, (ast.Return, ast.Yield)):
        value = node.value
        return value is not None and not (isinstance(value, ast.Constant) and value.value is None)
    return isinstance(node, ast.YieldFrom)
