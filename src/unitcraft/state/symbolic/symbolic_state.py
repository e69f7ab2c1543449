"""Symbolic states: a heap whose symbolic slots hold terms, under a path condition.

Invariant: a SymbolicState stands for the concrete states { heap with slot k = value of
``slots[k]`` under v | v satisfies ``condition`` }, and for no others.

Source: SYMSTRA, "State Abstraction: Symbolic States" and "Symbolic State Subsumption"; as
published.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from unitcraft.symbolic.terms.term import Constraint, Kind, Term

P = TypeVar("P")


@dataclass(frozen=True, slots=True, eq=False)
class SymbolicState(Generic[P]):
    """A heap with symbolic slots, the terms in them, and the path condition that led there.

    ``shape`` is the digest of the canonical heap in which every symbolic slot is replaced by a
    mark of its kind; ``slots`` are the terms in those slots, in the order in which the canonical
    form visits them, so that states of equal shapes have slots of the same kinds.
    ``condition`` and ``slots`` speak of inputs ``('v', n)`` of type ``kinds[n]``.
    ``values`` are inputs that satisfy the condition, or () when none are at hand (they save
    solving, and without them no Solver is asked).  ``payload`` is the caller's.

    Two states are equal only if they are one object: what they stand for is compared
    by ``implication``.
    """

    shape: bytes
    slots: tuple[Term, ...]
    condition: tuple[Constraint, ...]
    kinds: tuple[Kind, ...]
    payload: P
    values: tuple[Any, ...] = ()
