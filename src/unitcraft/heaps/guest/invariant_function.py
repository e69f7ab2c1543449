"""The function behind a representation invariant, and how it says no.

Invariant: nothing of the Subject runs here.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from unitcraft.heaps.shape_facts import FACTS


def find_invariant(module: str, kind: type, name: str) -> Callable[[Any], Any]:
    """The method or property of ``kind`` with that name, else the function of the module.

    What is no name is an expression over ``self``, in which the names of the module and of the
    conditions on shapes are known.
    """
    if not name.isidentifier():
        names = {**FACTS, **vars(sys.modules[module])}
        asked: Callable[[Any], Any] = eval(f"lambda self: (\n{name}\n)", names)  # noqa: S307
        return asked
    found: Any = inspect.getattr_static(kind, name, None)
    if found is None:
        found = vars(sys.modules[module])[name]
    if isinstance(found, property) and found.fget is not None:
        return found.fget
    function: Callable[[Any], Any] = found.__func__ if isinstance(found, staticmethod) else found
    return function


def answers_values(predicate: Callable[[Any], Any]) -> bool:
    """Does the source return a value other than True anywhere?  Else it says no by raising.

    An expression always does.  It has no file, and what Python 3.13 takes for its source is that
    of another text without a file, such as the one of ``python -c``.
    """
    if getattr(predicate, "__name__", "") == "<lambda>":
        return True
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(predicate)))
    except (OSError, TypeError, SyntaxError):
        return True
    return any(not _says_yes(value) for value in _returned(tree.body))


def _returned(body: Sequence[ast.AST]) -> Iterator[ast.expr | None]:
    """What the function returns: functions inside it return to it, not for it."""
    waiting = [node for one in body for node in ast.iter_child_nodes(one)]
    for node in waiting:
        if isinstance(node, ast.Return):
            yield node.value
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _says_yes(node: ast.expr | None) -> bool:
    """Is it True, or nothing?"""
    if not isinstance(node, ast.Constant):
        return node is None
    return node.value is None or node.value is True
