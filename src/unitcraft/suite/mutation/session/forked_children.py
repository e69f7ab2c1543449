"""Forked children that each work through a list and send an answer for each element.

A ``Trial`` is a list of one element that is work to do; of trials, some run at a time.

Invariant: each element gets exactly one answer, in the order of its list.  When a child ends before
it has answered an element, the answer is ``Ended``, and a new child continues with the rest of the
list.  A child never returns into the code of its parent, except by ``Continued`` where a trial asks
for that; every child has ended when ``run`` ends.
"""

from __future__ import annotations

import marshal
import os
import select
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from unitcraft.execute.command import forking

#: Bytes of the length that precedes each answer.
LENGTH_BYTES: Final = 4
#: Bytes read from a pipe at once: the size of a pipe's buffer on Linux.
READ_BYTES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended that did not answer: its wait status and CPU seconds.

    ``hung``: it was killed because it exceeded its wall time.
    """

    status: int = 0
    hung: bool = False
    cpu: float = 0.0

    @property
    def exceeded_cpu(self) -> bool:
        """Did the timer of ``item_runner.limit_cpu`` end it?"""
        return os.WIFSIGNALED(self.status) and os.WTERMSIG(self.status) == signal.SIGPROF

    @property
    def timed_out(self) -> bool:
        """Did it exceed its CPU time or its wall time?"""
        return self.hung or self.exceeded_cpu


Element = TypeVar("Element")
Key = TypeVar("Key")
Say = Callable[[Any], None]
#: Runs in a child: takes the elements without an answer, the earlier answers of the same list, and
#: a function that sends an answer.  It answers from the first element on and may stop early.
Serve = Callable[[Sequence[Element], Sequence[tuple[Element, Any]], Say], None]


@dataclass(frozen=True, slots=True)
class Trial(Generic[Key]):
    """A task: ``work`` runs in the child and returns a plain answer within ``seconds`` (wall).

    ``continues``: when ``work`` is done, ``run_trials`` raises ``Continued`` in the child, which
    goes on in the caller and sends its answer later.
    """

    key: Key
    work: Callable[[], Any]
    seconds: float
    continues: bool = False


class Continued(Exception):  # noqa: N818 - says what happened
    """Raised in a child that goes on in the caller of ``run_trials``; it must end by ``answer``."""

    def __init__(self, say: Say) -> None:
        super().__init__()
        self._say = say

    def answer(self, answer: Any) -> None:
        """Send the answer and end the process."""
        self._say((answer, time.process_time()))
        forking.exit_now()


@dataclass(frozen=True, slots=True)
class Ending:
    """What became of a Trial: its answer (None when it failed), and its CPU seconds."""

    answer: Any
    cpu: float
    timed_out: bool = False

    @property
    def verdict(self) -> tuple[str, Any, int]:
        """(verdict, test that failed, tests that ran) of a Trial that runs tests on a mutant."""
        if self.timed_out:
            return "timeout", None, 0
        verdict, test, ran = self.answer or ("died", None, 0)
        return verdict, test, ran


Endings = Iterator[tuple[Key, Ending]]


def run_trials(
    trials: Iterable[Trial[Key]], jobs: int, enter: Callable[[int], None]
) -> Endings[Key]:
    """(key, Ending) pairs as the children end; at most ``jobs`` of them run at a time."""
    lists = ([trial] for trial in trials)
    for trial, answer in run(lists, _try, lambda trial: trial.seconds, enter, jobs):
        if isinstance(answer, Ended):
            yield trial.key, Ending(None, answer.cpu, answer.timed_out)
        else:
            yield trial.key, Ending(*answer)


def _try(trials: Sequence[Trial[Any]], _: Sequence[tuple[Trial[Any], Any]], say: Say) -> None:
    answer = trials[0].work()
    if trials[0].continues:
        raise Continued(say)
    say((answer, time.process_time()))


@dataclass(slots=True)
class _Child(Generic[Element]):
    """A list, its answers so far, and the child process that works on it.

    ``begun`` is the number of answers when the child was started.
    """

    slot: int
    todo: Sequence[Element]
    answered: list[tuple[Element, Any]] = field(default_factory=list)
    pid: int = 0
    pipe: int = -1
    begun: int = 0
    deadline: float = 0.0
    data: bytearray = field(default_factory=bytearray)

    @property
    def rest(self) -> Sequence[Element]:
        return self.todo[len(self.answered) :]


def run(
    lists: Iterable[Sequence[Element]],
    serve: Serve[Element],
    patience: Callable[[Element], float],
    enter: Callable[[int], None],
    jobs: int,
) -> Iterator[tuple[Element, Any]]:
    """(element, answer) pairs as they arrive; one child for each list, ``jobs`` lists at a time.

    ``patience`` gives the wall seconds for one element; ``enter(slot)`` runs first in each child,
    and no two running children have the same slot.
    """
    todo = iter(lists)
    alive: list[_Child[Element]] = []
    free = list(range(jobs))[::-1]
    parent = os.getpid()
    try:
        while True:
            while free and (elements := next(todo, None)) is not None:
                if elements:
                    alive.append(_Child(free.pop(), elements))
                    _start(alive[-1], serve, patience, enter)
            if not alive:
                return
            for child in _wait_for_children(alive):
                known = len(child.answered)
                if _has_ended(child, patience):
                    if child.rest:
                        _start(child, serve, patience, enter)
                    else:
                        alive.remove(child)
                        free.append(child.slot)
                yield from child.answered[known:]
    finally:
        for child in alive if os.getpid() == parent else ():
            forking.kill(child.pid)
            os.waitpid(child.pid, 0)
            os.close(child.pipe)


def _start(
    child: _Child[Element],
    serve: Serve[Element],
    patience: Callable[[Element], float],
    enter: Callable[[int], None],
) -> None:
    out, into = os.pipe()
    child.begun = len(child.answered)
    child.pid = forking.fork()
    if child.pid:
        os.close(into)
        child.pipe, child.data = out, bytearray()
        child.deadline = time.monotonic() + patience(child.rest[0])
        return
    status = 1
    try:
        os.close(out)
        enter(child.slot)
        serve(child.rest, child.answered, lambda answer: _send_answer(into, answer))
        status = 0
    except Continued:
        raise
    except BaseException:
        forking.exit_now(status)
        raise
    forking.exit_now(status)


def _send_answer(pipe: int, answer: Any) -> None:
    data = marshal.dumps(answer, 4)
    write_all(pipe, len(data).to_bytes(LENGTH_BYTES, "big") + data)


def write_all(pipe: int, data: bytes) -> None:
    """Write all of ``data`` to the pipe."""
    view = memoryview(data)
    while view:
        view = view[os.write(pipe, view) :]


def _wait_for_children(alive: list[_Child[Element]]) -> list[_Child[Element]]:
    """Wait until a child sends data, ends, or passes its deadline; the children concerned."""
    first = min(child.deadline for child in alive)
    pipes = [child.pipe for child in alive]
    ready, _, _ = select.select(pipes, [], [], max(0.0, first - time.monotonic()))
    now = time.monotonic()
    return [child for child in alive if child.pipe in ready or child.deadline <= now]


def _has_ended(child: _Child[Element], patience: Callable[[Element], float]) -> bool:
    """Read the child's answers; has it ended?  A child past its deadline is killed."""
    if not select.select([child.pipe], [], [], 0)[0]:
        forking.kill(child.pid)
        _reap(child, hung=True)
        return True
    data = os.read(child.pipe, READ_BYTES)
    child.data += data
    while len(child.data) >= LENGTH_BYTES:
        end = LENGTH_BYTES + int.from_bytes(child.data[:LENGTH_BYTES], "big")
        if len(child.data) < end:
            break
        answer = marshal.loads(bytes(child.data[LENGTH_BYTES:end]))  # noqa: S302 - plain values only
        child.answered.append((child.rest[0], answer))
        del child.data[:end]
    if child.rest:
        child.deadline = time.monotonic() + patience(child.rest[0])
    if not data:
        _reap(child, hung=False)
    return not data


def _reap(child: _Child[Element], *, hung: bool) -> None:
    """Wait for the child to end; answer the element it failed on."""
    _, status, usage = os.wait4(child.pid, 0)
    os.close(child.pipe)
    if child.rest and (status != 0 or len(child.answered) == child.begun):
        ended = Ended(status, hung, usage.ru_utime + usage.ru_stime)
        child.answered.append((child.rest[0], ended))
