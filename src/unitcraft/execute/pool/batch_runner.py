"""Runs one ``map``: sends batches to workers, collects answers, isolates items that kill a worker.

Invariant: every position of the caller's list is in exactly one place: waiting, in flight
with one worker, or answered.
"""

from __future__ import annotations

import selectors
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from unitcraft.core.containment import TimeGuard
from unitcraft.core.encoding import Plain
from unitcraft.core.outcomes import Exhausted
from unitcraft.execute.frames import DIRTY, DONE, INDEX_BITS, FrameError
from unitcraft.execute.pool.batches import (
    Batch,
    cut_into_batches,
    isolate_item,
    split_in_half,
    unanswered,
)
from unitcraft.execute.pool.host_process import HostGone
from unitcraft.execute.pool.worker_death import SWALLOWED, outcome_of_death, reply_of
from unitcraft.execute.pool.workers import WorkerConnection, Workers
from unitcraft.execute.spec import Reply

#: Batches that a worker may hold: one that runs and one that waits in its socket.
MAX_IN_FLIGHT = 2

#: Seconds between two readings of the clocks of busy workers.
POLL_SECONDS = 0.05

#: Seconds that an item may sleep without using the processor; what it waits for (a lock, an
#: event) is then taken never to come.
MAX_ASLEEP_SECONDS = 0.3

#: Seconds that a worker may spend between items (collecting garbage, checking state) beyond
#: twice the time of an item.
MAX_BETWEEN_SECONDS = 0.5


#: The reply to an item that was not run.
_NONE = Reply()


@dataclass(frozen=True, slots=True)
class MapRequest:
    """One call of ``map``."""

    service: str
    items: Sequence[Plain]
    batch: int
    isolate: bool
    seconds: float
    steps: int
    guard: TimeGuard | None = None


@dataclass(slots=True)
class BusyWorker:
    """A worker with batches in flight.

    ``word`` is the progress word last seen; ``wall`` and ``cpu`` are the clocks (seconds) when
    it changed.  ``used`` and ``awake`` are the processor time and the wall time at which the
    worker was last seen awake.
    """

    worker: WorkerConnection
    in_flight: deque[tuple[int, Batch]] = field(default_factory=deque)
    word: int = -1
    wall: float = 0.0
    cpu: float = 0.0
    used: float = 0.0
    awake: float = 0.0


