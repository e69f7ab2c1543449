"""The transition table of a class: (state, Call) -> (what came of it, the state afterwards).

Invariant: each pair runs once, in a guarded worker; a state is a path from a constructor, and
entries do not depend on the order in which pairs are asked for, only the numbers of states do.

Source: HENKEL, "Discovering Algebraic Specifications", terms evaluated by running them; differs:
a term is looked up step by step, so that terms share the runs of their parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from unitcraft.core.encoding import pack_call
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.sequences import Build, Call, Ref, renumber_call
from unitcraft.execute.spec import Reply
from unitcraft.infer.universe.values import UNDEFINED, UNKNOWN, Values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unitcraft.core.encoding import Plain
    from unitcraft.core.sequences import Arg
    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.infer.universe.class_operations import Operation

#: Pairs that a table holds; the next ones stay unknown.
MAX_PAIRS: Final = 100_000
#: Pairs that a worker is sent at a time.
BATCH: Final = 256
#: Steps of a walk that a worker is asked for at once: after some of no use, and at most.
MIN_AHEAD: Final = 2
MAX_AHEAD: Final = 32


class Entry(NamedTuple):
    """What a Call came to: ``kind`` is ``v`` (value), ``s`` (state), ``x`` (raise) or ``?``.

    ``value`` is the number of the value, exception or state; ``after`` the state of the receiver
    afterwards, UNDEFINED where it is not a state of the table (after a raise that changed it).
    """

    kind: str
    value: int
    after: int


#: The entry of a run that was ended, and that of a call whose precondition does not hold.
NOTHING: Final = Entry("?", UNKNOWN, UNKNOWN)
NOT_MEANT: Final = Entry("?", UNDEFINED, UNDEFINED)


@dataclass(frozen=True, slots=True)
class StatePath:
    """How to reach a state: Calls, and the number of the result that has it."""

    calls: tuple[Call, ...]
    result: int
    config: int
    depth: int


class TransitionTable:
    """The table of one class (mutable: filled on demand)."""

    def __init__(self, pool: Pool, operations: Sequence[Operation], values: Values) -> None:
        self.operations = tuple(operations)
        self.values = values
        self.states: list[StatePath] = []
        self.pool = pool
        self.most = MAX_PAIRS
        self._digests: dict[bytes, int] = {}
        self._of_digest: list[bytes] = []
        self._packed: list[tuple[bytes, ...]] = []
        self._calls: dict[tuple[int, tuple[int, ...]], int] = {}
        self.called: list[tuple[int, tuple[int, ...]]] = []
        self._entries: dict[tuple[int, int], Entry] = {}
        self._of_value: dict[int, int] = {}
        #: What workers answered before it was asked for, by the item of ``step``.
        self._ahead: dict[tuple[tuple[bytes, ...], int], Plain] = {}
        self._reach = MIN_AHEAD
        #: Operations that made another object when they were last called.
        self._makes: set[int] = set()
        self._known_calls: dict[tuple[int, int], tuple[tuple[Call], tuple[bytes]]] = {}
        #: Operations by why they are left out of all laws.
        self.excluded: dict[int, str] = {}
        #: Those among them that do not repeat: what they make is not known either.
        self._unsteady: set[int] = set()

    def __len__(self) -> int:
        return len(self._entries)

    def add_start(self, constructor: Call, config: int) -> int | None:
        """The state that ``constructor`` makes; None when it raises."""
        packed = pack_call(constructor)
        reply = self.pool.one("start", (packed,))
        if reply.error:
            raise broken(reply.error)
        if reply.failure is not None or not reply.value[1]:
            return None
        path = StatePath((constructor,), 0, config, 0)
        return self._state(reply.value[1], path, (packed,))

    def is_explored(self, operation: int) -> bool:
        """Is it a call on an object of which laws may speak?"""
        return operation not in self.excluded and not self.operations[operation].is_constructor

    def is_called(self, operation: int) -> bool:
        """Is it a call on an object that leads to states?

        One that draws on chance does, as every history that it may be part of is one.
        """
        return operation not in self._unsteady and not self.operations[operation].is_constructor

    def state_of(self, value: int) -> int:
        """The state of the object that the value of that number makes; UNKNOWN for other values."""
        if value not in self._of_value:
            made = self.values.arg(value)
            state = made.index if isinstance(made, Ref) else None
            if isinstance(made, Build):
                name = f"{made.callee.module}:{made.callee.qualname}"
                state = self.add_start(Call("function", name, made.args, made.kwargs), 0)
            self._of_value[value] = UNKNOWN if state is None else state
        return self._of_value[value]

    def value_of(self, state: int) -> int:
        """The number of the value that an object in ``state`` is as an argument; its Arg is a Ref.

        A number below zero stands for no state, and no value.
        """
        return self.values.of_arg(Ref(state)) if state >= 0 else state

    def call(self, operation: int, args: tuple[int, ...]) -> int:
        """The number of the Call of ``operation`` with values ``args``."""
        key = (operation, args)
        number = self._calls.get(key)
        if number is None:
            number = self._calls[key] = len(self.called)
            self.called.append(key)
        return number

    def fill(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Run those of ``pairs`` (state, Call) that have not run."""
        entries = self._entries
        missing = list(dict.fromkeys([pair for pair in pairs if pair not in entries]))
        missing = missing[: max(0, self.most - len(self._entries))]
        items, asked = [], []
        for state, call in missing:
            if state < 0 or self.called[call][0] in self._unsteady:
                self._entries[state, call] = NOTHING
                continue
            made, packed_made = self._calls_on(state, call)
            packed = (*self._packed[state], *packed_made)
            items.append((packed, self.states[state].result))
            asked.append((state, call, made, packed))
        for (state, call, made, packed), reply in zip(asked, self._replies(items), strict=True):
            self._entries[state, call] = self._entry(state, made, packed, reply)
            self._note_maker(call, reply)

    def _note_maker(self, call: int, reply: Reply) -> None:
        kind = reply.value[0] if reply.value else ""
        if kind == "s":
            self._makes.add(self.called[call][0])
        elif kind in ("v", "self"):
            self._makes.discard(self.called[call][0])

    def _replies(self, items: Sequence[tuple[tuple[bytes, ...], int]]) -> Iterator[Reply]:
        """The Replies to ``items`` of ``step``, of which some may be known."""
        known = [self._ahead.pop(item, None) for item in items]
        asked = [item for item, answer in zip(items, known, strict=True) if answer is None]
        replies = self.pool.map("step", asked, batch=BATCH)
        for answer in known:
            yield next(replies) if answer is None else Reply(answer)

    def look_ahead(self, state: int, calls: Sequence[int]) -> None:
        """Have a worker make ``calls``, one after the other, from ``state`` on.

        What it answers is what ``fill`` would ask for, one step at a time, if each step leads to a
        state that is new.  Where the last ones were of no use fewer are made.
        """
        if (state, calls[0]) in self._entries or self.step_item(state, calls[0]) in self._ahead:
            return
        self._reach = MIN_AHEAD if self._ahead else min(4 * self._reach, MAX_AHEAD)
        self._ahead = {}
        packed, place = self.item(state)
        steps, places, length = [], [], len(packed)
        for call in calls[: self._reach]:
            operation = self.called[call][0]
            if operation in self._unsteady:
                break
            _, made = self._calls_after(length, place, call)
            steps.append((made, operation in self._makes))
            places.append(place)
            length += len(made)
            place = length - 1 if operation in self._makes else place
        item = (packed, self.states[state].result, tuple(steps), self.digest(state))
        reply = self.pool.one("walk", item)
        if reply.error:
            raise broken(reply.error)
        answers = reply.value or () if reply.failure is None else ()
        for (made, _), place, answer in zip(steps, places, answers, strict=False):
            packed = (*packed, *made)
            self._ahead[packed, place] = answer

    def entry(self, state: int, call: int) -> Entry:
        """The entry of a pair that was asked for."""
        return self._entries.get((state, call), NOTHING)

    def entries_of(self, pairs: Iterable[tuple[int, int]]) -> list[Entry]:
        """The entries of ``pairs`` that were asked for."""
        known = self._entries.get
        return [known(pair, NOTHING) for pair in pairs]

    def has(self, state: int, call: int) -> bool:
        """Did the pair run, or is it known to be left out?"""
        return (state, call) in self._entries

    def entries(self) -> Iterable[tuple[tuple[int, int], Entry]]:
        """All pairs with their entries, in the order in which they ran."""
        return self._entries.items()

    def item(self, state: int) -> tuple[tuple[bytes, ...], int]:
        """The path of ``state`` as workers take it."""
        return self._packed[state], self.states[state].result

    def step_item(self, state: int, call: int) -> tuple[tuple[bytes, ...], int]:
        """What asks a worker to run a pair."""
        _, packed = self._calls_on(state, call)
        return (*self._packed[state], *packed), self.states[state].result

    def digest(self, state: int) -> bytes:
        """The digest of the heap of ``state``."""
        return self._of_digest[state]

    def leave_out(self, operation: int, reason: str) -> None:
        """Leave ``operation`` out of all laws; it leads to states all the same."""
        self.excluded.setdefault(operation, reason)

    def exclude(self, operation: int, reason: str) -> None:
        """Leave ``operation`` out: its entries stand for nothing."""
        self.leave_out(operation, reason)
        self._unsteady.add(operation)
        for pair in [p for p in self._entries if self.called[p[1]][0] == operation]:
            self._entries[pair] = NOTHING

    def _calls_on(self, state: int, call: int) -> tuple[tuple[Call, ...], tuple[bytes, ...]]:
        """The Calls that make the objects which are passed, and the one on ``state``.

        They are answered twice: as workers take them, too.
        """
        path = self.states[state]
        return self._calls_after(len(path.calls), path.result, call)

    def _calls_after(
        self, length: int, result: int, call: int
    ) -> tuple[tuple[Call, ...], tuple[bytes, ...]]:
        """The same after ``length`` Calls, on that ``result`` of theirs."""
        known = self._known_calls.get((call, result))
        if known is not None:
            return known
        operation, args = self.called[call]
        made: list[Call] = []
        given: list[Arg] = []
        for arg in map(self.values.arg, args):
            given.append(arg)
            if isinstance(arg, Ref):
                other, first = self.states[arg.index], length + len(made)
                where = {place: first + place for place in range(len(other.calls))}
                made += [renumber_call(one, where) for one in other.calls]
                given[-1] = Ref(first + other.result)
        last = self.operations[operation].call(Ref(result), given)
        packed = [pack_call(one) for one in (*made, last)]
        if not made:
            self._known_calls[call, result] = (last,), (packed[0],)
        return (*made, last), tuple(packed)

    def _entry(
        self, state: int, made: tuple[Call, ...], packed: tuple[bytes, ...], reply: Reply
    ) -> Entry:
        if reply.error:
            raise broken(reply.error)
        if reply.failure is not None:
            return NOTHING
        kind, payload, after = reply.value
        if kind == "lost":
            return NOTHING
        old = self.states[state]
        if kind == "x":
            same = after == self._of_digest[state]
            return Entry("x", self.values.of_raise(payload), state if same else UNDEFINED)
        calls = (*old.calls, *made)
        here = StatePath(calls, old.result, old.config, old.depth + 1)
        there = state if after == self._of_digest[state] else self._state(after, here, packed)
        if kind == "self":
            return Entry("s", there, there)
        if kind == "s":
            result = StatePath(calls, len(calls) - 1, old.config, old.depth + 1)
            return Entry("s", self._state(payload, result, packed), there)
        value = self.values.of_encoded(payload)
        return Entry("v", value, there) if value >= 0 else Entry("?", UNKNOWN, there)

    def _state(self, digest: bytes, path: StatePath, packed: tuple[bytes, ...]) -> int:
        number = self._digests.get(digest)
        if number is None:
            number = self._digests[digest] = len(self.states)
            self._of_digest.append(digest)
            self.states.append(path)
            self._packed.append(packed)
        return number


def broken(trace: str) -> UnitcraftError:
    """The error of a worker that failed by our own fault."""
    return UnitcraftError("worker-broken", "a worker failed while it ran a call", cause=trace)
