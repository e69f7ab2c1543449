"""Children forked from a warm process, each of which works through a list and answers as it goes.

Invariant: each element is answered once, in the order of its list; an element whose child ended
before it answered is told as lost or as timed out, and the rest of the list goes to a new child.
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
from unitcraft.suite.mutation.session.forked_trials import CHUNK, send

#: Answers that no child gives.
LOST: Final = "lost"
LATE: Final = "late"
#: Bytes before each answer: its length.
HEAD: Final = 4

Element = TypeVar("Element")
#: What a child does: it tells an answer for each of the elements, from the first on, up to where it
#: cannot go on.  The second argument: what was answered before in this list.
Serve = Callable[[Sequence[Element], Sequence[tuple[Element, Any]], Callable[[Any], None]], None]


@dataclass(slots=True)
class _Child(Generic[Element]):
    """A list, what is answered, and the process that is at it."""

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
    """The answers as they come; one child for each list.  ``patience``: wall seconds for one."""
    alive = [_Child(slot, todo) for slot, todo in enumerate(lists) if todo]
    parent = os.getpid()
    try:
        for child in alive:
            _start(child, serve, patience, enter)
        while alive:
            for child in _stirring(alive):
                told = len(child.answered)
                if _has_ended(child, patience):
                    _reap(child)
                    if child.rest:
                        _start(child, serve, patience, enter)
                    else:
                        alive.remove(child)
                yield from child.answered[told:]
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
        serve(child.rest, child.answered, lambda answer: _say(into, answer))
        status = 0
    finally:
        forking.leave(status)


def _say(pipe: int, answer: Any) -> None:
    data = marshal.dumps(answer, 4)
    send(pipe, len(data).to_bytes(HEAD, "big") + data)


def _stirring(alive: list[_Child[Element]]) -> list[_Child[Element]]:
    """Wait; the children that said something, ended, or have been silent for too long."""
    first = min(child.deadline for child in alive)
    pipes = [child.pipe for child in alive]
    ready, _, _ = select.select(pipes, [], [], max(0.0, first - time.monotonic()))
    now = time.monotonic()
    return [child for child in alive if child.pipe in ready or child.deadline <= now]


def _has_ended(child: _Child[Element], patience: Callable[[Element], float]) -> bool:
    """Take in what the child said; has it ended?  One that has been silent for too long has to."""
    if not select.select([child.pipe], [], [], 0)[0]:
        forking.kill(child.pid)
        return True
    data = os.read(child.pipe, CHUNK)
    child.data += data
    while len(child.data) >= HEAD:
        end = HEAD + int.from_bytes(child.data[:HEAD], "big")
        if len(child.data) < end:
            break
        answer = marshal.loads(bytes(child.data[HEAD:end]))  # noqa: S302 - plain values only
        child.answered.append((child.rest[0], answer))
        del child.data[:end]
    if child.rest:
        child.deadline = time.monotonic() + patience(child.rest[0])
    return not data


def _reap(child: _Child[Element]) -> None:
    """Wait for the child; what it did not answer because it died or was late is answered so."""
    _, status = os.waitpid(child.pid, 0)
    os.close(child.pipe)
    if child.rest and (status != 0 or len(child.answered) == child.begun):
        late = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF
        child.answered.append((child.rest[0], LATE if late else LOST))
