"""The representation invariant of a class: which function it is, and how it says no.

Invariant: nothing of the Subject runs here.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

from unitcraft.state.heap.object_layout import mro_of, own_dict

#: Names by which a representation invariant is known, the commonest in papers first.
NAMES: Final = (
    "rep_ok", "repOK", "repok", "rep_OK", "_rep_ok", "_repOK", "invariant", "_invariant",
    "check_invariant", "_check_invariant", "check_invariants", "_check_invariants",
    "class_invariant", "check_rep", "_check_rep", "checkrep", "_check",
)  # fmt: skip
#: The mark of a method that is an invariant, on the line of its ``def``.
PRAGMA: Final = "# unitcraft: rep-ok"


def find_class(name: str) -> Any:
    """The class ``module:qualname``, whose module is loaded."""
    module, _, qualname = name.partition(":")
    found: Any = sys.modules[module]
    for part in qualname.split("."):
        found = vars(found)[part]
    return found


def invariants_of(kind: type) -> list[str]:
    """The names of marked methods in source order, then those of known names."""
    found = [
        name
        for base in mro_of(kind)
        for name, value in own_dict(base).items()
        if type(value) is FunctionType and _is_marked(value)
    ]
    known = [name for name in NAMES if _is_askable(inspect.getattr_static(kind, name, None))]
    return list(dict.fromkeys([*found, *known]))


def _is_askable(member: object) -> bool:
    """Is ``member`` a property, or a function that needs no argument but the receiver?"""
    if isinstance(member, property):
        return True
    if type(member) is not FunctionType:
        return False
    code, defaults = member.__code__, member.__defaults__ or ()
    return code.co_argcount - len(defaults) == 1 and code.co_kwonlyargcount == 0


def _is_marked(function: FunctionType) -> bool:
    try:
        lines = inspect.getsource(function).splitlines()
    except (OSError, TypeError):
        return False
    head = next((line for line in lines if "def " in line), "")
    return PRAGMA in head


def find_invariant(module: str, kind: type, name: str) -> Callable[[Any], Any]:
    """The method or property of ``kind`` with that name, else the function of the module."""
    found: Any = inspect.getattr_static(kind, name, None)
    if found is None:
        found = vars(sys.modules[module])[name]
    if isinstance(found, property) and found.fget is not None:
        return found.fget
    function: Callable[[Any], Any] = found.__func__ if isinstance(found, staticmethod) else found
    return function


def answers_values(predicate: Callable[[Any], Any]) -> bool:
    """Does the source return a value anywhere?  Else it says no by raising."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(predicate)))
    except (OSError, TypeError, SyntaxError):
        return True
    returns = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)]
    return any(value is not None and not _is_none(value) for value in returns)


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
