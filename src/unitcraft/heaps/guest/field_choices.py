"""The values that each field may have, in the order in which a search tries them.

A domain comes from the planner as plain data: ``("ref", classes, nullable)`` (objects of these
classes, by number), ``("atoms", values)``, ``("int", low, high, symbolic)`` (a bound may be None)
or ``("list", least, most, domain of the items)``.

Invariant: the order of values is fixed: null, then the objects of each class in the order of
their numbers, then atoms; nothing depends on addresses or on the code of the Subject.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.core.encoding import Plain

#: The class number of a value that is no object.
NO_CLASS: Final = -1
#: Stands for a list that is made anew when it is chosen.
NEW_LIST: Final = object()
#: Stands for a symbolic integer that is made anew when it is chosen.
NEW_INT: Final = object()


@dataclass(frozen=True, slots=True)
class FieldDomain:
    """The values of one field, with the class and the number (from 1) of those that are objects.

    ``ends`` is where the objects of the value's class end.  ``items`` is the domain of the items
    and ``lengths`` that of the length if the value is a list; ``low`` and ``high`` bound a
    symbolic integer.
    """

    values: tuple[Any, ...]
    classes: tuple[int, ...]
    ordinals: tuple[int, ...]
    ends: tuple[int, ...]
    items: FieldDomain | None = None
    lengths: FieldDomain | None = None
    low: int | None = None
    high: int | None = None

    @property
    def default(self) -> Any:
        """What stands in a field that nobody has read; None when only objects fit."""
        first = self.values[0]
        if first is NEW_INT:
            return self.within(0)
        return None if first is NEW_LIST or self.ordinals[0] else first

    def within(self, value: int) -> int:
        """The symbolic integer nearest to ``value`` that the bounds allow."""
        if self.low is not None and value < self.low:
            return self.low
        return self.high if self.high is not None and value > self.high else value


def build_domain(plain: Plain, pools: Sequence[Sequence[Any]]) -> FieldDomain:
    """The domain described by ``plain`` over the objects of ``pools``, one pool for each class."""
    kind = plain[0]
    if kind == "ref":
        return _reference_domain(plain[1], pools, nullable=plain[2])
    if kind == "list":
        lengths = atoms_domain(tuple(range(plain[1], plain[2] + 1)), sized=True)
        items = build_domain(plain[3], pools)
        return _with_parts((NEW_LIST,), items=items, lengths=lengths)
    if kind == "int":
        _, low, high, symbolic = plain
        if symbolic:
            return _with_parts((NEW_INT,), low=low, high=high)
        return atoms_domain(tuple(range(low, high + 1)))
    return atoms_domain(tuple(plain[1]))


def atoms_domain(values: tuple[Any, ...], *, sized: bool = False) -> FieldDomain:
    """Values that are no objects; ``sized``: each is a length, and counts as that many objects."""
    none = (NO_CLASS,) * len(values)
    ordinals = values if sized else (0,) * len(values)
    return FieldDomain(values, none, ordinals, (len(values),) * len(values))


def _with_parts(values: tuple[Any, ...], **parts: Any) -> FieldDomain:
    return FieldDomain(values, (NO_CLASS,), (0,), (1,), **parts)


def _reference_domain(
    classes: Sequence[int], pools: Sequence[Sequence[Any]], *, nullable: bool
) -> FieldDomain:
    values: list[Any] = [None] if nullable else []
    kinds, ordinals, ends = [NO_CLASS] * nullable, [0] * nullable, [1] * nullable
    for number in classes:
        pool = pools[number]
        values += pool
        kinds += [number] * len(pool)
        ordinals += range(1, len(pool) + 1)
        ends += [len(values)] * len(pool)
    return FieldDomain(tuple(values), tuple(kinds), tuple(ordinals), tuple(ends))