class BatchRunner:
    """Abstract state: waiting batches, busy workers, replies not yet yielded."""

    def __init__(self, workers: Workers, order: MapRequest) -> None:
        self._workers = workers
        self._order = order
        size = 1 if order.isolate else order.batch
        self._waiting = deque(cut_into_batches(len(order.items), size, fresh=order.isolate))
        self._busy: dict[int, BusyWorker] = {}
        self._replies: dict[int, Reply] = {}
        self._selector = selectors.DefaultSelector()

    def replies(self) -> Iterator[Reply]:
        """The replies in the order of the items."""
        try:
            for position in range(len(self._order.items)):
                while position not in self._replies and not self._is_over():
                    self._advance()
                yield self._replies.pop(position, _NONE)
        finally:
            self._abandon()

    def _is_over(self) -> bool:
        return self._order.guard is not None and self._order.guard.strikes()

    def _advance(self) -> None:
        try:
            self._dispatch()
            for key, events in self._selector.select(POLL_SECONDS):
                busy = self._busy.get(key.data)
                if busy is not None:
                    self._exchange(busy, events)
            self._check_clocks()
        except HostGone:
            self._replace_host()

    def _dispatch(self) -> None:
        """Send waiting batches to workers that may hold more."""
        while self._waiting:
            busy = self._find_taker(self._waiting[0])
            if busy is None:
                return
            self._send(busy, self._waiting.popleft())

    def _find_taker(self, batch: Batch) -> BusyWorker | None:
        """The worker that takes ``batch`` now; None when the batch has to wait."""
        if len(self._busy) < self._workers.jobs:
            worker = self._workers.acquire(fresh=batch.fresh)
            busy = self._busy[worker.child.slot] = BusyWorker(worker)
            self._selector.register(worker.child.sock, selectors.EVENT_READ, worker.child.slot)
            return busy
        if batch.fresh:
            return None
        open_ = [
            busy
            for busy in self._busy.values()
            if len(busy.in_flight) < MAX_IN_FLIGHT and not busy.in_flight[-1][1].fresh
        ]
        return min(open_, key=lambda busy: len(busy.in_flight), default=None)

    def _send(self, busy: BusyWorker, batch: Batch) -> None:
        order = self._order
        serial = self._workers.next_serial()
        items = [order.items[position] for position in batch.positions]
        busy.in_flight.append((serial, batch))
        if len(busy.in_flight) == 1:
            busy.word = -1
        checks = batch.doubted is not None
        watched = self._workers.watched
        busy.worker.send((serial, order.service, order.steps, watched, checks, items))
        self._select_events(busy)

    def _select_events(self, busy: BusyWorker) -> None:
        child = busy.worker.child
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if busy.worker.has_more else 0)
        self._selector.modify(child.sock, events, child.slot)

    def _exchange(self, busy: BusyWorker, events: int) -> None:
        """Send and receive what the socket of one worker is ready for."""
        try:
            if events & selectors.EVENT_WRITE:
                busy.worker.flush()
                self._select_events(busy)
            messages = busy.worker.receive() if events & selectors.EVENT_READ else []
        except (OSError, EOFError, FrameError):
            self._handle_loss(busy, hung=False)
            return
        for message in messages:
            self._take_answer(busy, *message)

    def _take_answer(
        self,
        busy: BusyWorker,
        serial: int,
        ending: str,
        values: list[Plain],
        failures: dict[int, Plain],
    ) -> None:
        expected, batch = busy.in_flight.popleft()
        if serial != expected:
            busy.in_flight.appendleft((expected, batch))
            self._handle_loss(busy, hung=False)
            return
        busy.word = -1
        if ending == DIRTY:
            self._workers.note_contamination(values)
            self._waiting.appendleft(self._without_doubt(batch))
        else:
            for index, value in enumerate(values):
                self._replies[batch.positions[index]] = reply_of(value, failures.get(index))
            rest = unanswered(batch, len(values))
            if batch.doubted is not None and not rest:
                self._replies[batch.positions[-1] + 1] = Reply(failure=batch.doubted)
            self._waiting.extendleft(reversed(rest))
        if ending != DONE or batch.fresh:
            self._terminate(busy)
        elif not busy.in_flight:
            self._release(busy)

    def _without_doubt(self, batch: Batch) -> Batch:
        """The batch alone: the item that hung after it will run in a worker of its own."""
        if batch.doubted is None:
            return batch
        after = batch.positions[-1] + 1
        alone = Batch(range(after, after + 1), fresh=True, suspect=True)
        self._waiting.appendleft(alone)
        return replace(batch, doubted=None)

    def _release(self, busy: BusyWorker) -> None:
        """Make a worker without batches idle."""
        del self._busy[busy.worker.child.slot]
        self._selector.unregister(busy.worker.child.sock)
        self._workers.release(busy.worker)

    def _terminate(self, busy: BusyWorker) -> int:
        """End a worker and return its exit status; its batches go to the front of the queue.

        Raises HostGone when the host, which alone can tell the status, has died.
        """
        del self._busy[busy.worker.child.slot]
        self._selector.unregister(busy.worker.child.sock)
        self._waiting.extendleft(batch for _, batch in reversed(busy.in_flight))
        return self._workers.terminate(busy.worker)

    def _check_clocks(self) -> None:
        for busy in list(self._busy.values()):
            word = self._workers.word(busy.worker)
            now = time.monotonic()
            if word != busy.word:
                busy.word, busy.wall, busy.cpu = word, now, self._workers.cpu(busy.worker)
                busy.used, busy.awake = busy.cpu, now
            elif self._is_late(busy, now) or self._is_stuck(busy, now):
                self._handle_loss(busy, hung=True)

    def _is_late(self, busy: BusyWorker, now: float) -> bool:
        seconds = self._order.seconds
        if busy.word == 0:
            return now - busy.wall > MAX_BETWEEN_SECONDS + 2 * seconds
        if now - busy.wall > 3 * seconds:
            return True
        return now - busy.wall > seconds / 2 and self._workers.cpu(busy.worker) - busy.cpu > seconds

    def _is_stuck(self, busy: BusyWorker, now: float) -> bool:
        """Has the running item slept without a break for too long?"""
        used = self._workers.cpu(busy.worker)
        if busy.word == 0 or used != busy.used or not self._workers.is_asleep(busy.worker):
            busy.used, busy.awake = used, now
        return now - busy.awake > MAX_ASLEEP_SECONDS

    def _handle_loss(self, busy: BusyWorker, *, hung: bool) -> None:
        """Find the item that killed a worker or made it hang, or narrow the batch down to it."""
        word = self._workers.word(busy.worker)
        serial = busy.in_flight[0][0]
        status = self._terminate(busy)
        batch = self._without_doubt(self._waiting.popleft())
        verdict = (
            Exhausted("time") if hung else outcome_of_death(status, self._workers.stderr_tail())
        )
        if hung and self._workers.has_spent_steps(busy.worker):
            verdict = SWALLOWED
        index = (word & ((1 << INDEX_BITS) - 1)) - 1 if word >> INDEX_BITS == serial else -1
        is_certain = len(batch.positions) == 1 and (batch.suspect or (batch.fresh and hung))
        if is_certain or (hung and index >= 0 and index < len(batch.positions)):
            self._answer_item(batch, max(index, 0), verdict)
        elif 0 <= index < len(batch.positions):
            self._waiting.extendleft(reversed(isolate_item(batch, index)))
        elif len(batch.positions) > 1:
            self._waiting.extendleft(reversed(split_in_half(batch)))
        else:
            self._waiting.appendleft(replace(batch, fresh=True, suspect=True))

    def _answer_item(self, batch: Batch, index: int, verdict: Exhausted) -> None:
        """Answer the item at ``index`` by ``verdict``; its neighbours run again.

        When it ran after others, it is answered as soon as these are known to leave nothing behind.
        """
        before = replace(batch, positions=batch.positions[:index], doubted=verdict)
        after = replace(batch, positions=batch.positions[index + 1 :])
        parts = [part for part in (before, after) if part.positions]
        if not index:
            self._replies[batch.positions[index]] = Reply(failure=verdict)
        self._waiting.extendleft(reversed(parts))

    def _replace_host(self) -> None:
        """Start another host; the batches in flight go back to the queue."""
        for busy in list(self._busy.values()):
            self._selector.unregister(busy.worker.child.sock)
            self._waiting.extendleft(batch for _, batch in reversed(busy.in_flight))
        self._busy.clear()
        self._workers.restart()

    def _abandon(self) -> None:
        """End the busy workers when the caller stops early."""
        for busy in list(self._busy.values()):
            busy.in_flight.clear()
            try:
                self._terminate(busy)
            except HostGone:
                break
        self._selector.close()
