"""One ``map``: hands batches to workers, collects answers, deals with those that die.

Invariant: every position of the caller's list is in exactly one place: waiting, in flight
with one worker, or answered.
"""

from __future__ import annotations

import selectors
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from unitcraft.core.encoding import Plain
from unitcraft.core.outcomes import Exhausted
from unitcraft.execute.frames import DIRTY, INDEX_BITS, WireError
from unitcraft.execute.pool.batches import Batch, around, batches, halves, rest
from unitcraft.execute.pool.host_process import HostGone
from unitcraft.execute.pool.worker_death import SWALLOWED, reply_of, verdict_of
from unitcraft.execute.pool.workers import Crew, Member
from unitcraft.execute.spec import Reply

#: Batches that a worker may hold: one that runs and one that waits in its socket.
DEPTH = 2

#: Seconds between looks at the clocks of busy workers.
LOOK_SECONDS = 0.05

#: Seconds that an item may wait, for a lock or an event, without using the processor: nobody
#: will wake it.
ASLEEP_SECONDS = 0.3

#: Seconds that a worker may spend between items (collecting garbage, checking state) beyond
#: twice the time of an item.
BETWEEN_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Order:
    """What the caller of ``map`` asked for."""

    service: str
    items: Sequence[Plain]
    batch: int
    isolate: bool
    seconds: float
    steps: int


@dataclass(slots=True)
class Busy:
    """A member at work.  ``word`` is the progress last seen, with the clocks when it was new.

    ``used`` and ``awake`` are its processor time and the wall time when it was last seen awake.
    """

    member: Member
    flying: deque[tuple[int, Batch]] = field(default_factory=deque)
    word: int = -1
    wall: float = 0.0
    cpu: float = 0.0
    used: float = 0.0
    awake: float = 0.0


