"""The scope of a search: how many objects of each class there are, and which values fields have.

A scope is derived from the kinds of values that the source declares and that objects held
(``heaps.field_kind``); a person overrides parts of it.

Invariant: a scope is plain data for a number N; it follows from kinds, overrides and N alone.

Source: KORAT, "Finitization".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from unitcraft.core.encoding import Plain
from unitcraft.core.errors import UnitcraftError
from unitcraft.heaps.field_domains import DomainBuilder, Engine, is_symbolic
from unitcraft.heaps.field_kind import CONTAINERS, Kinds, flat_kinds, is_opaque

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
        """The names of the classes and their fields, as ``heaps.guest.state_agent`` takes them.

        '' stands for a field of which nothing is known but that it has a value.
        """
        return tuple([(one.name, tuple(["" if is_opaque(info.kinds) else info.name
                                        for info in one.fields]))
                      for one in self.classes])  # fmt: skip

    def _is_linked(self) -> bool:
        root = self.classes[0].name
        return any(
            ("object", root) in flat_kinds(info.kinds)
            for one in self.classes
            for info in one.fields
        )

    def unknown_fields(self) -> list[str]:
        """The fields of which no value is known, as ``Class.field``."""
        return [
            f"{one.short}.{info.name}"
            for one in self.classes
            for info in one.fields
            if f"{one.short}.{info.name}" not in self.wishes.fields
            and (
                is_opaque(info.kinds)
                or not [
                    kind
                    for kind in info.kinds
                    if kind[0] not in ("none", "other") and (kind[0] not in CONTAINERS or kind[1])
                ]
            )
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
                           if is_symbolic(self._field(info, 1, "lazy")[1])])
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
        if is_opaque(info.kinds):
            return info.name, ("atoms", (None,))
        places = {one.name: place for place, one in enumerate(self.classes)}
        return info.name, DomainBuilder(places, number, engine).domain(info.kinds)

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
            named = [kind[1] for kind in flat_kinds(info.kinds) if kind[0] == "object"]
            order += [one for one in dict.fromkeys(named) if one in known and one not in order]
    model = HeapModel(tuple([HeapClass(name, known[name]) for name in order]), invariant, wishes)
    fields = [f"{one.short}.{info.name}" for one in model.classes for info in one.fields]
    _check_names([name.removesuffix("[]") for name in wishes.fields], fields)
    _check_names(wishes.objects, [one.short for one in model.classes])
    return model


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
