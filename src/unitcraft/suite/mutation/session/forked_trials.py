"""Forked children that each do one task, several children at a time.

Invariant: a child never returns into the code of its parent, except by ``Continued`` where a task
asks for that; every child has ended when ``run`` ends, and one that exceeds its wall time is
killed.
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

#: Bytes read from a pipe at once: the size of a pipe's buffer on Linux.
READ_BYTES: Final = 1 << 16

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Trial(Generic[Key]):
    """A task: ``work`` runs in the child and returns a plain answer within ``seconds`` (wall).

    ``continues``: when ``work`` is done, ``run`` raises ``Continued`` in the child, which goes on
    in the caller and sends its answer later.
    """

    key: Key
    work: Callable[[], Any]
    seconds: float
    continues: bool = False


class Continued(Exception):  # noqa: N818 - says what happened
    """Raised in a child that goes on in the caller of ``run``; it must end by ``answer``."""

    def __init__(self, pipe: int) -> None:
        super().__init__()
        self._pipe = pipe

    def answer(self, answer: Any) -> None:
        """Send the answer and end the process."""
        write_all(self._pipe, marshal.dumps(answer, 4))
        forking.exit_now()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child ended: its answer (None when it failed), wait status, and CPU seconds.

    ``hung``: it was killed because it exceeded its wall time.
    """

    answer: Any
    status: int
    hung: bool
    cpu: float

    @property
    def timed_out(self) -> bool:
        """Did it exceed its CPU time or its wall time?"""
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
    """(key, Ending) pairs as the children end; at most ``jobs`` of them run at a time.

    ``enter(slot)`` runs first in each child; no two running children have the same slot.
    """
    todo = iter(trials)
    alive: dict[int, _Child[Key]] = {}
    free = list(range(jobs))[::-1]
    slots: dict[int, int] = {}
    parent = os.getpid()
    try:
        while True:
            while free and (trial := next(todo, None)) is not None:
                child = _start(trial, free[-1], enter)
                alive[child.pipe] = child
                slots[child.pipe] = free.pop()
            if not alive:
                return
            for key, ending, pipe in list(_wait_for_children(alive)):
                free.append(slots.pop(pipe))
                yield key, ending
    finally:
        for child in alive.values() if os.getpid() == parent else ():
            forking.kill(child.pid)
            os.waitpid(child.pid, 0)
            os.close(child.pipe)


def _start(trial: Trial[Key], slot: int, enter: Callable[[int], None]) -> _Child[Key]:
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
            write_all(theirs_in, marshal.dumps(answer, 4))
            status = 0
    except BaseException:
        forking.exit_now(status)
        raise
    if not trial.continues:
        forking.exit_now(status)
    raise Continued(theirs_in)


def write_all(pipe: int, data: bytes) -> None:
    """Write all of ``data`` to the pipe."""
    view = memoryview(data)
    while view:
        view = view[os.write(pipe, view) :]


def _wait_for_children(alive: dict[int, _Child[Key]]) -> Iterator[tuple[Key, Ending, int]]:
    """Wait for data, an end or a deadline; remove the ended children from ``alive``."""
    first = min(child.deadline for child in alive.values())
    ready, _, _ = select.select(list(alive), [], [], max(0.0, first - time.monotonic()))
    for pipe in ready:
        data = os.read(pipe, READ_BYTES)
        alive[pipe].data += data
        if not data:
            yield _reap(alive.pop(pipe), hung=False)
    now = time.monotonic()
    for pipe in [pipe for pipe, child in alive.items() if child.deadline <= now]:
        child = alive.pop(pipe)
        forking.kill(child.pid)
        yield _reap(child, hung=True)


def _reap(child: _Child[Key], *, hung: bool) -> tuple[Key, Ending, int]:
    _, status, usage = os.wait4(child.pid, 0)
    os.close(child.pipe)
    answer = None
    if status == 0:
        with contextlib.suppress(ValueError, EOFError, TypeError):
            answer = marshal.loads(bytes(child.data))  # noqa: S302 - plain values only
    return child.key, Ending(answer, status, hung, usage.ru_utime + usage.ru_stime), child.pipe
