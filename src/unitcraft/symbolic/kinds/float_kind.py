"""The kind of float inputs.

Invariant: every value is a float; readable values are in the order of their burden.
"""

from __future__ import annotations

import math
import random
from typing import Any, Final

from unitcraft.symbolic.kinds.int_kind import UNUSUAL, int_burden
from unitcraft.symbolic.kinds.symbolic_kind import SymbolicKind


def _convert(value: Any) -> tuple[float, ...]:
    if type(value) is float:
        return (value,)
    if isinstance(value, int):
        try:
            return (float(value),)
        except OverflowError:
            return ()
    return ()


def _equal_values(value: Any) -> list[float]:
    if not isinstance(value, (int, float)):
        return []
    if not value:
        return [0.0, -0.0]
    return [one for one in _convert(value) if one == value]


def _boundary_values(value: float) -> tuple[float, ...]:
    return value, value + 1.0, value - 1.0, -value, value + 0.5, value * 2


def _neighbours(value: float) -> list[float]:
    if not math.isfinite(value):
        return [0.0, 1.0, -1.0]
    near = [value + 1.0, value - 1.0, value + 0.1, value - 0.1, -value, value / 2, value * 2,
            float(round(value)), float(round(value, 2)), value * 1.001, value * 0.999,
            value + 1e-6, value - 1e-6]  # fmt: skip
    close = [math.nextafter(value, math.inf), math.nextafter(value, -math.inf)]
    return [one for one in [*near, *close] if math.isfinite(one)]


def _shake(value: float, rng: random.Random) -> float:
    moved = value + rng.uniform(-10.0, 10.0)
    return moved if math.isfinite(moved) else 0.0


def _burden(value: float) -> tuple[int, ...]:
    """Whole numbers as ints, then few digits, then positive; what is not finite comes last."""
    if not math.isfinite(value):
        return (UNUSUAL, value < 0, math.isnan(value))
    if value.is_integer() and abs(value) < 1e15:  # noqa: PLR2004 - written without exponent
        return (*int_burden(int(value)), math.copysign(1.0, value) < 0)
    digits = repr(abs(value))
    return (1 + len(digits.replace(".", "").strip("0")) + ("e" in digits), value < 0, len(digits))


def _easier_values(value: float) -> list[float]:
    """Floats near ``value`` with fewer digits, the fewest first."""
    if not math.isfinite(value):
        return []
    return [round(value, digits) for digits in range(-2, 7)]


FLOAT_KIND: Final = SymbolicKind(
    name="float",
    type=float,
    empty=0.0,
    plain_values=(
        0.0, 1.0, -1.0, 0.5, 2.5, 10.0, 100.0, 0.1, -0.5, 1e-9, 1e10, math.inf, -math.inf,
        math.nan, -0.0, 1e308,
    ),
    readable_values=tuple(sorted(
        [0.5, 1.0, 1.5, 2.0, 2.5, 0.0, 0.25, 3.0, 5.0, 10.0, 100.0, -1.0, -0.5, -2.5, 1000.0],
        key=_burden,
    )),
    convert=_convert,
    equal_values=_equal_values,
    boundary_values=_boundary_values,
    neighbours=_neighbours,
    shake=_shake,
    burden=_burden,
    easier_values=_easier_values,
    is_number=True,
)  # fmt: skip
