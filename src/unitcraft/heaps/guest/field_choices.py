"""The values that each field may have, in the order in which a search tries them.

A domain comes from the planner as plain data: ``("ref", classes, nullable)`` (objects of these
classes, by number), ``("atoms", values)``, ``("int", low, high, symbolic)`` (a bound may be None;
atoms that follow are tried before the integers), ``("list", least, most, domain of the items)``,
``("dict", keys, ranks, domain of the values)`` or ``("set", items, ranks)``.  A rank is the least
bound of lengths for which the value is there; those of atoms may follow their values.

Invariant: the order of values is fixed: null, then the objects of each class in the order of
their numbers, then atoms; nothing depends on addresses or on the code of the Subject.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.core.encoding import Plain

#: The class number of a value that is no object.
NO_CLASS: Final = -1
#: Stands for a list that is made anew when it is chosen.
NEW_LIST: Final = object()
#: Stand for a dict and a set that are made anew when they are chosen.
NEW_DICT: Final = object()
NEW_SET: Final = object()
#: Stands for a symbolic integer that is made anew when it is chosen.
NEW_INT: Final = object()
_CONTAINERS: Final = (NEW_LIST, NEW_DICT, NEW_SET)


@dataclass(frozen=True, slots=True)
class FieldDomain:
    """The values of one field, with the class and the number (from 1) of those that are objects.

    ``ends`` is where the objects of the value's class end.  ``items`` is the domain of the items
    and ``lengths`` that of the length if the value is a list; ``low`` and ``high`` bound a
    symbolic integer.  ``keys`` are those of a dict, whose values are ``items``, or the items of a
    set, ``places`` their numbers, and ``present`` the domains of whether they are there.
    """

    values: tuple[Any, ...]
    classes: tuple[int, ...]
    ordinals: tuple[int, ...]
    ends: tuple[int, ...]
    items: FieldDomain | None = None
    lengths: FieldDomain | None = None
    low: int | None = None
    high: int | None = None
    keys: tuple[Any, ...] = ()
    places: dict[Any, int] = field(default_factory=dict)
    present: tuple[FieldDomain, ...] = ()

    @property
    def default(self) -> Any:
        """What stands in a field that nobody has read; None when only objects fit."""
        first = self.values[0]
        if first is NEW_INT:
            return self.within(0)
        return None if first in _CONTAINERS or self.classes[0] != NO_CLASS else first

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
        lengths = tuple(range(plain[1], plain[2] + 1))
        items = build_domain(plain[3], pools)
        return _with_parts((NEW_LIST,), items=items, lengths=atoms_domain(lengths, lengths))
    if kind in ("dict", "set"):
        return _table_domain(plain, pools)
    if kind == "int":
        _, low, high, symbolic, *atoms = plain
        integers = (NEW_INT,) if symbolic else tuple(range(low, high + 1))
        others = atoms_domain(*atoms) if atoms else atoms_domain(())
        ranks = (*others.ordinals, *[0] * len(integers))
        found = atoms_domain((*others.values, *integers), ranks)
        return replace(found, low=low, high=high) if symbolic else found
    return atoms_domain(*map(tuple, plain[1:]))


def atoms_domain(values: tuple[Any, ...], ranks: tuple[int, ...] = ()) -> FieldDomain:
    """Values that are no objects; each counts as as many objects as its rank says, else as none."""
    none = (NO_CLASS,) * len(values)
    ordinals = ranks or (0,) * len(values)
    return FieldDomain(values, none, ordinals, (len(values),) * len(values))


def _table_domain(plain: Plain, pools: Sequence[Sequence[Any]]) -> FieldDomain:
    kind, keys, ranks, *values = plain
    return _with_parts(
        (NEW_DICT if kind == "dict" else NEW_SET,),
        items=build_domain(values[0], pools) if values else None,
        keys=tuple(keys),
        places={key: place for place, key in enumerate(keys)},
        present=tuple([atoms_domain((False, True), (0, rank)) for rank in ranks]),
    )


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
