"""Values worth trying for an input: constants of the constraints, and plain values.

Invariant: every candidate is of exactly the wanted kind; none comes twice; the order depends
on the constraints and the hint only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from unitcraft.solve.differences.linear import constants_of
from unitcraft.solve.inversion.convert import convert_to_kind
from unitcraft.symbolic.terms.term import Constraint, Kind

PLAIN_VALUES: Final[dict[Kind, tuple[Any, ...]]] = {
    "int": (0, 1, -1, 2, 3, 5, 10, 100, -2, 255, 256, 1000, -100, 65536, 2**31, 2**63),
    "float": (
        0.0, 1.0, -1.0, 0.5, 2.5, 10.0, 100.0, 0.1, -0.5, 1e-9, 1e10, math.inf, -math.inf,
        math.nan, -0.0, 1e308,
    ),
    "str": ("", "a", "abc", "A", "1", "0", "12", " ", "a b", "a,b", "a1", "-1", "1.5", "\n", "é"),
    "bytes": (b"", b"a", b"abc", b"A", b"1", b"\x00", b" ", b"a,b", b"\xff"),
}  # fmt: skip

#: Constants taken from one Query; each becomes up to six candidates.
_MAX_CONSTANTS: Final = 40


def candidate_values(
    kind: Kind, constraints: Iterable[Constraint], others: Iterable[Any]
) -> Iterator[Any]:
    """Values of ``kind``: constants and their neighbours, values of ``others``, plain ones."""
    found = constants_of(("all", *[term for term, _ in constraints]))
    return distinct_values(_generate(kind, list(islice(found, _MAX_CONSTANTS)), others))


def distinct_values(values: Iterable[Any]) -> Iterator[Any]:
    """``values`` without repeats; 0.0 and -0.0 are two, NaN is one."""
    seen: set[Any] = set()
    for value in values:
        key = value if type(value) is int else repr(value)  # a vast int has no text
        if key not in seen:
            seen.add(key)
            yield value


def _generate(kind: Kind, constants: list[Any], others: Iterable[Any]) -> Iterator[Any]:
    for value in [*constants, *others]:
        for one in convert_to_kind(kind, value):
            yield from _neighbours(one)
    yield from PLAIN_VALUES[kind]


def _neighbours(value: Any) -> tuple[Any, ...]:
    if isinstance(value, int):
        return value, value + 1, value - 1, -value
    if isinstance(value, float):
        return value, value + 1.0, value - 1.0, -value, value + 0.5, value * 2
    return value, value + value[:0].ljust(1), value[:-1], value.upper()
