"""Field coverage of a suite: the pairs of a field-exhaustive suite that its calls meet.

Invariant: an existing suite and a generated one are measured alike: by the heaps that their tests
give to functions of the subjects, whatever made these heaps.

Source: FIELDCOVERAGE, section II, definitions 2 to 4.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unitcraft.heaps.field_coverage import FieldExtensions, Pair, PairReader
from unitcraft.heaps.field_kind import CONTAINERS, MEMBER, SET, is_object, member_text

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain
    from unitcraft.heaps.heap_generation import GenerationTask
    from unitcraft.heaps.heap_scope import HeapModel


@dataclass(frozen=True, slots=True)
class FieldCoverage:
    """What a suite covers of the heaps of ``target`` in ``scope``.

    ``wanted`` and ``covered`` count pairs by field; ``missing`` are pairs as text.  ``heaps`` are
    the different ones that its calls met; ``is_non_null``: each field had another value than
    None.  ``stopped`` says why not all heaps of the scope are known, '' if they are.
    """

    target: str
    invariant: str
    scope: int
    wanted: dict[str, int]
    covered: dict[str, int]
    missing: tuple[str, ...]
    heaps: int
    is_non_null: bool
    stopped: str = ""

    @property
    def is_exhaustive(self) -> bool:
        """Is no pair missing, of those that are known?"""
        return not self.missing


def assess_fields(
    task: GenerationTask, wanted: FieldExtensions, forms: Iterable[Plain], stopped: str = ""
) -> FieldCoverage:
    """The coverage of ``wanted`` by the heaps ``forms`` that a suite met, each once."""
    met, heaps = FieldExtensions(PairReader.of(task.model)), 0
    for form in forms:
        met.add(form)
        heaps += 1
    missing = met.missing(wanted)
    covered = wanted.sizes()
    for label, _ in missing:
        covered[label] -= 1
    return FieldCoverage(
        task.target,
        task.model.invariant_name,
        task.scopes[-1],
        wanted.sizes(),
        covered,
        tuple([pair_text(label, pair, task.model) for label, pair in missing]),
        heaps,
        met.covers_non_null(),
        stopped,
    )


def pair_text(label: str, pair: Pair, model: HeapModel) -> str:
    """A pair as people read it: ``Node0.left = Node1``; of a list an item or its length."""
    owner, _, name = label.rpartition(".")
    number, value = pair

    def named(cell: Plain) -> str:
        if is_object(cell):
            return f"{model.classes[cell[0]].short}{cell[1]}"
        return member_text(cell) if type(cell) is tuple else repr(cell)

    info = next(
        info for one in model.classes if one.short == owner for info in one.fields
        if info.name == name
    )  # fmt: skip
    where = f"{owner}{number}.{name}"
    is_container = any(kind[0] in CONTAINERS for kind in info.kinds)
    if is_container and type(value) is tuple and value[0] != MEMBER:
        inside = f"{where}[{value[0]!r}] = {named(value[1])}"
        return f"{value[0]!r} in {where}" if value[1] == SET else inside
    if is_container and type(value) is int:
        return f"len({where}) = {value}"
    return f"{where} = {named(value)}"
