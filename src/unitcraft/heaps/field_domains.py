"""From the kinds of values of a field to its domain in a scope, as plain data.

Invariant: a domain follows from the kinds, the classes of the model, the number of the scope and
the engine alone; what it has in a scope it has in every larger one.

Source: KORAT, "Finitization".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

from unitcraft.heaps.field_kind import (
    CONTAINERS,
    MEMBER,
    ROWS,
    SETS,
    TEXTS,
    key_order,
)

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain

Engine = Literal["lazy", "korat"]


@dataclass(frozen=True, slots=True)
class DomainBuilder:
    """Builds the domains of one scope; ``classes`` are the numbers of the classes by their names.

    ``ranked``: inside a dict, where no integer is symbolic and values come with their scope.
    """

    classes: Mapping[str, int]
    number: int
    engine: Engine
    ranked: bool = False

    def domain(self, kinds: Sequence[Plain]) -> Plain:
        """The domain of values of ``kinds``: atoms and integers, containers, then objects.

        None and objects alone are a reference.
        """
        named = [kind[1] for kind in kinds if kind[0] == "object"]
        objects = tuple(dict.fromkeys([self.classes[one] for one in named if one in self.classes]))
        scalars = [kind for kind in kinds
                   if kind[0] not in (*CONTAINERS, "object", "other")]  # fmt: skip
        parts = [self._container(kind) for kind in kinds if kind[0] in CONTAINERS]
        if objects and not parts and all(kind[0] == "none" for kind in scalars):
            return ("ref", objects, bool(scalars))
        if scalars or not (parts or objects):
            parts.insert(0, self._scalars(scalars))
        if objects:
            parts.append(("ref", objects, False))
        return parts[0] if len(parts) == 1 else ("any", tuple(parts))

    def _container(self, kind: Plain) -> Plain:
        tag, number = kind[0], self.number
        if tag == "tuple":
            return tag, tuple([self.domain(part) for part in kind[1:]])
        if tag in ROWS:
            return tag, 0, number if kind[1] else 0, self.domain(kind[1])
        keys = _keys_of(kind[1], number) if kind[1] else []
        known = [one for one in zip(keys, _ranks(keys), strict=True) if one[1] <= number]
        known.sort(key=lambda pair: key_order(pair[0]))
        table: Plain = tag, [key for key, _ in known], [rank for _, rank in known]
        if tag in SETS:
            return table
        return (*table, DomainBuilder(self.classes, number, "korat", ranked=True).domain(kind[2]))

    def _scalars(self, kinds: Sequence[Plain]) -> Plain:
        if self.ranked:
            values = _atoms_of(kinds, self.number)
            ranks = [rank if type(value) in (int, str) else 0
                     for value, rank in zip(values, _ranks(values), strict=True)]  # fmt: skip
            return ("atoms", values, ranks)
        is_int = any(kind[0] in ("int", "number") for kind in kinds)
        others = [kind for kind in kinds if kind[0] not in ("int", "number")]
        atoms = _atoms_of(others, self.number) if others or not is_int else []
        if not is_int:
            return ("atoms", *_with_ranks(atoms, kinds))
        if self.engine == "lazy":
            return ("int", None, None, True, *_with_ranks(atoms, kinds))
        numbers = [kind[1] for kind in kinds if kind[0] == "number"]
        numbers = sorted([one for one in numbers if not 0 <= one <= self.number])
        if numbers:
            # beside 0 to N, as an atom is: the number that stands for "none", or for a size
            atoms = [*atoms, *numbers]
        return ("int", 0, self.number, False, *_with_ranks(atoms, kinds))


def is_symbolic(domain: Plain) -> bool:
    """Are values of the domain, or items in them, symbolic integers?"""
    kind = domain[0]
    if kind == "int":
        return bool(domain[3])
    if kind == "any":
        return any(map(is_symbolic, domain[1]))
    if kind == "tuple":
        return any(map(is_symbolic, domain[1]))
    return kind in ROWS and is_symbolic(domain[3])


def _ranks(values: Sequence[Any]) -> list[int]:
    """The least scope that has each value: integers and letters by themselves, others in turn.

    A tuple is there when all of its items are.
    """
    ranks, others = [], 0
    for value in values:
        if type(value) is tuple and value[:1] != (MEMBER,):
            ranks.append(max(_ranks(value), default=1))
        elif type(value) is int:
            ranks.append(value + 1)
        elif value in TEXTS:
            ranks.append(TEXTS.index(value) + 1)
        else:
            others += 1
            ranks.append(others)
    return ranks


def _with_ranks(atoms: Sequence[Any], kinds: Sequence[Plain]) -> tuple[tuple[Any, ...], ...]:
    """Atoms of a field, if any; and the least scope of each, if letters come by and by."""
    ranks = tuple([
        TEXTS.index(one) + 1 if one in TEXTS and ("atom", one) not in kinds else 0
        for one in atoms
    ])  # fmt: skip
    if not any(ranks):
        return (tuple(atoms),) if atoms else ()
    return tuple(atoms), ranks


def _keys_of(kinds: Sequence[Plain], number: int) -> list[Any]:
    """The keys of a dict, or items of a set, of ``kinds``."""
    tuples = [kind for kind in kinds if kind[0] == "tuple"]
    others = [kind for kind in kinds if kind[0] not in CONTAINERS]
    found = _atoms_of(others, number) if others else []
    for kind in tuples:
        found += product(*[_keys_of(part, number) for part in kind[1:]])
    return found


def _atoms_of(kinds: Sequence[Plain], number: int) -> list[Any]:
    found: list[Any] = []
    for kind in kinds:
        if kind[0] == "none":
            found.insert(0, None)
        elif kind[0] == "bool":
            found += [False, True]
        elif kind[0] == "int":
            found += range(number)
        elif kind[0] == "atom":
            found.append(kind[1])
        elif kind[0] == "enum":
            found += [(MEMBER, kind[1], name) for name in kind[2]]
        elif kind[0] == "passed" or (
            kind[0] == "text" and not any(one[0] in ("atom", "passed") for one in kinds)
        ):
            found += TEXTS[:number]
    return list({(type(one), one): one for one in found}.values()) or [None]
