"""Functions that wait for a lock, an event, a queue or a process."""

import queue
import select
import threading

LOCK = threading.Lock()


def twice(value):
    """Takes a lock that it holds."""
    with LOCK, LOCK:
        return value


def take(size: int):
    """Waits for an item that nobody puts."""
    return queue.Queue(size).get()


def await_event(flag: bool) -> bool:
    """Waits for an event that may not come."""
    event = threading.Event()
    if flag:
        event.set()
    return event.wait()


def poll(timeout: int) -> list:
    """Waits for files that never are ready."""
    return select.select([], [], [], None if timeout > 0 else 0)


def meet(parties: int) -> int:
    """Waits for others at a barrier."""
    return threading.Barrier(parties + 2).wait()
