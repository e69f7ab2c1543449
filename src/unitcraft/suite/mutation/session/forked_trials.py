"""Runs pieces of work in children forked from a warm process, several at a time.

Invariant: a child never returns into the code of its parent; every child has ended when ``run``
has, and one that says nothing within its wall time is killed.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import select
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from unitcraft.execute.command import forking

#: Bytes read from a child at once.
CHUNK: Final = 1 << 16

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Trial(Generic[Key]):
    """``work`` runs in the child, its plain answer is sent back; ``seconds`` of wall time.

    ``continues``: the child leaves ``run`` by ``Continued`` when ``work`` is done.
    """

    key: Key
    work: Callable[[], Any]
    seconds: float
    continues: bool = False


class Continued(Exception):  # noqa: N818 - says what happened
    """Raised in a child whose work is all that follows; it calls ``answer`` in the end."""

    def __init__(self, pipe: int) -> None:
        super().__init__()
        self._pipe = pipe

    def answer(self, answer: Any) -> None:
        """Send the answer and end this process."""
        send(self._pipe, marshal.dumps(answer, 4))
        forking.leave()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child ended: its answer or None, its wait status, CPU seconds."""

    answer: Any
    status: int
    hung: bool
    cpu: float

    @property
    def timed_out(self) -> bool:
        """Was it ended by its CPU timer, or by us?"""
        return self.hung or (os.WIFSIGNALED(self.status) and self._signal == signal.SIGPROF)

    @property
    def _signal(self) -> int:
        return os.WTERMSIG(self.status)


Endings = Generator[tuple[Key, Ending], None, None]


@dataclass(slots=True)
class _Child(Generic[Key]):
    key: Key
    pid: int
    pipe: int
    deadline: float
    data: bytearray


def run(trials: Iterable[Trial[Key]], jobs: int, enter: Callable[[int], None]) -> Endings[Key]:
    """The endings as they come; at most ``jobs`` children live.  ``enter(slot)`` runs first."""
    todo = iter(trials)
    alive: dict[int, _Child[Key]] = {}
    free = list(range(jobs))[::-1]
    slots: dict[int, int] = {}
    parent = os.getpid()
    try:
        while True:
            while free and (trial := next(todo, None)) is not None:
                child = _started(trial, free[-1], enter)
                alive[child.pipe] = child
                slots[child.pipe] = free.pop()
            if not alive:
                return
            for key, ending, pipe in list(_ended(alive)):
                free.append(slots.pop(pipe))
                yield key, ending
    finally:
        for child in alive.values() if os.getpid() == parent else ():
            forking.kill(child.pid)
            os.waitpid(child.pid, 0)
            os.close(child.pipe)


def _started(trial: Trial[Key], slot: int, enter: Callable[[int], None]) -> _Child[Key]:
    theirs_out, theirs_in = os.pipe()
    pid = forking.fork()
    if pid:
        os.close(theirs_in)
        deadline = time.monotonic() + trial.seconds
        return _Child(trial.key, pid, theirs_out, deadline, bytearray())
    status = 1
    try:
        os.close(theirs_out)
        enter(slot)
        answer = trial.work()
        if not trial.continues:
            send(theirs_in, marshal.dumps(answer, 4))
            status = 0
    except BaseException:
        forking.leave(status)
        raise
    if not trial.continues:
        forking.leave(status)
    raise Continued(theirs_in)


def send(pipe: int, data: bytes) -> None:
    """Write all of it."""
    view = memoryview(data)
    while view:
        view = view[os.write(pipe, view) :]


def _ended(alive: dict[int, _Child[Key]]) -> Iterator[tuple[Key, Ending, int]]:
    """Wait until something happens; the children that ended, taken out of ``alive``."""
    first = min(child.deadline for child in alive.values())
    ready, _, _ = select.select(list(alive), [], [], max(0.0, first - time.monotonic()))
    for pipe in ready:
        data = os.read(pipe, CHUNK)
        alive[pipe].data += data
        if not data:
            yield _reaped(alive.pop(pipe), hung=False)
    now = time.monotonic()
    for pipe in [pipe for pipe, child in alive.items() if child.deadline <= now]:
        child = alive.pop(pipe)
        forking.kill(child.pid)
        yield _reaped(child, hung=True)


def _reaped(child: _Child[Key], *, hung: bool) -> tuple[Key, Ending, int]:
    _, status, usage = os.wait4(child.pid, 0)
    os.close(child.pipe)
    answer = None
    if status == 0:
        with contextlib.suppress(ValueError, EOFError, TypeError):
            answer = marshal.loads(bytes(child.data))  # noqa: S302 - plain values only
    return child.key, Ending(answer, status, hung, usage.ru_utime + usage.ru_stime), child.pipe
