"""What is known of terms, remembered by identity, so that none is hashed for every Query.

Invariant: what was found of a term is given for the very object, which is kept here, and for terms
that are equal only if there are no constants in them: 1, True and 1.0 are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeVar

from unitcraft.symbolic.terms.term import Constraint, Term, constants_of

T = TypeVar("T")

#: Remembered terms; a bound of memory, at which all are forgotten at once.
MAX_REMEMBERED: Final = 50_000


class Remembered(Generic[T]):
    """``find(term)``, which depends on the term alone, found once for each term."""

    __slots__ = ("_by_identity", "_by_value", "_find")

    def __init__(self, find: Callable[[Term], T]) -> None:
        self._find = find
        self._by_identity: dict[int, tuple[Term, T]] = {}
        self._by_value: dict[Term, tuple[Term, T]] = {}

    def of(self, constraints: Iterable[Constraint]) -> list[T]:
        """What is known of the term of each of ``constraints``, in their order."""
        known, learn = self._by_identity.get, self._learn
        return [(known(id(term)) or learn(term))[1] for term, _ in constraints]

    def _learn(self, term: Term) -> tuple[Term, T]:
        if len(self._by_identity) >= MAX_REMEMBERED:
            self._by_identity.clear()
            self._by_value.clear()
        equal = self._by_value.get(term)
        entry = (term, self._find(term) if equal is None else equal[1])
        self._by_identity[id(term)] = entry
        if equal is None and next(constants_of(term), self) is self:
            self._by_value[term] = entry
        return entry
