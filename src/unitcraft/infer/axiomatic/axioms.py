"""Axioms of a class: what its operations change, and what no call changes.

Invariant: a line is true of every entry of the table, which holds the calls of all universes.

Source: DAIKON, frame conditions and modified variables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.infer.universe.profiles import Profile
    from unitcraft.infer.universe.transition_table import TransitionTable


@dataclass(frozen=True, slots=True)
class Axiom:
    """A line about the class (``method`` is '') or about one of its operations."""

    kind: str
    method: str
    text: str


def frame_axioms(table: TransitionTable, profiles: Sequence[Profile]) -> list[Axiom]:
    """Which operations leave the object as it was, always or when they raise."""
    found = []
    for place, (operation, profile) in enumerate(zip(table.operations, profiles, strict=True)):
        if not table.is_explored(place):
            continue
        if profile.pure and not profile.makes:
            found.append(Axiom("pure", operation.name, f"{operation.name} changes nothing"))
        elif profile.raises and profile.keeps_on_raise:
            text = f"{operation.name} changes nothing when it raises"
            found.append(Axiom("frame", operation.name, text))
        elif profile.raises:
            text = f"{operation.name} may leave a changed object when it raises: no law is about it"
            found.append(Axiom("unsafe", operation.name, text))
    return found
