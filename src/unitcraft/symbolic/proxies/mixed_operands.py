"""Operators with operands of mixed types: a proxy of a number and something other than a number.

Invariant: code that is not rewritten is given the concretized value.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

from unitcraft.instrument import interception
from unitcraft.symbolic.proxies.trace import PROXIES, concretize


def apply_mixed(function: Callable[..., Any], first: Any, second: Any) -> Any:
    """Apply ``function`` to a proxy of a number and something other than a plain number.

    NotImplemented leaves it to the other operand, which has Python code or does not take numbers;
    C code gets the concretized value.
    """
    other = second if type(first) in PROXIES else first
    kind = type(other)
    if kind in _NON_NUMERIC or _rewritten(kind):
        return NotImplemented
    return function(concretize(first), concretize(second))


#: Classes that do not take numbers, or ask for ``__index__``.
_NON_NUMERIC: Final = frozenset(
    {
        str, bytes, bytearray, type(None), list, tuple, dict, set, frozenset, range, type,
        FunctionType,
    }
)  # fmt: skip
_KNOWN: Final[dict[type, bool]] = {}


def _rewritten(kind: type) -> bool:
    """Is ``kind`` a class with rewritten methods, and no number?"""
    known = _KNOWN.get(kind)
    if known is None:
        methods = [item for base in kind.__mro__ for item in vars(base).values()]
        known = _KNOWN[kind] = not issubclass(kind, (int, float, complex)) and any(
            type(item) is FunctionType and interception.CALL in item.__globals__ for item in methods
        )
    return known
