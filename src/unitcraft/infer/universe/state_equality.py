"""Which states are equal: by ``==`` where that is sound, else by the structure of the heap.

Without an ``==`` of its own, objects that differ in the order of a dict alone are equal where no
call shows that order.

Invariant: states are merged by ``==`` only when it was reflexive, symmetric and harmless, and when
every call that the table holds has the same outcome on equal states and leaves equal states; else
nothing is merged, and the reason is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unitcraft.infer.universe.state_tree import StateTree
from unitcraft.infer.universe.transition_table import broken

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unitcraft.core.encoding import Plain
    from unitcraft.infer.universe.transition_table import Entry, TransitionTable

#: Classes of equal states that a new state is compared with; one that equals none of so many stands
#: alone, though it may equal another one.
MAX_COMPARED: Final = 80
#: States that are compared at a time: what equals another is out of the way of the next ones.
CHUNK: Final = 32
#: States that are compared in one item with much the same others, which are made once for them.
TOGETHER: Final = 8
#: Calls that are asked of every state.
MAX_OBSERVERS: Final = 2
#: States with different values that are compared all the same, to see whether ``==`` is blind.
MAX_FIRSTS: Final = 10


def _together(compared: Sequence[Sequence[int]]) -> list[list[int]]:
    """The numbers of what is compared, those of one leaf together: they begin with its first."""
    leaves: dict[int, list[int]] = {}
    for number, others in enumerate(compared):
        if others:
            leaves.setdefault(others[0], []).append(number)
    return [
        numbers[place : place + TOGETHER]
        for numbers in leaves.values()
        for place in range(0, len(numbers), TOGETHER)
    ]


class StateEquality:
    """The representative of each state of a table (mutable: follows the table)."""

    def __init__(self, table: TransitionTable) -> None:
        self._table = table
        self._representatives: list[int] = []
        self._tree = StateTree(table)
        #: Representatives that were not compared with all others: they may equal one of these.
        self.alone: set[int] = set()
        self._digests: dict[bytes, int] = {}
        self._merged: dict[Entry, Entry] = {}
        self.uses_equals = False
        self.ignores_order = False
        self.disagreement = ""

    def representative(self, state: int) -> int:
        """The first state that equals ``state``; a number below zero stands for no state."""
        return self._representatives[state] if state >= 0 else state

    def entry(self, state: int, call: int) -> Entry:
        """The entry of a pair, its states as representatives."""
        return self.entries([(state, call)])[0]

    def _with_representatives(self, entry: Entry) -> Entry:
        """``entry`` with its states as representatives, which stay what they are once found."""
        kind, value, after = entry
        if kind == "s":
            value = self.representative(value)
        found = type(entry)(kind, value, self.representative(after))
        self._merged[entry] = found
        return found

    def entries(self, pairs: Iterable[tuple[int, int]]) -> Sequence[Entry]:
        """The entries of ``pairs``, their states as representatives."""
        return self.merged(self._table.entries_of(pairs))

    def merged(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        """``entries`` with their states as representatives."""
        if not self.uses_equals and not self.ignores_order:
            return entries
        return [self._merged.get(one) or self._with_representatives(one) for one in entries]

    def update(self) -> None:
        """Find the representatives of the states that are new in the table."""
        if self.ignores_order:
            self._merge_unordered()
        elif not self.uses_equals:
            known = len(self._representatives)
            self._representatives += range(known, len(self._table.states))
        while len(self._representatives) < len(self._table.states):
            self._merge_chunk()

    def _merge_unordered(self) -> None:
        """Find the representatives of the new states by their digests without order."""
        known = len(self._representatives)
        items = [self._table.item(state) for state in range(known, len(self._table.states))]
        for state, reply in enumerate(self._table.pool.map("unordered", items, batch=16), known):
            if reply.error:
                raise broken(reply.error)
            digest = reply.value if reply.failure is None else b""
            first = self._digests.setdefault(digest, state) if digest else state
            self._representatives.append(first)

    def adopt_unordered(self) -> None:
        """Merge states that differ in the order of dicts alone, if no call shows it."""
        self._merged, self._representatives, self.ignores_order = {}, [], True
        self.update()
        merges = any(one != place for place, one in enumerate(self._representatives))
        if not merges or self._difference():
            self._merged, self._representatives, self.ignores_order = {}, [], False
            self.update()

    def _merge_chunk(self) -> None:
        """Find the representatives of the next states, which may bring further ones."""
        known, size = len(self._representatives), len(self._table.states)
        new = range(known, min(size, known + CHUNK))
        leaves = self._tree.leaves(new)
        alike = {leaf: self._tree.members(leaf) for leaf in leaves if leaf is not None}
        compared: list[list[int]] = []
        lonely: set[int] = set()
        for state, leaf in zip(new, leaves, strict=True):
            others = alike[leaf] if leaf is not None else []
            compared.append(others[:MAX_COMPARED])
            if leaf is None or len(others) > MAX_COMPARED:
                lonely.add(state)
            others.append(state)
        answers = self._ask(new, compared)
        for state, leaf, others, same in zip(new, leaves, compared, answers, strict=True):
            equal = [one for one, yes in zip(others, same, strict=True) if yes]
            self._representatives.append(self._representatives[equal[0]] if equal else state)
            if not equal and state in lonely:
                self.alone.add(state)
            if not equal and leaf is not None:
                self._tree.add(leaf, state)
        self._tree.split(leaves)

    def adopt_equals(self, observers: Sequence[int]) -> None:
        """Merge equal states by ``==`` unless that is unsound on the entries of the table.

        The first ``MAX_OBSERVERS`` of ``observers`` are asked of each state, the others where
        those leave many alike.
        """
        self._tree = StateTree(self._table, observers[:MAX_OBSERVERS], observers[MAX_OBSERVERS:])
        self._merged, self._representatives, self.uses_equals = {}, [], True
        self.alone = set()
        if self._is_reflexive():
            self.update()
            self.disagreement = self._difference() or self._blindness()
        if self.disagreement:
            self._merged, self._representatives, self.uses_equals = {}, [], False
            self.alone = set()
            self.update()

    def sentence(self) -> str:
        """How states are compared, and why not by ``==``."""
        if self.uses_equals:
            return "states are compared by =="
        order = ", dicts in any order" if self.ignores_order else ""
        reason = f", as {self.disagreement}" if self.disagreement else ""
        return f"states are compared by their fields{order}{reason}"

    def _is_reflexive(self) -> bool:
        few = range(min(4, len(self._table.states)))
        items = [((self._table.item(state),) * 2, ((0, (1,)),)) for state in few]
        for reply in self._table.pool.map("equals", items):
            if reply.error:
                raise broken(reply.error)
            if reply.failure is not None or reply.value != ((True,),):
                self.disagreement = "objects made in the same way are not equal"
        return not self.disagreement

    def _ask(
        self, states: Sequence[int], compared: Sequence[Sequence[int]]
    ) -> list[tuple[bool | None, ...]]:
        """For each of ``states``, is it equal to each of those that it is compared with?"""
        answers: list[tuple[bool | None, ...]] = [() for _ in states]
        waiting = _together(compared)
        while waiting:
            items = [self._comparison(states, compared, group) for group in waiting]
            groups, waiting = waiting, []
            replies = self._table.pool.map("equals", items, batch=16)
            for group, reply in zip(groups, replies, strict=True):
                if reply.error:
                    raise broken(reply.error)
                if reply.failure is not None and len(group) > 1:
                    waiting += [[number] for number in group]
                    continue
                told = reply.value or [(False,) * len(compared[number]) for number in group]
                for number, same in zip(group, told, strict=True):
                    answers[number] = same
        if any(None in same for same in answers):
            self.disagreement = "== raises, is not symmetric or changes an operand"
        return answers

    def _comparison(
        self, states: Sequence[int], compared: Sequence[Sequence[int]], group: Sequence[int]
    ) -> Plain:
        """What asks a worker for the comparisons of the states of a group."""
        every = [state for number in group for state in (*compared[number], states[number])]
        places = {state: place for place, state in enumerate(dict.fromkeys(every))}
        return (
            tuple(self._table.item(state) for state in places),
            tuple(
                (places[states[number]], tuple(places[other] for other in compared[number]))
                for number in group
            ),
        )

    def _blindness(self) -> str:
        """The call that tells apart objects which ``==`` does not, as a sentence; '' for none."""
        firsts = sorted(states[0] for states in self._tree.groups())[:MAX_FIRSTS]
        compared = [firsts[place + 1 :] for place in range(len(firsts))]
        for one, others, same in zip(firsts, compared, self._ask(firsts, compared), strict=True):
            for other, equal in zip(others, same, strict=True):
                if equal:
                    return self._told_apart(one, other)
        return ""

    def _told_apart(self, one: int, other: int) -> str:
        call = self._tree.telling(one, other)
        if call is None:
            return "calls tell apart objects that are =="
        name = self._table.operations[self._table.called[call][0]].name
        return f"{name} tells apart objects that are =="

    def _may_equal(self, one: Entry, other: Entry) -> bool:
        """Are they the same but for states that were not compared with all others?"""
        states = [(one.after, other.after)]
        if one.kind == other.kind == "s":
            states.append((one.value, other.value))
        elif (one.kind, one.value) != (other.kind, other.value):
            return False
        return all(
            left == right or not self.alone.isdisjoint((left, right)) for left, right in states
        )

    def _difference(self) -> str:
        """The operation that tells equal states apart, as a sentence; '' when there is none."""
        if self.disagreement:
            return self.disagreement
        for (state, call), _ in list(self._table.entries()):
            other = self.representative(state)
            if other == state:
                continue
            one, two = self.entry(state, call), self.entry(other, call)
            if "?" not in (one.kind, two.kind) and not self._may_equal(one, two):
                name = self._table.operations[self._table.called[call][0]].name
                return f"{name} tells apart objects that are =="
        return ""
