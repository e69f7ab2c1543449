"""Finds results whose behaviour is not recorded: a test that uses one does more than is recorded.

Invariant: nothing of the Subject runs here; what is not known to be plain data, or an object or
function of the subjects, is foreign.
"""

from __future__ import annotations

import collections
from types import FunctionType, MethodType
from typing import Any, Final

from unitcraft.state.heap.atoms import token_of
from unitcraft.state.heap.object_layout import mro_of
from unitcraft.suite.recording.guest.trampoline import is_diverted
from unitcraft.suite.recording.recorded_functions import Subjects

#: Elements of a container up to which they are inspected; a larger one counts as plain data.
MAX_ELEMENTS: Final = 100
#: Nested containers that are inspected.
MAX_DEPTH: Final = 3

_SEQUENCES: Final[tuple[Any, ...]] = (list, tuple, set, frozenset, collections.deque)

#: Containers that a test can change without calling the subjects, and what may be in them.
_CHANGEABLE: Final = (list, dict, set, bytearray)
_ATOMS: Final = (type(None), bool, int, float, complex, str, bytes)

#: Values of the interpreter that have no behaviour worth a test of its own.
_DATA: Final[tuple[Any, ...]] = (
    *(int, float, complex, str, bytes, bytearray, range, slice, type(None), type(NotImplemented)),
    *(type({}.keys()), type({}.values()), type({}.items()), BaseException),
)


def is_foreign(value: Any, subjects: Subjects, depth: int = MAX_DEPTH) -> bool:
    """Is ``value``, or an element of it, an object whose methods are not recorded?"""
    kind = type(value)
    if token_of(value) is not None or subjects.has_instance(value):
        return False
    bases = mro_of(kind)
    if isinstance(value, type):
        return not subjects.has_module(type.__getattribute__(value, "__module__"))
    if kind is FunctionType:
        return not is_diverted(value)
    if kind is MethodType:
        return is_foreign(value.__func__, subjects, depth)
    if dict in bases:
        parts = [*dict.keys(value), *dict.values(value)]
        return _holds_foreign(parts, subjects, depth)
    for base in _SEQUENCES:
        if base in bases:
            return _holds_foreign(list(base.__iter__(value)), subjects, depth)
    return not any(base in bases for base in _DATA)


def is_plain_container(value: Any) -> bool:
    """Is ``value`` a container that a test can change, and that keeps no object alive?"""
    return type(value) in _CHANGEABLE and _is_plain(value, MAX_DEPTH)


def _is_plain(value: Any, depth: int) -> bool:
    if type(value) in _CHANGEABLE or type(value) is tuple:
        parts = [*value, *value.values()] if type(value) is dict else list(value)
        is_small = depth > 0 and len(parts) <= MAX_ELEMENTS
        return is_small and all(_is_plain(one, depth - 1) for one in parts)
    return type(value) in _ATOMS


def _holds_foreign(parts: list[Any], subjects: Subjects, depth: int) -> bool:
    """Is one of some parts foreign?  Many parts, or deep ones, count as plain data."""
    if depth == 0 or len(parts) > MAX_ELEMENTS:
        return False
    return any(is_foreign(one, subjects, depth - 1) for one in parts)
