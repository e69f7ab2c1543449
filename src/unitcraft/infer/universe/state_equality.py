"""Which states are equal: by ``==`` where that is sound, else by the structure of the heap.

Invariant: states are merged by ``==`` only when it was reflexive, symmetric and harmless, and when
every call that the table holds has the same outcome on equal states and leaves equal states; else
nothing is merged, and the reason is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unitcraft.infer.universe.transition_table import broken
from unitcraft.infer.universe.values import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.infer.universe.transition_table import Entry, TransitionTable

#: Classes of equal states that a new state is compared with; one that equals none of so many
#: stands alone, which loses laws and makes none false.
MAX_COMPARED: Final = 24
#: States with different values that are compared all the same, to see whether ``==`` is blind.
MAX_FIRSTS: Final = 10


class StateEquality:
    """The representative of each state of a table (mutable: follows the table).

    Equal states have the values of the Calls ``observers`` in common: others are not compared.
    """

    def __init__(self, table: TransitionTable, observers: Sequence[int] = ()) -> None:
        self._table = table
        self._observers = tuple(observers)
        self._representatives: list[int] = []
        self._buckets: dict[tuple[int, ...], list[int]] = {}
        self.uses_equals = False
        self.disagreement = ""

    def representative(self, state: int) -> int:
        """The first state that equals ``state``; a number below zero stands for no state."""
        return self._representatives[state] if state >= 0 else state

    def entry(self, state: int, call: int) -> Entry:
        """The entry of a pair, its states as representatives."""
        kind, value, after = found = self._table.entry(state, call)
        if not self.uses_equals:
            return found
        if kind == "s":
            value = self.representative(value)
        onward = self.representative(after)
        return found if (value, onward) == found[1:] else type(found)(kind, value, onward)

    def update(self) -> None:
        """Find the representatives of the states that are new in the table."""
        known, size = len(self._representatives), len(self._table.states)
        if known == size:
            return
        if not self.uses_equals:
            self._representatives += range(known, size)
            return
        new = range(known, size)
        self._table.fill((state, call) for state in new for call in self._observers)
        compared = [self._compared(state) for state in new]
        for state, others, same in zip(new, compared, self._ask(new, compared), strict=True):
            equal = [
                self._representatives[one] for one, yes in zip(others, same, strict=True) if yes
            ]
            self._representatives.append(equal[0] if equal else state)
        self.update()

    def adopt_equals(self, observers: Sequence[int]) -> None:
        """Merge equal states by ``==`` unless that is unsound on the entries of the table."""
        self._observers = tuple(observers)
        self._representatives, self.uses_equals = [], True
        if self._is_reflexive():
            self.update()
            self.disagreement = self._difference() or self._blindness()
        if self.disagreement:
            self._representatives, self.uses_equals = [], False
            self.update()

    def _is_reflexive(self) -> bool:
        items = [[self._table.item(state)] * 2 for state in range(min(4, len(self._table.states)))]
        for reply in self._table.pool.map("equals", items):
            if reply.error:
                raise broken(reply.error)
            if reply.failure is not None or reply.value != (True,):
                self.disagreement = "objects made in the same way are not equal"
        return not self.disagreement

    def _compared(self, state: int) -> list[int]:
        """The earlier states that ``state`` may equal: they have its values in common."""
        found = [self._table.entry(state, call) for call in self._observers]
        key = tuple(one.value if one.kind in "vx" else UNKNOWN for one in found)
        others = self._buckets.setdefault(key, [])
        compared = others[:MAX_COMPARED]
        others.append(state)
        return compared

    def _ask(
        self, states: Sequence[int], compared: Sequence[Sequence[int]]
    ) -> list[tuple[bool | None, ...]]:
        """For each of ``states``, is it equal to each of those that it is compared with?"""
        asked = [
            [self._table.item(one) for one in (state, *others)]
            for state, others in zip(states, compared, strict=True)
            if others
        ]
        replies = self._table.pool.map("equals", asked, batch=16)
        answers: list[tuple[bool | None, ...]] = []
        for others in compared:
            reply = next(replies) if others else None
            if reply is not None and reply.error:
                raise broken(reply.error)
            same = (reply.value if reply is not None else ()) or (False,) * len(others)
            if None in same:
                self.disagreement = "== raises, is not symmetric or changes an operand"
            answers.append(same)
        return answers

    def _blindness(self) -> str:
        """The call that tells apart objects which ``==`` does not, as a sentence; '' for none."""
        firsts = [states[0] for states in self._buckets.values()][:MAX_FIRSTS]
        compared = [firsts[place + 1 :] for place in range(len(firsts))]
        for one, others, same in zip(firsts, compared, self._ask(firsts, compared), strict=True):
            for other, equal in zip(others, same, strict=True):
                if equal:
                    return self._told_apart(one, other)
        return ""

    def _told_apart(self, one: int, other: int) -> str:
        entry, table = self._table.entry, self._table
        for call in self._observers:
            if entry(one, call)[:2] != entry(other, call)[:2]:
                name = table.operations[table.called[call][0]].name
                return f"{name} tells apart objects that are =="
        return "calls tell apart objects that are =="

    def _difference(self) -> str:
        """The operation that tells equal states apart, as a sentence; '' when there is none."""
        if self.disagreement:
            return self.disagreement
        for (state, call), _ in list(self._table.entries()):
            other = self.representative(state)
            if other == state:
                continue
            one, two = self.entry(state, call), self.entry(other, call)
            if "?" not in (one.kind, two.kind) and one != two:
                name = self._table.operations[self._table.called[call][0]].name
                return f"{name} tells apart objects that are =="
        return ""