class Runner:
    """Abstract state: waiting batches, busy members, replies not yet handed out."""

    def __init__(self, crew: Crew, order: Order) -> None:
        self._crew = crew
        self._order = order
        size = 1 if order.isolate else order.batch
        self._waiting = deque(batches(len(order.items), size, fresh=order.isolate))
        self._busy: dict[int, Busy] = {}
        self._replies: dict[int, Reply] = {}
        self._selector = selectors.DefaultSelector()

    def replies(self) -> Iterator[Reply]:
        """The replies in the order of the items."""
        try:
            for position in range(len(self._order.items)):
                while position not in self._replies:
                    self._advance()
                yield self._replies.pop(position)
        finally:
            self._abandon()

    def _advance(self) -> None:
        try:
            self._dispatch()
            for key, events in self._selector.select(LOOK_SECONDS):
                busy = self._busy.get(key.data)
                if busy is not None:
                    self._serve(busy, events)
            self._look_at_clocks()
        except HostGone:
            self._host_died()

    def _dispatch(self) -> None:
        """Give waiting batches to members that may take more."""
        while self._waiting:
            busy = self._taker(self._waiting[0])
            if busy is None:
                return
            self._give(busy, self._waiting.popleft())

    def _taker(self, batch: Batch) -> Busy | None:
        """Who takes ``batch`` now; None when it has to wait."""
        if len(self._busy) < self._crew.jobs:
            member = self._crew.hire(fresh=batch.fresh)
            busy = self._busy[member.child.slot] = Busy(member)
            self._selector.register(member.child.sock, selectors.EVENT_READ, member.child.slot)
            return busy
        if batch.fresh:
            return None
        open_ = [
            busy
            for busy in self._busy.values()
            if len(busy.flying) < DEPTH and not busy.flying[-1][1].fresh
        ]
        return min(open_, key=lambda busy: len(busy.flying), default=None)

    def _give(self, busy: Busy, batch: Batch) -> None:
        order = self._order
        serial = self._crew.next_serial()
        careful = batch.careful or self._crew.careful
        items = [order.items[position] for position in batch.positions]
        busy.flying.append((serial, replace(batch, careful=careful)))
        if len(busy.flying) == 1:
            busy.word = -1
        busy.member.send((serial, order.service, order.steps, careful, items))
        self._watch(busy)

    def _watch(self, busy: Busy) -> None:
        child = busy.member.child
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if busy.member.has_more else 0)
        self._selector.modify(child.sock, events, child.slot)

    def _serve(self, busy: Busy, events: int) -> None:
        """Exchange what can be exchanged with one member."""
        try:
            if events & selectors.EVENT_WRITE:
                busy.member.flush()
                self._watch(busy)
            messages = busy.member.receive() if events & selectors.EVENT_READ else []
        except (OSError, EOFError, WireError):
            self._lost(busy, hung=False)
            return
        for message in messages:
            self._answered(busy, *message)

    def _answered(
        self, busy: Busy, serial: int, ending: str, values: list[Plain], failures: dict[int, Plain]
    ) -> None:
        expected, batch = busy.flying.popleft()
        if serial != expected:
            busy.flying.appendleft((expected, batch))
            self._lost(busy, hung=False)
            return
        busy.word = -1
        if ending == DIRTY:
            self._crew.met_dirt()
            self._waiting.appendleft(replace(batch, careful=True))
        for index, value in enumerate(values):
            self._replies[batch.positions[index]] = reply_of(value, failures.get(index))
        if ending != DIRTY:
            self._waiting.extendleft(reversed(rest(batch, len(values))))
        if ending == "retire" or batch.fresh:
            self._dismiss(busy)
        elif not busy.flying:
            self._release(busy)

    def _release(self, busy: Busy) -> None:
        """The member has nothing to do: back to the crew."""
        del self._busy[busy.member.child.slot]
        self._selector.unregister(busy.member.child.sock)
        self._crew.welcome(busy.member)

    def _dismiss(self, busy: Busy) -> int:
        """End a member; its exit status.  What it still had to do waits again, first of all.

        Raises HostGone when nobody can say how it ended.
        """
        del self._busy[busy.member.child.slot]
        self._selector.unregister(busy.member.child.sock)
        self._waiting.extendleft(batch for _, batch in reversed(busy.flying))
        return self._crew.dismiss(busy.member)

    def _look_at_clocks(self) -> None:
        for busy in list(self._busy.values()):
            word = self._crew.word(busy.member)
            now = time.monotonic()
            if word != busy.word:
                busy.word, busy.wall, busy.cpu = word, now, self._crew.cpu(busy.member)
                busy.used, busy.awake = busy.cpu, now
            elif self._is_late(busy, now) or self._is_stuck(busy, now):
                self._lost(busy, hung=True)

    def _is_late(self, busy: Busy, now: float) -> bool:
        seconds = self._order.seconds
        if busy.word == 0:
            return now - busy.wall > BETWEEN_SECONDS + 2 * seconds
        if now - busy.wall > 3 * seconds:
            return True
        return now - busy.wall > seconds / 2 and self._crew.cpu(busy.member) - busy.cpu > seconds

    def _is_stuck(self, busy: Busy, now: float) -> bool:
        """Has the item that runs slept for long without a break?"""
        used = self._crew.cpu(busy.member)
        if busy.word == 0 or used != busy.used or not self._crew.is_asleep(busy.member):
            busy.used, busy.awake = used, now
        return now - busy.awake > ASLEEP_SECONDS

    def _lost(self, busy: Busy, *, hung: bool) -> None:
        """A member died or hangs: find out which item did it."""
        word = self._crew.word(busy.member)
        serial = busy.flying[0][0]
        status = self._dismiss(busy)
        batch = self._waiting.popleft()
        verdict = Exhausted("time") if hung else verdict_of(status, self._crew.last_words())
        if hung and self._crew.has_spent_steps(busy.member):
            verdict = SWALLOWED
        index = (word & ((1 << INDEX_BITS) - 1)) - 1 if word >> INDEX_BITS == serial else -1
        is_certain = len(batch.positions) == 1 and (batch.suspect or (batch.fresh and hung))
        if is_certain or (hung and index >= 0 and index < len(batch.positions)):
            self._settle(batch, max(index, 0), verdict)
        elif 0 <= index < len(batch.positions):
            self._waiting.extendleft(reversed(around(batch, index)))
        elif len(batch.positions) > 1:
            self._waiting.extendleft(reversed(halves(batch)))
        else:
            self._waiting.appendleft(replace(batch, fresh=True, suspect=True))

    def _settle(self, batch: Batch, index: int, verdict: Exhausted) -> None:
        """The item at ``index`` is answered by ``verdict``; its neighbours run again."""
        self._replies[batch.positions[index]] = Reply(failure=verdict)
        others = [part for part in around(batch, index) if not part.suspect or batch.suspect]
        self._waiting.extendleft(
            reversed([part for part in others if batch.positions[index] not in part.positions])
        )

    def _host_died(self) -> None:
        """Start another host; whatever was in flight waits again."""
        for busy in list(self._busy.values()):
            self._selector.unregister(busy.member.child.sock)
            self._waiting.extendleft(batch for _, batch in reversed(busy.flying))
        self._busy.clear()
        self._crew.restart()

    def _abandon(self) -> None:
        """End members that still work, when the caller stops early."""
        for busy in list(self._busy.values()):
            busy.flying.clear()
            try:
                self._dismiss(busy)
            except HostGone:
                break
        self._selector.close()
