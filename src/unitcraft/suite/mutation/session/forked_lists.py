"""Forked children that each work through a list and send an answer for each element.

Invariant: each element gets exactly one answer, in the order of its list.  When a child ends before
it has answered an element, the answer is ``LOST`` or ``TIMED_OUT``, and a new child continues with
the rest of the list.
"""

from __future__ import annotations

import marshal
import os
import select
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from unitcraft.execute.command import forking
from unitcraft.suite.mutation.session.forked_trials import READ_BYTES, write_all

#: The answer for an element whose child died.
LOST: Final = "lost"
#: The answer for an element whose child exceeded its CPU time.
TIMED_OUT: Final = "late"
#: Bytes of the length that precedes each answer.
LENGTH_BYTES: Final = 4

Element = TypeVar("Element")
#: Runs in a child: takes the elements without an answer, the earlier answers of the same list, and
#: a function that sends an answer.  It answers from the first element on and may stop early.
Serve = Callable[[Sequence[Element], Sequence[tuple[Element, Any]], Callable[[Any], None]], None]


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
    lists: Sequence[Sequence[Element]],
    serve: Serve[Element],
    patience: Callable[[Element], float],
    enter: Callable[[int], None],
) -> Iterator[tuple[Element, Any]]:
    """(element, answer) pairs as they arrive; one child for each list at a time.

    ``patience`` gives the wall seconds for one element; ``enter(slot)`` runs first in each child.
    """
    alive = [_Child(slot, todo) for slot, todo in enumerate(lists) if todo]
    parent = os.getpid()
    try:
        for child in alive:
            _start(child, serve, patience, enter)
        while alive:
            for child in _wait_for_children(alive):
                known = len(child.answered)
                if _receive(child, patience):
                    _reap(child)
                    if child.rest:
                        _start(child, serve, patience, enter)
                    else:
                        alive.remove(child)
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
    finally:
        forking.exit_now(status)


def _send_answer(pipe: int, answer: Any) -> None:
    data = marshal.dumps(answer, 4)
    write_all(pipe, len(data).to_bytes(LENGTH_BYTES, "big") + data)


def _wait_for_children(alive: list[_Child[Element]]) -> list[_Child[Element]]:
    """Wait until a child sends data, ends, or passes its deadline; the children concerned."""
    first = min(child.deadline for child in alive)
    pipes = [child.pipe for child in alive]
    ready, _, _ = select.select(pipes, [], [], max(0.0, first - time.monotonic()))
    now = time.monotonic()
    return [child for child in alive if child.pipe in ready or child.deadline <= now]


def _receive(child: _Child[Element], patience: Callable[[Element], float]) -> bool:
    """Read the child's answers; True when it has ended.  A child past its deadline is killed."""
    if not select.select([child.pipe], [], [], 0)[0]:
        forking.kill(child.pid)
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
    return not data


def _reap(child: _Child[Element]) -> None:
    """Wait for the child to end; answer the element it failed on as lost or timed out."""
    _, status = os.waitpid(child.pid, 0)
    os.close(child.pipe)
    if child.rest and (status != 0 or len(child.answered) == child.begun):
        late = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF
        child.answered.append((child.rest[0], TIMED_OUT if late else LOST))
