"""A semaphore of this process alone, in place of one that the kernel shares between processes.

A shared one is a file below ``/dev/shm``, which guarded code may not make; and as guarded code
starts no process, nobody could share it.

``restorer`` puts the semaphores that exist back between two runs.

Invariant: values, results and errors are those of ``_multiprocessing.SemLock``.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable
from typing import Any, Final

#: The kind that its owner may acquire again.
RECURSIVE_MUTEX: Final = 0

#: The largest value of a semaphore of the C library on Linux.
MAX_VALUE: Final = 2**31 - 1

#: The semaphores of this process that are alive, by the order in which they were made.
_ALIVE: Final[weakref.WeakValueDictionary[int, SemLock]] = weakref.WeakValueDictionary()
_NUMBERS: Final = itertools.count()


class SemLock:
    """A semaphore or a recursive lock.

    Abstract state: its value, and how often the thread that acquired it last holds it.
    """

    SEM_VALUE_MAX: Final = MAX_VALUE

    def __init__(self, kind: int, value: int, maxvalue: int, name: str, unlink: bool) -> None:  # noqa: FBT001 - as the original
        del name, unlink  # there is no file
        self.kind = kind
        self.maxvalue = maxvalue
        self.name = None
        self.handle = id(self)
        self._value = value
        self._held = 0
        self._owner = 0
        self._changed = threading.Condition()
        _ALIVE[next(_NUMBERS)] = self

    def acquire(self, block: bool = True, timeout: float | None = None) -> bool:  # noqa: FBT001, FBT002 - as the original
        """Take one; False if there is none in time."""
        if self.kind == RECURSIVE_MUTEX and self._is_mine():
            self._held += 1
            return True
        with self._changed:
            while self._value == 0:
                wait = timeout is None or timeout > 0
                if not (block and wait and self._changed.wait(timeout)):
                    return False
            self._value -= 1
        self._held += 1
        self._owner = threading.get_ident()
        return True

    def release(self) -> None:
        """Give one back.  Raises AssertionError or ValueError where nobody may."""
        if self.kind == RECURSIVE_MUTEX:
            if not self._is_mine():
                raise AssertionError("attempt to release recursive lock not owned by thread")
            if self._held > 1:
                self._held -= 1
                return
        elif self._value >= self.maxvalue:
            raise ValueError("semaphore or lock released too many times")
        with self._changed:
            self._value += 1
            self._held -= 1
            self._changed.notify()

    def state(self) -> tuple[int, int, int]:
        """Value, number of times held, and holder."""
        return self._value, self._held, self._owner

    def restore(self, state: tuple[int, int, int]) -> None:
        """Put back a ``state``; a thread that waits for another one is not woken."""
        self._value, self._held, self._owner = state

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()

    def _count(self) -> int:
        return self._held

    def _is_mine(self) -> bool:
        return self._held > 0 and self._owner == threading.get_ident()

    def _get_value(self) -> int:
        return self._value

    def _is_zero(self) -> bool:
        return self._value == 0

    def _after_fork(self) -> None:
        self._held = 0

    @classmethod
    def _rebuild(cls, *_: Any) -> SemLock:
        raise OSError("a guarded process shares no semaphore")


SemLock.__module__ = "_multiprocessing"


def restorer() -> Callable[[], None]:
    """A function that puts the semaphores that are alive now back to their states of now."""
    saved = [(lock, lock.state()) for _, lock in sorted(_ALIVE.items())]

    def restore() -> None:
        for lock, state in saved:
            lock.restore(state)

    return restore
