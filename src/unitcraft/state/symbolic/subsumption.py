"""The symbolic states that an exploration knows, without those that others subsume.

Invariant: among the counted states of one shape, a queued one is never subsumed by another; so, as
subsumption is transitive, the number of states does not depend on the order in which those of one
iteration are added.  (Merging is the exception: which states cover others together can depend on
the order.)

Source: SYMSTRA, "Symbolic State Subsumption", and ROSTRA, "Comparison of Path Conditions",
"Syntactic Comparison", "Heuristics"; differs: a queued state is dropped when a weaker one arrives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Generic, Literal, TypeVar

from unitcraft.solve.protocol import Solver
from unitcraft.state.symbolic.implication import ProjectedState, is_subsumed
from unitcraft.state.symbolic.symbolic_state import SymbolicState

P = TypeVar("P")

#: How states of one shape are compared: by implication of their path conditions; by equal sets
#: of projected constraints; not at all (one state for each shape, whatever its condition).
ComparisonMode = Literal["implication", "syntactic", "shape"]

#: Queued states, the latest first, that merging compares again with each new one.
MAX_REVISED: Final = 16


class Subsumption(Generic[P]):
    """The symbolic states that known ones do not subsume; mutable.

    With ``merge`` (and ``implication``), a state is pruned when the known ones of its shape
    stand for it together: their path conditions are joined by *or*.  ``solver`` decides
    implications that are beyond the theories of this package.
    """

    def __init__(
        self,
        compare: ComparisonMode = "implication",
        *,
        merge: bool = False,
        solver: Solver | None = None,
    ) -> None:
        self._compare = compare
        self._merge = merge
        self._solver = solver
        self._counted: dict[SymbolicState[P], ProjectedState[P]] = {}
        self._queued: set[SymbolicState[P]] = set()
        self._shapes: dict[bytes, list[ProjectedState[P]]] = {}

    def add(self, state: SymbolicState[P]) -> bool:
        """Remember ``state``; is it new, that is, not subsumed by what is known?

        Queued states that it subsumes are dropped.
        """
        known = self._shapes.setdefault(state.shape, [])
        if self._compare == "shape" and known:
            return False
        new = ProjectedState(state)
        if self._subsumed(new, known):
            return False
        known.append(new)
        self._counted[state] = new
        self._queued.add(state)
        self._drop(new, known)
        new.forget()
        return True

    def stands_for(self, state: SymbolicState[P]) -> bool:
        """Do the known states subsume ``state``?  It is not remembered."""
        known = self._shapes.get(state.shape, [])
        return bool(known) and (
            self._compare == "shape" or self._subsumed(ProjectedState(state), known)
        )

    def wants(self, state: SymbolicState[P]) -> bool:
        """Is ``state``, once accepted, still worth exploring?  If so it is queued no longer."""
        self._queued.discard(state)
        return state in self._counted

    def __len__(self) -> int:
        """The number of states accepted and not dropped."""
        return len(self._counted)

    def __iter__(self) -> Iterator[SymbolicState[P]]:
        """The states accepted and not dropped, in the order in which they came."""
        return iter(self._counted)

    def _subsumed(self, new: ProjectedState[P], known: Sequence[ProjectedState[P]]) -> bool:
        if self._compare == "syntactic":
            return any(old.projection.key == new.projection.key for old in known)
        return is_subsumed(new, known, self._solver, together=self._merge)

    def _drop(self, new: ProjectedState[P], known: list[ProjectedState[P]]) -> None:
        """Drop queued states that ``new`` subsumes; when merging, that all others together do."""
        queued = [old for old in known if old is not new and old.state in self._queued]
        for old in queued:
            if self._subsumed(old, [new]):
                self._forget(old, known)
        if self._merge:
            for old in queued[-MAX_REVISED:]:
                others = [other for other in known if other is not old]
                if len(others) < len(known) and self._subsumed(old, others):
                    self._forget(old, known)

    def _forget(self, old: ProjectedState[P], known: list[ProjectedState[P]]) -> None:
        known.remove(old)
        del self._counted[old.state]
        self._queued.discard(old.state)

    def rep_ok(self) -> bool:
        """Invariant: everything queued is counted, and what is counted is listed with its shape."""
        listed = [entry for known in self._shapes.values() for entry in known]
        return (
            all(state in self._counted for state in self._queued)
            and len(listed) == len(self._counted)
            and all(self._counted.get(entry.state) is entry for entry in listed)
        )
