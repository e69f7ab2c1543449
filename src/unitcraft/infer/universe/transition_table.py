"""The transition table of a class: (state, Call) -> (what came of it, the state afterwards).

Invariant: each pair runs once, in a guarded worker; a state is a path from a constructor, and
entries do not depend on the order in which pairs are asked for, only the numbers of states do.

Source: HENKEL, "Discovering Algebraic Specifications", terms evaluated by running them; differs:
a term is looked up step by step, so that terms share the runs of their parts.
"""

from __future__ import annotations

import marshal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from unitcraft.core.encoding import encode_call
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.sequences import Build, Call, Ref, renumber_call
from unitcraft.infer.universe.values import UNDEFINED, UNKNOWN, Values

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unitcraft.core.sequences import Arg
    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.execute.spec import Reply
    from unitcraft.infer.universe.class_operations import Operation

#: Pairs that a table holds; the next ones stay unknown.
MAX_PAIRS: Final = 100_000
#: Pairs that a worker is sent at a time.
BATCH: Final = 256


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
        #: Operations by why they are left out of all laws.
        self.excluded: dict[int, str] = {}
        #: Those among them that do not repeat: what they make is not known either.
        self._unsteady: set[int] = set()

    def __len__(self) -> int:
        return len(self._entries)

    def add_start(self, constructor: Call, config: int) -> int | None:
        """The state that ``constructor`` makes; None when it raises."""
        packed = marshal.dumps(encode_call(constructor), 2)
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
            made = self._calls_on(state, call)
            packed = self._packed_after(state, made)
            items.append((packed, self.states[state].result))
            asked.append((state, call, made, packed))
        for (state, call, made, packed), reply in zip(
            asked, self.pool.map("step", items, batch=BATCH), strict=True
        ):
            self._entries[state, call] = self._entry(state, made, packed, reply)

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
        return self._packed_after(state, self._calls_on(state, call)), self.states[state].result

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

    def _calls_on(self, state: int, call: int) -> tuple[Call, ...]:
        """The Calls that make the objects which are passed, and the one on ``state``."""
        operation, args = self.called[call]
        path = self.states[state]
        made: list[Call] = []
        given: list[Arg] = []
        for arg in map(self.values.arg, args):
            given.append(arg)
            if isinstance(arg, Ref):
                other, first = self.states[arg.index], len(path.calls) + len(made)
                where = {place: first + place for place in range(len(other.calls))}
                made += [renumber_call(one, where) for one in other.calls]
                given[-1] = Ref(first + other.result)
        return (*made, self.operations[operation].call(Ref(path.result), given))

    def _packed_after(self, state: int, calls: Sequence[Call]) -> tuple[bytes, ...]:
        """``calls`` after those of ``state``, as workers take them."""
        return (*self._packed[state], *[marshal.dumps(encode_call(one), 2) for one in calls])

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
