"""Functions that wait for threads, and threads that never end."""

import queue
import threading
import time


def join(rounds: int) -> int:
    """Joins a thread that never ends."""
    thread = threading.Thread(target=_spin, args=(rounds,), daemon=True)
    thread.start()
    thread.join()
    return rounds


def leave(count: int) -> int:
    """Leaves threads running."""
    for _ in range(max(1, count)):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return count


def exchange(item):
    """Passes an item through a thread that waits for more."""
    inbox, outbox = queue.Queue(), queue.Queue()
    threading.Thread(target=_echo, args=(inbox, outbox), daemon=True).start()
    inbox.put(item)
    outbox.get()
    return outbox.get()


def _spin(rounds: int) -> None:
    while True:
        rounds += 1


def _echo(inbox: queue.Queue, outbox: queue.Queue) -> None:
    while True:
        outbox.put(inbox.get())
