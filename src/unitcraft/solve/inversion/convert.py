"""A wanted value as values of a kind: 2.5 as an int is 2 or 3.

Invariant: every value given back is of exactly the type that the kind names.
"""

from __future__ import annotations

import math
from typing import Any, Final

from unitcraft.symbolic.terms.term import Kind

#: Characters of a text, and bits of an int, that a solver suggests.
MAX_SIZE: Final = 2000


def check_size(count: int) -> int:
    """``count``, a number of characters or bits, if a solver may make that many.

    Raises:
        ValueError: there are too many; the rule that called suggests nothing.
    """
    if count > MAX_SIZE:
        raise ValueError("too many characters or bits")
    return count


def convert_to_kind(kind: Kind, value: Any) -> tuple[Any, ...]:
    """``value`` as values of ``kind``, the nearest first; () if it cannot be converted."""
    if kind == "int":
        return _ints(value)
    if kind == "float":
        return _floats(value)
    wanted = str if kind == "str" else bytes
    return (value,) if type(value) is wanted and len(value) <= MAX_SIZE else ()


def _ints(value: Any) -> tuple[int, ...]:
    if type(value) is float and math.isfinite(value):
        low = math.floor(value)
        return (low,) if low == value else (low, low + 1)
    if type(value) is bool:
        return (int(value),)
    return (value,) if type(value) is int and value.bit_length() <= MAX_SIZE else ()


def _floats(value: Any) -> tuple[float, ...]:
    if type(value) is float:
        return (value,)
    if isinstance(value, int):
        try:
            return (float(value),)
        except OverflowError:
            return ()
    return ()
