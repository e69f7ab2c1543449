"""Standard streams of a worker: output is counted and kept short, input is refused.

Invariant: nothing that the Subject prints leaves the worker by itself; the count, and so the
verdict "output", depends only on what was printed.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import Any, NoReturn

#: Bytes that one item may print.
MOST_OUTPUT = 1 << 20

#: Bytes of an item's output that are kept for whoever asks.
KEPT_OUTPUT = 1 << 16


class OutputExhausted(BaseException):
    """The Subject printed more than one item may."""


class Sink(io.RawIOBase):
    """Swallows bytes.  Abstract state: how many this item wrote, and the first of them."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.kept = bytearray()

    def writable(self) -> bool:
        """Yes."""
        return True

    def write(self, data: Any) -> int:
        """Count ``data``.  Raises OutputExhausted beyond the bound, again and again."""
        size = len(data)
        if self.count < KEPT_OUTPUT:
            self.kept += bytes(data)
        self.count += size
        if self.count > MOST_OUTPUT:
            raise OutputExhausted
        return size

    def flooded(self) -> bool:
        """Did this item print too much?"""
        return self.count > MOST_OUTPUT

    def reset(self) -> None:
        """Begin an item."""
        self.count = 0
        self.kept.clear()


def text_stream(sink: Sink, *, unbuffered: bool = False) -> io.TextIOWrapper:
    """A text stream into ``sink``, as the interpreter makes for a pipe."""
    buffered = io.BufferedWriter(sink)
    return io.TextIOWrapper(buffered, "utf-8", "backslashreplace", write_through=unbuffered)


class RefusedInput(io.TextIOBase):
    """Standard input: reading it is an effect that the policy refuses."""

    def __init__(self, refuse: Callable[[str, str], OSError]) -> None:
        super().__init__()
        self._refuse = refuse

    def readable(self) -> bool:
        """Yes, as the Subject expects."""
        return True

    def read(self, _size: int | None = -1, /) -> NoReturn:
        """Raise Blocked."""
        raise self._refuse("sys.stdin", "read")

    def readline(self, _size: int = -1, /) -> NoReturn:  # type: ignore[override]
        """Raise Blocked."""
        raise self._refuse("sys.stdin", "readline")


class Streams:
    """The three standard streams of a worker.

    Abstract state: one Sink for output and errors, so that one bound holds for both.
    """

    def __init__(self, refuse: Callable[[str, str], OSError] | None) -> None:
        self.sink = Sink()
        self.out = text_stream(self.sink)
        self.err = text_stream(self.sink, unbuffered=True)
        self.input: Any = RefusedInput(refuse) if refuse is not None else sys.stdin

    def install(self) -> None:
        """Make them the process's streams."""
        sys.stdout = sys.__stdout__ = self.out  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = self.err  # type: ignore[misc]
        sys.stdin = sys.__stdin__ = self.input  # type: ignore[misc]

    def reset(self) -> bool:
        """Begin an item; False when the Subject closed or broke a stream."""
        try:
            self.out.flush()
        except OutputExhausted:
            return False
        except (OSError, ValueError):
            return False
        if self.sink.count:
            self.sink.reset()
        return sys.stdout is self.out and sys.stderr is self.err and sys.stdin is self.input

    def taken(self) -> str:
        """What the current item printed so far (its beginning)."""
        self.out.flush()
        return bytes(self.sink.kept[:KEPT_OUTPUT]).decode("utf-8", "replace")
