"""The representation invariants of a class: which of its methods they are, by name or mark.

Invariant: nothing of the Subject runs here.
"""

from __future__ import annotations

import inspect
import sys
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
