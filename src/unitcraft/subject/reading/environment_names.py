"""The environment variables that source text names where it reads the environment.

Invariant: only text literals count, in the order of the source, each once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

#: Names of the mapping and of the functions that look variables up.
_READERS: Final = frozenset({"environ", "environb", "getenv", "getenvb"})


def names_read(source: str) -> tuple[str, ...]:
    """The variables that ``source`` reads by name; none where it does not parse."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    return tuple(dict.fromkeys(name for node in ast.walk(tree) for name in _names(node)))


def _names(node: ast.AST) -> Iterator[str]:
    """The variables that one node looks up."""
    match node:
        case ast.Subscript(value, ast.Constant(str(name))) if _is_reader(value):
            yield name
        case ast.Call(ast.Attribute(value), [ast.Constant(str(name)), *_]) if _is_reader(value):
            yield name
        case ast.Call(func, [ast.Constant(str(name)), *_]) if _is_reader(func):
            yield name
        case ast.Compare(ast.Constant(str(name)), _, [value]) if _is_reader(value):
            yield name


def _is_reader(node: ast.expr) -> bool:
    """Is it ``environ`` or ``getenv``, of whatever module?"""
    match node:
        case ast.Name(name) | ast.Attribute(_, name):
            return name in _READERS
    return False
