"""The workers of one pool: hired from the host, kept between batches, let go.

Invariant: a member is in exactly one place: idle here, or with one Runner.  A slot number is
used by one living worker at a time.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from unitcraft.core.encoding import Plain
from unitcraft.core.errors import UnitcraftError
from unitcraft.execute import frames
from unitcraft.execute.pool.host_process import Child, HostGone, Link
from unitcraft.execute.spec import HostSpec

#: Hosts that may be started because the Subject killed the one before.
MOST_HOSTS = 5

#: Batches after which a worker is replaced, against slow growth.
MOST_BATCHES = 2000

#: Batches run twice before every item is checked in full at once.
DIRTY_BATCHES = 3

#: Workers alive at a time.
MOST_WORKERS = frames.FLAG_OFFSET


class Member:
    """A worker and the bytes on their way to and from it.

    Abstract state: unsent suffix of the requests, unread suffix of the answers.
    """

    def __init__(self, child: Child) -> None:
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
        """Queue a request and send what fits.  A dead worker shows when it is read."""
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


class Crew:
    """Abstract state: the host, idle members, free slots.

    ``careful`` is set for good once items of ``DIRTY_BATCHES`` influenced each other.
    """

    def __init__(self, spec: HostSpec, jobs: int) -> None:
        self.jobs = jobs
        self.careful = False
        self._spec = spec
        self._hosts = 0
        self._dirty = 0
        self._serial = 0
        self._open()

    def _open(self) -> None:
        self._hosts += 1
        self._link = Link(self._spec)
        self._idle: list[Member] = []
        self._slots = list(range(MOST_WORKERS - 1, -1, -1))
        try:
            self.ready, self.notes = self._link.prepare()
        except BaseException:
            self._link.close()
            raise
        self._words = self._link.words()

    def next_serial(self) -> int:
        """A number for a batch, from 1."""
        self._serial += 1
        return self._serial

    def met_dirt(self) -> None:
        """Items of a batch influenced each other through state that is checked per batch."""
        self._dirty += 1
        self.careful = self._dirty >= DIRTY_BATCHES

    def hire(self, *, fresh: bool) -> Member:
        """An idle member, or a new one; always a new one if ``fresh``.  Raises HostGone."""
        if self._idle and not fresh:
            return self._idle.pop()
        slot = self._slots.pop()
        self._words[slot] = self._words[slot + frames.FLAG_OFFSET] = 0
        return Member(self._link.fork(slot))

    def welcome(self, member: Member) -> None:
        """Take a member back, or let it go when it has worked long enough."""
        if member.batches >= MOST_BATCHES:
            self.dismiss(member)
        else:
            self._idle.append(member)

    def dismiss(self, member: Member) -> int:
        """End a member; its exit status.  Raises HostGone."""
        status = self._link.reap(member.child)
        self._slots.append(member.child.slot)
        return status

    def restart(self) -> None:
        """Replace a host that died.  Raises UnitcraftError when that happens too often."""
        words = self._link.last_words()
        self._link.close()
        if self._hosts >= MOST_HOSTS:
            what = "the process that imported the module dies again and again"
            raise UnitcraftError("host-died", what, cause=words)
        self._open()

    def word(self, member: Member) -> int:
        """The progress word: serial and item, or 0 between items."""
        return int(self._words[member.child.slot])

    def has_spent_steps(self, member: Member) -> bool:
        """Had the item that runs spent its steps already?"""
        return bool(self._words[member.child.slot + frames.FLAG_OFFSET])

    def cpu(self, member: Member) -> float:
        """CPU seconds that a member used so far."""
        return cpu_seconds(member.child.pid)

    def is_asleep(self, member: Member) -> bool:
        """Does the main thread of a member wait for something?  Never known without /proc."""
        try:
            text = Path(f"/proc/{member.child.pid}/stat").read_text(errors="replace")
        except OSError:
            return False
        return text.rpartition(")")[2].split()[:1] == ["S"]

    def last_words(self) -> str:
        """What the guarded processes last wrote to their standard error."""
        return self._link.last_words()

    def close(self) -> None:
        """End everything."""
        with contextlib.suppress(HostGone):
            for member in self._idle:
                self._link.reap(member.child)
        self._idle.clear()
        self._link.close()


def cpu_seconds(pid: int) -> float:
    """CPU time of another process (all threads); wall time where the system has no such clock."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # the kernel's number for a process's clock
    except (OSError, AttributeError, OverflowError):
        return time.monotonic()
