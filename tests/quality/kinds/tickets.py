"""Asynchronous generators and context managers."""

from contextlib import asynccontextmanager


class Queue:
    """Tickets that are drawn in turn."""

    def __init__(self, first: int = 1) -> None:
        self.next = first
        self.is_open = False

    async def __aenter__(self) -> "Queue":
        self.is_open = True
        return self

    async def __aexit__(self, kind, error, trace) -> bool:
        self.is_open = False
        return kind is KeyError

    async def draw(self, count: int):
        """Draw some tickets."""
        if not self.is_open:
            raise RuntimeError("the queue is closed")
        for _ in range(count):
            yield self.next
            self.next += 1


@asynccontextmanager
async def opened(first: int):
    queue = Queue(first)
    queue.is_open = True
    try:
        yield queue
    finally:
        queue.is_open = False
