"""The values that each field may have, in the order in which a search tries them.

A domain comes from the planner as plain data: ``("ref", classes, nullable)`` (objects of these
classes, by number), ``("atoms", values)``, ``("int", low, high, symbolic)`` (a bound may be None;
atoms that follow are tried before the integers), ``("list", least, most, domain of the items)``,
``("tuple", domain of each place)``, ``("dict", keys, ranks, domain of the values)``,
``("set", items, ranks)``, or ``("any", domains)`` for values of one of several.  A list may be a
``deque`` or a ``row`` (a tuple of any length), a dict and a set one of ``TABLES``.  A rank is the
least bound of lengths for which the value is there; those of atoms may follow their values.

Invariant: the order of values is fixed: null, then the objects of each class in the order of
their numbers, or atoms, containers and objects where there are several; nothing depends on
addresses or on the code of the Subject.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from unitcraft.heaps.field_kind import MEMBER, ROWS, SET, SETS, TABLES
from unitcraft.heaps.guest.invariant_source import find_class

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.core.encoding import Plain

#: The class number of a value that is no object.
NO_CLASS: Final = -1
#: Stands for a symbolic integer that is made anew when it is chosen.
NEW_INT: Final = object()
#: Says that a field has no value unless one is chosen: only objects fit.
NO_VALUE: Final = object()


@dataclass(frozen=True, slots=True)
class FieldDomain:
    """The values of one field, with the class and the number (from 1) of those that are objects.

    ``ends`` is where the objects of the value's class end.  A container is among the values as
    the description of its content, and made anew when it is chosen.  ``low`` and ``high`` bound a
    symbolic integer.
    """

    values: tuple[Any, ...]
    classes: tuple[int, ...]
    ordinals: tuple[int, ...]
    ends: tuple[int, ...]
    low: int | None = None
    high: int | None = None

    @property
    def default(self) -> Any:
        """What stands in a field that nobody has read; NO_VALUE when only objects fit."""
        first = self.values[0]
        if first is NEW_INT:
            return self.within(0)
        if type(first) in (ListValues, TableValues):
            return first.default
        return NO_VALUE if self.classes[0] != NO_CLASS else first

    def within(self, value: int) -> int:
        """The symbolic integer nearest to ``value`` that the bounds allow."""
        if self.low is not None and value < self.low:
            return self.low
        return self.high if self.high is not None and value > self.high else value


@dataclass(frozen=True, slots=True)
class ListValues:
    """All lists of a ``kind`` of ROWS: the domain of the length, and that of each place.

    The last domain is that of all later places; there is none if no list has items.
    """

    kind: str
    items: tuple[FieldDomain, ...]
    lengths: FieldDomain

    def at(self, place: int) -> FieldDomain:
        """The domain of the item at ``place``."""
        return self.items[min(place, len(self.items) - 1)]

    @property
    def default(self) -> Any:
        """The list that nobody has looked into, as a form has it: the shortest one."""
        items = [self.at(place).default for place in range(self.lengths.values[0])]
        return NO_VALUE if NO_VALUE in items else items


@dataclass(frozen=True, slots=True)
class TableValues:
    """All dicts or sets of a ``kind`` of TABLES or SETS.

    ``keys`` are those of a dict, or the items of a set, ``forms`` how forms have them, ``places``
    their numbers, ``present`` the domains of whether they are there, and ``items`` the domain of
    the values of a dict.
    """

    kind: str
    keys: tuple[Any, ...]
    forms: tuple[Plain, ...]
    places: dict[Any, int]
    present: tuple[FieldDomain, ...]
    items: FieldDomain | None = None

    @property
    def default(self) -> Any:
        """The table that nobody has looked into, as a form has it: an empty one."""
        return {SET: ()} if self.kind in SETS else {}


def build_domain(plain: Plain, pools: Sequence[Sequence[Any]]) -> FieldDomain:
    """The domain described by ``plain`` over the objects of ``pools``, one pool for each class."""
    kind = plain[0]
    if kind == "any":
        return _one_of([build_domain(part, pools) for part in plain[1]])
    if kind == "ref":
        return _reference_domain(plain[1], pools, nullable=plain[2])
    if kind == "tuple":
        items = tuple([build_domain(part, pools) for part in plain[1]])
        return atoms_domain((ListValues("tuple", items, atoms_domain((len(items),))),))
    if kind in ROWS:
        lengths = tuple(range(plain[1], plain[2] + 1))
        items = (build_domain(plain[3], pools),)
        return atoms_domain((ListValues(kind, items, atoms_domain(lengths, lengths)),))
    if kind in TABLES or kind in SETS:
        return atoms_domain((_table_values(plain, pools),))
    if kind == "int":
        _, low, high, symbolic, *atoms = plain
        integers = (NEW_INT,) if symbolic else tuple(range(low, high + 1))
        others = _plain_atoms(*atoms) if atoms else atoms_domain(())
        ranks = (*others.ordinals, *[0] * len(integers))
        found = atoms_domain((*others.values, *integers), ranks)
        return replace(found, low=low, high=high) if symbolic else found
    return _plain_atoms(*plain[1:])


def atoms_domain(values: tuple[Any, ...], ranks: tuple[int, ...] = ()) -> FieldDomain:
    """Values that are no objects; each counts as as many objects as its rank says, else as none."""
    none = (NO_CLASS,) * len(values)
    ordinals = ranks or (0,) * len(values)
    return FieldDomain(values, none, ordinals, (len(values),) * len(values))


def _plain_atoms(values: Sequence[Plain], ranks: Sequence[int] = ()) -> FieldDomain:
    return atoms_domain(tuple(map(atom_of, values)), tuple(ranks))


def atom_of(plain: Plain) -> Any:
    """The atom that ``plain`` stands for in a form: a member of an enumeration, or itself."""
    if type(plain) is not tuple:
        return plain
    if plain[:1] == (MEMBER,):
        return find_class(plain[1])[plain[2]]
    return tuple(map(atom_of, plain))


def _one_of(parts: Sequence[FieldDomain]) -> FieldDomain:
    """The values of all ``parts`` one after another; one of them has integers at most."""
    ends: list[int] = []
    for part in parts:
        first = len(ends)
        ends += [first + end for end in part.ends]
    bounded = next((part for part in parts if NEW_INT in part.values), parts[0])
    return FieldDomain(
        tuple([value for part in parts for value in part.values]),
        tuple([number for part in parts for number in part.classes]),
        tuple([ordinal for part in parts for ordinal in part.ordinals]),
        tuple(ends),
        bounded.low,
        bounded.high,
    )


def _table_values(plain: Plain, pools: Sequence[Sequence[Any]]) -> TableValues:
    kind, forms, ranks, *values = plain
    keys = tuple(map(atom_of, forms))
    return TableValues(
        kind,
        keys,
        tuple(forms),
        {key: place for place, key in enumerate(keys)},
        tuple([atoms_domain((False, True), (0, rank)) for rank in ranks]),
        build_domain(values[0], pools) if values else None,
    )


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
