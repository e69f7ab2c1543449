"""Values worth trying for an input: constants of the constraints, and plain values.

Invariant: every candidate is of exactly the wanted kind; none comes twice; the order depends
on the constraints and the hint only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from unitcraft.symbolic.kinds.kinds import KINDS
from unitcraft.symbolic.terms.term import Constraint, Kind, constants_of

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
    record = KINDS[kind]
    for value in [*constants, *others]:
        for one in record.convert(value):
            yield from record.boundary_values(one)
    yield from record.plain_values
