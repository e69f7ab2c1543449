"""The scope of a search: how many objects of each class there are, and which values fields have.

A scope is derived from the kinds of values that the source declares and that objects held
(``heaps.field_kind``); a person overrides parts of it.

Invariant: a scope is plain data for a number N; it follows from kinds, overrides and N alone.

Source: KORAT, "Finitization".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Final, Literal

from unitcraft.core.encoding import Plain
from unitcraft.core.errors import UnitcraftError
from unitcraft.heaps.field_kind import CONTAINERS, TEXTS, Kinds, key_order, kinds_inside

Engine = Literal["lazy", "korat"]

_SIZE: Final = re.compile(r"N(?:\s*([+-])\s*(\d+))?|-?\d+")


@dataclass(frozen=True, slots=True)
class FieldInfo:
    """A field and the kinds of its values; ``class_name`` is ``module:qualname``."""

    class_name: str
    name: str
    kinds: tuple[Plain, ...]


@dataclass(frozen=True, slots=True)
class ScopeWishes:
    """What a person asks for: values of fields by ``Class.field``, objects by ``Class``, as text.

    Values are ``0..N``, ``1,2,None`` or names of classes; N stands for the number of the scope.
    ``Class.field[]`` is the items of a list, whose length is 0 to N.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    objects: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HeapClass:
    """A class of a heap: its fields with their kinds, in order."""

    name: str
    fields: tuple[FieldInfo, ...]

    @property
    def short(self) -> str:
        """The name without module and enclosing classes."""
        return self.name.rpartition(":")[2].rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class HeapModel:
    """The classes of the heaps of one class, that of the receiver first, and its invariant.

    The invariant is a name, or an expression over ``self``; ``is_inferred``: nobody wrote it.
    """

    classes: tuple[HeapClass, ...]
    invariant: str
    wishes: ScopeWishes = ScopeWishes()
    is_inferred: bool = False

    @property
    def invariant_name(self) -> str:
        """The invariant in a word or two."""
        if self.is_inferred:
            return "the inferred invariant"
        return self.invariant if self.invariant.isidentifier() else "the given invariant"

    def counts(self, number: int) -> tuple[int, ...]:
        """The objects of each class in the scope ``number``, the bound of lengths last.

        There is one receiver, unless receivers refer to each other.
        """
        linked = self._is_linked()
        counts = []
        for place, one in enumerate(self.classes):
            wish = self.wishes.objects.get(one.short)
            default = number if place or linked else 1
            counts.append(size_of(wish, number) if wish is not None else default)
        return (*counts, number)

    def layout(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The names of the classes and their fields, as ``heaps.guest.state_agent`` takes them."""
        return tuple([(one.name, tuple([info.name for info in one.fields]))
                      for one in self.classes])  # fmt: skip

    def _is_linked(self) -> bool:
        root = self.classes[0].name
        return any(
            ("object", root) in _flat(info.kinds) for one in self.classes for info in one.fields
        )

    def unknown_fields(self) -> list[str]:
        """The fields of which no value is known, as ``Class.field``."""
        return [
            f"{one.short}.{info.name}"
            for one in self.classes
            for info in one.fields
            if f"{one.short}.{info.name}" not in self.wishes.fields
            and not [
                kind
                for kind in info.kinds
                if kind[0] not in ("none", "other") and (kind[0] not in CONTAINERS or kind[1])
            ]
        ]

    def scope(self, number: int, engine: Engine) -> Plain:
        """The scope ``number`` as ``heaps.guest.heaps_agent`` reads it."""
        counts = self.counts(number)
        return {
            "classes": tuple(
                [
                    (one.name, count, tuple([self._field(info, number, engine)
                                             for info in one.fields]))
                    for one, count in zip(self.classes, counts, strict=False)
                ]
            ),
            "length": counts[-1],
            "invariant": self.invariant,
        }  # fmt: skip

    def symbolic_fields(self) -> tuple[frozenset[int], ...]:
        """The places of fields whose values, or items, are symbolic integers, for each class."""
        return tuple(
            [
                frozenset([place for place, info in enumerate(one.fields)
                           if _is_symbolic(self._field(info, 1, "lazy")[1])])
                for one in self.classes
            ]
        )  # fmt: skip

    def _field(self, info: FieldInfo, number: int, engine: Engine) -> Plain:
        short = info.class_name.rpartition(":")[2].rpartition(".")[2]
        name = f"{short}.{info.name}"
        wish, items = (self.wishes.fields.get(one) for one in (name, f"{name}[]"))
        if items is not None:
            return info.name, ("list", 0, number, self._wished(items, number, engine))
        if wish is not None:
            return info.name, self._wished(wish, number, engine)
        return info.name, self._domain(info.kinds, number, engine)

    def _domain(self, kinds: Sequence[Plain], number: int, engine: Engine) -> Plain:
        """The domain of values of ``kinds``: objects, else a container, integers, atoms."""
        tags = {kind[0] for kind in kinds}
        places = {one.name: place for place, one in enumerate(self.classes)}
        objects = [places[kind[1]] for kind in kinds if kind[0] == "object" and kind[1] in places]
        if objects:
            return ("ref", tuple(dict.fromkeys(objects)), "none" in tags)
        for kind in kinds:
            if kind[0] == "list":
                return ("list", 0, number, self._domain(kind[1], number, engine))
            if kind[0] in ("dict", "set"):
                keys = sorted(_atoms_of(kind[1], number), key=key_order) if kind[1] else []
                known = [one for one in zip(keys, _ranks(keys), strict=True) if one[1] <= number]
                table: Plain = kind[0], [key for key, _ in known], [rank for _, rank in known]
                return table if kind[0] == "set" else (*table, self._ranked(kind[2], number))
        others = [kind for kind in kinds if kind[0] != "int"]
        atoms = _atoms_of(others, number) if others or not kinds else []
        if "int" in tags:
            bounds = (None, None, True) if engine == "lazy" else (0, number, False)
            return ("int", *bounds, *_with_ranks(atoms, kinds))
        return ("atoms", *_with_ranks(atoms, kinds))

    def _ranked(self, kinds: Sequence[Plain], number: int) -> Plain:
        """The domain of the values of a dict: no symbols, integers and texts by their rank."""
        domain = self._domain(kinds, number, "korat")
        if domain[0] not in ("int", "atoms"):
            return domain
        values = _atoms_of(kinds, number)
        ranks = _ranks(values)
        return ("atoms", values, [rank if type(value) in (int, str) else 0
                                  for value, rank in zip(values, ranks, strict=True)])  # fmt: skip

    def _wished(self, text: str, number: int, engine: Engine) -> Plain:
        low, dots, high = text.partition("..")
        if dots:
            bounds = size_of(low, number), size_of(high, number)
            return ("int", *bounds, engine == "lazy")
        names = {one.short: place for place, one in enumerate(self.classes)}
        parts = [part.strip() for part in text.split(",")]
        objects = [names[part] for part in parts if part in names]
        if objects:
            return ("ref", tuple(objects), "None" in parts)
        if all(_SIZE.fullmatch(part) for part in parts):
            return ("atoms", tuple([size_of(part, number) for part in parts]))
        try:
            return ("atoms", tuple(ast.literal_eval(f"({text},)")))
        except (SyntaxError, ValueError):
            raise _bad_values(text) from None


def size_of(text: str, number: int) -> int:
    """The integer of ``7``, ``N`` or ``N-1``, where N is ``number``.  Raises UnitcraftError."""
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise _bad_values(text)
    if not text.strip().startswith("N"):
        return int(text)
    return number + int(found[1] + found[2]) if found[1] else number


def model_of(root: str, classes: Kinds, invariant: str, wishes: ScopeWishes) -> HeapModel:
    """The HeapModel of the classes that the fields of ``root`` lead to.

    Raises UnitcraftError ``unknown-field`` for wishes that name nothing of them.
    """
    known = {
        name: tuple([FieldInfo(name, field, tuple(kinds)) for field, kinds in fields.items()])
        for name, fields in classes.items()
    }
    order = [root]
    for name in order:
        for info in known[name]:
            named = [kind[1] for kind in _flat(info.kinds) if kind[0] == "object"]
            order += [one for one in dict.fromkeys(named) if one in known and one not in order]
    model = HeapModel(tuple([HeapClass(name, known[name]) for name in order]), invariant, wishes)
    fields = [f"{one.short}.{info.name}" for one in model.classes for info in one.fields]
    _check_names([name.removesuffix("[]") for name in wishes.fields], fields)
    _check_names(wishes.objects, [one.short for one in model.classes])
    return model


def _is_symbolic(domain: Plain) -> bool:
    return domain[0] == "int" or (domain[0] == "list" and _is_symbolic(domain[3]))


def _flat(kinds: Iterable[Plain]) -> list[Plain]:
    """``kinds``, and the kinds in containers."""
    return [one for kind in kinds for one in (kind, *_flat(kinds_inside(kind)))]


def _ranks(values: Sequence[Any]) -> list[int]:
    """The least scope that has each value: integers and letters by themselves, others in turn."""
    ranks, others = [], 0
    for value in values:
        if type(value) is int:
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
        elif kind[0] == "passed" or (
            kind[0] == "text" and not any(one[0] in ("atom", "passed") for one in kinds)
        ):
            found += TEXTS[:number]
    return list({(type(one), one): one for one in found}.values()) or [None]


def _check_names(wishes: Iterable[str], known: list[str]) -> None:
    for name in wishes:
        if name not in known:
            close = get_close_matches(name, known, 1)
            advice = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
            raise UnitcraftError("unknown-field", f"no heap has a {name}", advice=advice)


def _bad_values(text: str) -> UnitcraftError:
    return UnitcraftError(
        "bad-values",
        f"{text!r} names no values",
        advice="write 0..N, N-1, a list of literals such as 0,1,None, or a class and None",
    )
