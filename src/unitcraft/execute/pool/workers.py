"""The workers of one pool: forked by the host, kept between batches, terminated.

Invariant: a worker is in exactly one place: idle here, or with one BatchRunner.  A slot number is
used by one living worker at a time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from unitcraft.core.encoding import Plain
from unitcraft.core.errors import UnitcraftError
from unitcraft.execute import frames
from unitcraft.execute.pool.host_process import HostGone, HostProcess, WorkerProcess
from unitcraft.execute.pool.processor_time import cpu_seconds
from unitcraft.execute.spec import HostSpec

#: Hosts that may be started because the Subject killed the one before.
MAX_HOSTS = 5

#: Batches that a worker runs before it is replaced, against slow growth of its memory.
MAX_BATCHES = 2000

#: Contaminated batches (each runs twice) before all state is compared after every item.  Each names
#: the groups of state that are watched from then on, so that few Subjects have a fourth.
MAX_CONTAMINATED = 12

#: Processes alive at a time; the progress table has room for no more.
MAX_WORKERS = frames.FLAG_OFFSET


class WorkerConnection:
    """The connection to one worker.

    Abstract state: the unsent suffix of the requests, the unread suffix of the answers.
    """

    def __init__(self, child: WorkerProcess) -> None:
        self.child = child
        self.batches = 0
        self._inbox = frames.Inbox(child.token)
        self._outbox = bytearray()
        child.sock.setblocking(False)  # noqa: FBT003

    @property
    def has_more(self) -> bool:
        """Is a request not yet fully sent?"""
        return bool(self._outbox)

    def send(self, message: Plain) -> None:
        """Queue a request and send what fits.  A dead worker is found out by ``receive``."""
        self.batches += 1
        self._outbox += frames.pack(message, self.child.token)
        with contextlib.suppress(OSError):
            self.flush()

    def flush(self) -> None:
        """Send what fits into the socket.  Raises OSError when the worker has gone."""
        while self._outbox:
            try:
                sent = self.child.sock.send(self._outbox)
            except BlockingIOError:
                return
            del self._outbox[:sent]

    def receive(self) -> list[Plain]:
        """The answers that have arrived in full.  Raises EOFError, OSError or WireError."""
        try:
            chunk = self.child.sock.recv(1 << 18)
        except BlockingIOError:
            return []
        if not chunk:
            raise EOFError
        return self._inbox.feed(chunk)


class Workers:
    """Abstract state: the host, idle workers, free slots.

    ``watched`` are the groups of state that items changed in batches that did not watch them;
    after ``MAX_CONTAMINATED`` of these it stands for all state.
    """

    def __init__(self, spec: HostSpec, jobs: int, host: HostProcess | None = None) -> None:
        self.jobs = jobs
        self.watched: tuple[str, ...] = ()
        self._spec = spec
        self._hosts = 0
        self._contaminated = 0
        self._serial = 0
        self._open(host)

    def _open(self, host: HostProcess | None = None) -> None:
        self._hosts += 1
        self._host = host or HostProcess(self._spec)
        self._idle: list[WorkerConnection] = []
        self._slots = list(range(MAX_WORKERS - 1, -1, -1))
        try:
            self.ready, self.notes = self._host.prepare()
        except BaseException:
            self._host.close()
            raise
        self._words = self._host.words()

    def next_serial(self) -> int:
        """A number for a batch, from 1."""
        self._serial += 1
        return self._serial

    def note_contamination(self, groups: Iterable[str]) -> None:
        """Watch ``groups``, which the items of a batch changed."""
        self._contaminated += 1
        if self._contaminated >= MAX_CONTAMINATED:
            self.watched = (frames.ALL_GROUPS,)
        else:
            self.watched = tuple(dict.fromkeys([*self.watched, *groups]))

    def acquire(self, *, fresh: bool) -> WorkerConnection:
        """An idle worker, or a new one; always a new one if ``fresh``.  Raises HostGone."""
        if self._idle and not fresh:
            return self._idle.pop()
        slot = self._slots.pop()
        self._words[slot] = self._words[slot + frames.FLAG_OFFSET] = 0
        return WorkerConnection(self._host.fork(slot))

    def release(self, worker: WorkerConnection) -> None:
        """Make a worker idle, or end it after ``MAX_BATCHES``."""
        if worker.batches >= MAX_BATCHES:
            self.terminate(worker)
        else:
            self._idle.append(worker)

    def terminate(self, worker: WorkerConnection) -> int:
        """End a worker; its exit status.  Raises HostGone."""
        status = self._host.reap(worker.child)
        self._slots.append(worker.child.slot)
        return status

    def restart(self) -> None:
        """Replace a host that died.  Raises UnitcraftError when that happens too often."""
        tail = self._host.stderr_tail()
        self._host.close()
        if self._hosts >= MAX_HOSTS:
            what = "the process that imported the module dies again and again"
            raise UnitcraftError("host-died", what, cause=tail)
        self._open()

    def word(self, worker: WorkerConnection) -> int:
        """The progress word: serial and item, or 0 between items."""
        return int(self._words[worker.child.slot])

    def has_spent_steps(self, worker: WorkerConnection) -> bool:
        """Has the running item spent its steps?"""
        return bool(self._words[worker.child.slot + frames.FLAG_OFFSET])

    def cpu(self, worker: WorkerConnection) -> float:
        """CPU seconds that a worker has used so far."""
        return cpu_seconds(worker.child.pid)

    def is_asleep(self, worker: WorkerConnection) -> bool:
        """Does the main thread of a worker sleep?  False where there is no /proc."""
        try:
            text = Path(f"/proc/{worker.child.pid}/stat").read_text(errors="replace")
        except OSError:
            return False
        return text.rpartition(")")[2].split()[:1] == ["S"]

    def stderr_tail(self) -> str:
        """The end of the standard error of the guarded processes."""
        return self._host.stderr_tail()

    def close(self) -> None:
        """End the idle workers and the host."""
        with contextlib.suppress(HostGone):
            for worker in self._idle:
                self._host.reap(worker.child)
        self._idle.clear()
        self._host.close()
