"""The state that a process shares between items besides the Subject's heap.

Invariant: after ``after_item`` returned True, streams, trace functions, recursion limit,
interval timer, semaphores, random numbers and the decimal context (where the Subject uses them),
the current event loop (there is none),
current folder and scratch files are as ``save`` found them, and no thread of the item is left.

A thread that does not end makes the worker unusable.  A daemon thread costs no more than that:
it is meant to be left behind, and the run that started it has its outcome.  Those of a
ThreadPoolExecutor are ended as the interpreter ends them when it exits.  Any other thread would
keep the process of a test from ending, so that its run has no outcome (``left_thread``).
"""

from __future__ import annotations

import _thread
import contextlib
import gc
import os
import shutil
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

from unitcraft.execute.sandbox.audit import Journal
from unitcraft.execute.sandbox.streams import Streams

#: Seconds that a thread may take to disappear after it was joined.
MAX_THREAD_SECONDS = 0.05


class ProcessState:
    """Process-wide state of one worker.

    Abstract state: the state that ``save`` found.  ``left_thread`` is the place where the last
    item started a thread, not a daemon, that outlived it ('': none did).  ``restorers`` put back
    what is not known here.
    """

    def __init__(
        self,
        journal: Journal,
        streams: Streams,
        folder: str,
        writable: str,
        restorers: tuple[Callable[[], None], ...] = (),
    ) -> None:
        self._journal = journal
        self._streams = streams
        self._folder = folder
        self._writable = writable
        self._more = restorers
        self.left_thread = ""

    def save(self, used: Iterable[str]) -> None:
        """Remember the state now; ``used`` names the modules that the Subject refers to."""
        names = frozenset(used)
        self._threads = _thread._count()  # noqa: SLF001 - no public cheap count
        self._daemons = _daemons()
        self._limit = sys.getrecursionlimit()
        self._trace = sys.gettrace()
        self._profile = sys.getprofile()
        self._thresholds = gc.get_threshold()
        self._restorers: list[Callable[[], Any]] = list(self._more)
        if "decimal" in names and "decimal" in sys.modules:
            self._restorers.append(_decimal_restorer())
        if "asyncio" in sys.modules:
            self._restorers.append(_loop_restorer())

    def after_item(self) -> bool:
        """Put everything back; False if the worker cannot be used again."""
        if sys.gettrace() is not self._trace:
            sys.settrace(self._trace)
        _untrace_callers()
        if sys.getprofile() is not self._profile:
            sys.setprofile(self._profile)
        if sys.getrecursionlimit() != self._limit:
            sys.setrecursionlimit(self._limit)
        if gc.get_threshold() != self._thresholds:
            gc.set_threshold(*self._thresholds)
        if signal.getitimer(signal.ITIMER_REAL) != NO_TIMER:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for restore in self._restorers:
            restore()
        alone = _thread._count() <= self._threads or not self._has_threads()  # noqa: SLF001
        if not alone and not self._has_daemons_only():
            self.left_thread = self._journal.noted.get("thread") or "?"
        if self._journal.noted:
            self._after_effects(self._journal.noted)
        return self._streams.reset() and alone

    def _after_effects(self, noted: dict[str, str]) -> None:
        if "cwd" in noted:
            os.chdir(self._folder)
        if "files" in noted:
            empty_folder(self._writable)
        noted.clear()

    def _has_threads(self) -> bool:
        """Does a daemon of the last item run, or another thread after ``MAX_THREAD_SECONDS``?"""
        deadline = time.monotonic() + MAX_THREAD_SECONDS
        _end_pools()
        while _thread._count() > self._threads:  # noqa: SLF001
            if self._has_daemons_only() or time.monotonic() > deadline:
                return True
            time.sleep(0.0005)
        return False

    def _has_daemons_only(self) -> bool:
        """Are all threads that the last item left daemons that run?"""
        return _thread._count() - self._threads <= _daemons() - self._daemons  # noqa: SLF001


#: The interval timer when it is not set.
NO_TIMER = (0.0, 0.0)


def _daemons() -> int:
    """How many threads are daemons, as ``threading`` counts them."""
    threads = tuple(threading._active.values())  # type: ignore[attr-defined]  # noqa: SLF001
    return sum(1 for thread in threads if getattr(thread, "_daemonic", False))


def _end_pools() -> None:
    """Have the threads of each ThreadPoolExecutor end, as ``concurrent.futures`` does at exit."""
    pools = sys.modules.get("concurrent.futures.thread")
    if pools is None or not pools._threads_queues:  # noqa: SLF001 - as its exit handler does
        return
    pools._shutdown = True  # type: ignore[attr-defined]  # noqa: SLF001
    try:
        for thread, items in list(pools._threads_queues.items()):  # noqa: SLF001
            items.put(None)
            thread.join(MAX_THREAD_SECONDS)
    finally:
        pools._shutdown = False  # type: ignore[attr-defined]  # noqa: SLF001


def _decimal_restorer() -> Callable[[], None]:
    import decimal  # noqa: PLC0415 - only where the Subject has loaded it

    context = decimal.getcontext().copy()
    install = decimal.setcontext
    return lambda: install(context.copy())


def _loop_restorer() -> Callable[[], None]:
    """Have no event loop be the current one, now and after each item.

    So it is after ``asyncio.run``, which any test before may have called, and from Python 3.14 on
    without it; before, the first who asks for the current loop gets a new one.
    """
    import asyncio  # noqa: PLC0415 - only where the Subject has loaded it

    policy = asyncio.get_event_loop_policy()

    def restore() -> None:
        if asyncio.get_event_loop_policy() is not policy:
            asyncio.set_event_loop_policy(policy)
        with contextlib.suppress(Exception):
            policy.get_event_loop().close()
        policy.set_event_loop(None)

    policy.set_event_loop(None)
    return restore


def _untrace_callers() -> None:
    """Take off trace functions that an item left on the frames of this worker."""
    frame: FrameType | None = sys._getframe()  # noqa: SLF001
    while frame is not None:
        if frame.f_trace is not None:
            frame.f_trace = None
        frame = frame.f_back


def empty_folder(path: str) -> None:
    """Make ``path``, which is absolute, an empty folder, as far as possible."""
    if not os.path.isabs(path):  # noqa: PTH117 - each worker makes three, and Path takes as long
        message = f"no folder of a run: {path!r}"
        raise ValueError(message)
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        os.makedirs(path)  # noqa: PTH103
        return
    if not stat.S_ISDIR(mode):
        os.unlink(path)  # noqa: PTH108
        os.mkdir(path)  # noqa: PTH102
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        os.chmod(path, stat.S_IRWXU)  # noqa: PTH101
    with os.scandir(path) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(entry.path)  # noqa: PTH108
