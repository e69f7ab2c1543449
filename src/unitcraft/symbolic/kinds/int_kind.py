"""The kind of int inputs.

Invariant: every value is an int, no bool; readable values are in the order of their burden.
"""

from __future__ import annotations

import math
import random
from typing import Any, Final

from unitcraft.symbolic.kinds.symbolic_kind import MAX_SIZE, SymbolicKind

#: First part of the burden of NaN, infinities and huge ints: more than that of any other number.
UNUSUAL: Final = 1_000

#: Third part of the burden of 0 (that of n is 2n): it stands after 1, 2 and 3.
_ZERO: Final = 7


def int_burden(value: int) -> tuple[int, ...]:
    """Few digits (trailing zeros count half), then positive, then small."""
    size = abs(value)
    if size.bit_length() > UNUSUAL:
        return (UNUSUAL, value < 0, size.bit_length())
    digits = str(size)
    weight = len(digits) + len(digits.rstrip("0") or "0")
    return (weight, value < 0, 2 * size or _ZERO)


def _convert(value: Any) -> tuple[int, ...]:
    if type(value) is float and math.isfinite(value):
        low = math.floor(value)
        return (low,) if low == value else (low, low + 1)
    if type(value) is bool:
        return (int(value),)
    return (value,) if type(value) is int and value.bit_length() <= MAX_SIZE else ()


def _equal_values(value: Any) -> list[int]:
    if isinstance(value, float) and not value.is_integer():
        return []
    return [int(value)] if isinstance(value, (int, float)) else []


def _boundary_values(value: int) -> tuple[int, ...]:
    return value, value + 1, value - 1, -value


def _neighbours(value: int) -> list[int]:
    return [value + 1, value - 1, value + 2, value - 2, value + 8, value - 8, -value, value // 2,
            value * 2, value + 64, value - 64]  # fmt: skip


def _shake(value: int, rng: random.Random) -> int:
    return value + rng.randint(-50, 50)


INT_KIND: Final = SymbolicKind(
    name="int",
    type=int,
    empty=0,
    plain_values=(0, 1, -1, 2, 3, 5, 10, 100, -2, 255, 256, 1000, -100, 65536, 2**31, 2**63),
    readable_values=tuple(
        sorted([*range(-12, 21), 25, 30, 50, 100, 200, 500, 1000, -20, -100], key=int_burden)
    ),
    convert=_convert,
    equal_values=_equal_values,
    boundary_values=_boundary_values,
    neighbours=_neighbours,
    shake=_shake,
    burden=int_burden,
    easier_values=lambda _: [],
    is_number=True,
)
