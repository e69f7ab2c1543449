"""Field coverage: the pairs (object, value) that each field takes in the heaps of a suite.

Objects have their breadth-first number for each class, so isomorphic heaps cover the same pairs.
Fields that hold integers are left out: their values are chosen by a solver, not enumerated; of a
list of integers the length counts.

Invariant: the extension of a field only grows; a suite satisfies a criterion if its extension
contains the pairs asked for.

Source: FIELDCOVERAGE, section II, definitions 2 to 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unitcraft.heaps.field_kind import ROWS, SET

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain
    from unitcraft.heaps.heap_scope import HeapModel

#: The number of the object whose field it is, and the value.
Pair = tuple[int, "Plain"]


@dataclass(frozen=True, slots=True)
class PairReader:
    """Reads the pairs of heaps of a model; ``labels`` are ``Class.field`` by class and place.

    The label of a field that is not counted is ''; ``lengths`` are those of which the length
    counts, ``mixed`` those with other atoms beside integers, which count as one value.
    """

    labels: tuple[tuple[str, ...], ...]
    lengths: frozenset[str]
    mixed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, model: HeapModel) -> PairReader:
        """The reader for heaps of ``model``."""
        labels: list[tuple[str, ...]] = []
        lengths: list[str] = []
        mixed: list[str] = []
        for one, integers in zip(model.classes, model.symbolic_fields(), strict=True):
            names = []
            for place, info in enumerate(one.fields):
                label = f"{one.short}.{info.name}"
                is_list = any(kind[0] in ROWS for kind in info.kinds)
                is_mixed = label not in model.wishes.fields and any(
                    kind[0] not in ("int", "other") for kind in info.kinds
                )
                names.append(label if is_mixed or is_list or place not in integers else "")
                if place in integers and is_list:
                    lengths.append(label)
                if place in integers and is_mixed:
                    mixed.append(label)
            labels.append(tuple(names))
        return cls(tuple(labels), frozenset(lengths), frozenset(mixed))

    def fields(self) -> list[str]:
        """The fields that count, in order."""
        return [label for labels in self.labels for label in labels if label]

    def pairs(self, form: Plain) -> Iterator[tuple[str, Pair]]:
        """The label and the pair of each field of each object of a heap."""
        numbers = [0] * len(self.labels)
        for kind, cells in form:
            owner = numbers[kind]
            numbers[kind] += 1
            for label, cell in zip(self.labels[kind], cells, strict=True):
                if not label:
                    continue
                if label in self.lengths and type(cell) is list:
                    yield label, (owner, len(cell))
                elif type(cell) is list:
                    for place, item in enumerate(cell):
                        yield label, (owner, (place, _hashable(item)))
                elif type(cell) is dict:
                    for key, value in cell.items():
                        if key != SET:
                            yield label, (owner, (key, _hashable(value)))
                else:
                    yield label, (owner, self._atom(label, cell))

    def _atom(self, label: str, cell: Plain) -> Plain:
        return "int" if type(cell) is int and label in self.mixed else cell


def _hashable(cell: Plain) -> Plain:
    """A value in a container; a container in it by its text."""
    return repr(cell) if type(cell) in (list, dict) else cell


class FieldExtensions:
    """Abstract state: for each field the pairs that the heaps added so far have."""

    def __init__(self, reader: PairReader) -> None:
        self._reader = reader
        self.pairs: dict[str, dict[Pair, None]] = {label: {} for label in reader.fields()}

    def add(self, form: Plain) -> bool:
        """Add the pairs of a heap; was one of them new?"""
        found = False
        for label, pair in self._reader.pairs(form):
            known = self.pairs[label]
            if pair not in known:
                known[pair] = None
                found = True
        return found

    def sizes(self) -> dict[str, int]:
        """The number of pairs of each field."""
        return {label: len(pairs) for label, pairs in self.pairs.items()}

    def missing(self, wanted: FieldExtensions) -> list[tuple[str, Pair]]:
        """The pairs of ``wanted`` that are not here: FCC(wanted) is satisfied if there are none."""
        return [
            (label, pair)
            for label, pairs in wanted.pairs.items()
            for pair in pairs
            if pair not in self.pairs.get(label, {})
        ]

    def covers_non_null(self) -> bool:
        """Has each field a pair whose value is not None?"""
        return all(any(pair[1] is not None for pair in pairs) for pairs in self.pairs.values())
