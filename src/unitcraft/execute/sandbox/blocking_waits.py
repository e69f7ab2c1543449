"""Waits that nobody can end: in a process with one thread they spend the step budget at once.

A daemon thread that waits when an item is over is ended: it would wake in another item.  What a
Call gave a pool of threads to do is done when the next one begins, if it takes no longer than a
moment: whether it is by then would else be a matter of luck.

Invariant: with a second thread alive, or a short timeout, ``Condition.wait`` and the classes built
on it (events, semaphores, barriers, queues) are unchanged.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

#: Seconds that an item may wait where no other thread could wake it.
MAX_WAIT_SECONDS: Final = 0.05


#: Seconds that a thread may take to end after it was told to.
MAX_END_SECONDS: Final = 0.05
#: The code of ``Condition.wait``, in which every thread waits that waits for another.
_WAIT: Final = threading.Condition.wait.__code__

#: Idents of the threads that end when their wait is over (mutable: of this process).
_ENDING: Final[set[int]] = set()
#: Futures of pools that the Calls of a run have begun (mutable: of this process).
_BEGUN: Final[list[Any]] = []


def refuse_endless_waits(exhausted: Callable[[], object]) -> None:
    """Call ``exhausted``, which raises, in place of every wait that nobody can end."""
    wait = threading.Condition.wait
    count = threading.active_count

    def guarded(self: threading.Condition, timeout: float | None = None) -> bool:
        if (timeout is None or timeout > MAX_WAIT_SECONDS) and count() == 1:
            exhausted()
        answer = wait(self, timeout)
        if _ENDING and threading.get_ident() in _ENDING:
            raise SystemExit  # a thread that raises it ends in silence
        return answer

    threading.Condition.wait = guarded  # type: ignore[method-assign]


def end_waiting_daemons() -> None:
    """End the daemon threads that wait for an event, a queue or the like, where they wait."""
    # not ``threading.enumerate``: the Subject may have removed the builtins that it needs
    active = tuple(threading._active.values())  # type: ignore[attr-defined]  # noqa: SLF001
    daemons = [one for one in active if one._daemonic]  # noqa: SLF001
    if not daemons:
        return
    frames = sys._current_frames()  # noqa: SLF001 - the documented way
    ended = []
    for thread in daemons:
        frame = frames.get(thread.ident or 0)
        if frame is None or frame.f_code is not _WAIT:
            continue
        waiter, condition = frame.f_locals.get("waiter"), frame.f_locals["self"]
        if waiter is not None and waiter in condition._waiters:  # noqa: SLF001 - what ``notify`` releases
            _ENDING.add(thread.ident or 0)
            condition._waiters.remove(waiter)  # noqa: SLF001
            waiter.release()
            ended.append(thread)
    for thread in ended:
        thread.join(MAX_END_SECONDS)
    _ENDING.clear()


def follow_pools() -> list[Any]:
    """The futures of whatever this thread gives a ThreadPoolExecutor to do from now on.

    Only if something has loaded that class: to load it is a part of the start of a worker.
    """
    pools = sys.modules.get("concurrent.futures.thread")
    if pools is None or hasattr(pools.ThreadPoolExecutor.submit, "__wrapped__"):
        return _BEGUN
    submit, main = pools.ThreadPoolExecutor.submit, threading.get_ident()

    @wraps(submit)
    def followed(self: Any, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        future = submit(self, function, *args, **kwargs)
        if threading.get_ident() == main:
            _BEGUN.append(future)
        return future

    pools.ThreadPoolExecutor.submit = followed
    return _BEGUN


def await_begun() -> None:
    """Wait a moment for the futures that ``follow_pools`` gave, and forget them."""
    sys.modules["concurrent.futures"].wait(_BEGUN, MAX_WAIT_SECONDS)
    _BEGUN.clear()
