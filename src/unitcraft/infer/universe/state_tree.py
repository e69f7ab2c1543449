"""Which states may be equal: those on which every Call that was asked came to the same.

Invariant: equal states stand in one leaf.  A leaf of many states is split by the first Call that
tells some of them apart, so that few pairs of states are left to compare.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unitcraft.infer.universe.values import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unitcraft.infer.universe.transition_table import TransitionTable

#: States of a leaf that is split; one whose states no Call tells apart waits for as many again.
MAX_ALIKE: Final = 10

#: A leaf, by what the Calls asked on the way to it came to.
Leaf = tuple[int, ...]


class StateTree:
    """States that differ from each other, by what Calls come to on them (mutable: it grows).

    ``first`` are asked of every state, ``others`` where those leave many alike.
    """

    def __init__(
        self, table: TransitionTable, first: Sequence[int] = (), others: Sequence[int] = ()
    ) -> None:
        self._table = table
        self._first = tuple(first)
        self._others = tuple(others)
        self._asked: dict[Leaf, int] = {}
        self._enough: dict[Leaf, int] = {}
        self._members: dict[Leaf, list[int]] = {}

    def leaves(self, states: Sequence[int]) -> list[Leaf | None]:
        """The leaf of each of ``states``; None where the table is full and a Call was not asked."""
        self._table.fill((state, call) for state in states for call in self._first)
        found: list[Leaf | None] = [() for _ in states]
        while asked := {
            place: call
            for place, leaf in enumerate(found)
            if leaf is not None and (call := self._call_at(leaf)) is not None
        }:
            told = self._outcomes([(states[place], call) for place, call in asked.items()])
            for place, outcome in zip(asked, told, strict=True):
                leaf = found[place]
                found[place] = None if leaf is None or outcome is None else (*leaf, outcome)
        return found

    def members(self, leaf: Leaf) -> list[int]:
        """The states that were added to ``leaf``."""
        return list(self._members.get(leaf, ()))

    def add(self, leaf: Leaf, state: int) -> None:
        """``state`` belongs to ``leaf`` and equals none of its members."""
        self._members.setdefault(leaf, []).append(state)

    def split(self, leaves: Iterable[Leaf | None]) -> None:
        """Split those of ``leaves`` with many states by what tells these apart."""
        for leaf in dict.fromkeys(leaves):
            states = self._members.get(leaf, []) if leaf is not None else []
            if leaf is not None and len(states) >= self._enough.get(leaf, MAX_ALIKE):
                self._split(leaf, states)

    def groups(self) -> list[list[int]]:
        """The states of each leaf."""
        return list(self._members.values())

    def telling(self, one: int, other: int) -> int | None:
        """A Call known to tell two states apart; None for none."""
        for call in (*self._first, *self._others):
            told = {self._table.entry(state, call)[:2] for state in (one, other)}
            if len(told) > 1 and all(kind != "?" for kind, _ in told):
                return call
        return None

    def _call_at(self, leaf: Leaf) -> int | None:
        """The Call that tells apart what comes to that place; None for a leaf."""
        return self._first[len(leaf)] if len(leaf) < len(self._first) else self._asked.get(leaf)

    def _outcomes(self, pairs: Sequence[tuple[int, int]]) -> list[int | None]:
        """What pairs came to, as far as that tells states apart; None for one that was not run."""
        self._table.fill(pairs)
        return [
            (one.value if one.kind in "vx" else UNKNOWN) if self._table.has(*pair) else None
            for pair, one in zip(pairs, self._table.entries_of(pairs), strict=True)
        ]

    def _split(self, leaf: Leaf, states: list[int]) -> None:
        known = {self._asked.get(leaf[:size]) for size in range(len(leaf))}
        for call in self._others:
            if call in known:
                continue
            told = [one for one in self._outcomes([(state, call) for state in states])
                    if one is not None]  # fmt: skip
            if len(told) == len(states) and len(set(told)) > 1:
                del self._members[leaf]
                self._asked[leaf] = call
                for state, outcome in zip(states, told, strict=True):
                    self.add((*leaf, outcome), state)
                return
        self._enough[leaf] = 2 * len(states)
