"""Standard streams of a worker: output is counted and its beginning kept, input is refused.

Invariant: output of the Subject reaches no file; the count of its bytes, and so the verdict
"output", depends only on the output.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from unitcraft.execute.steps import OutputExhausted

#: Bytes that one item may print.
MAX_OUTPUT = 1 << 20
#: Bytes of one stream that are kept: no test states as many.
MAX_KEPT = 1 << 12


class Sink(io.RawIOBase):
    """Counts bytes.  Abstract state: how many this item wrote."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def writable(self) -> bool:
        """Always true."""
        return True

    def write(self, data: Any) -> int:
        """Count ``data``.  Raises OutputExhausted beyond the bound, again and again."""
        size = len(data)
        self.count += size
        if self.count > MAX_OUTPUT:
            raise OutputExhausted
        return size

    def is_flooded(self) -> bool:
        """Did this item print too much?"""
        return self.count > MAX_OUTPUT

    def reset(self) -> None:
        """Begin an item."""
        self.count = 0


class KeptOutput(io.RawIOBase):
    """One stream into a Sink.  Abstract state: the first bytes written since ``forget``."""

    def __init__(self, sink: Sink) -> None:
        super().__init__()
        self.sink = sink
        self.kept = bytearray()

    def writable(self) -> bool:
        """Always true."""
        return True

    def write(self, data: Any) -> int:
        """Count and keep ``data``.  Raises OutputExhausted as the Sink does."""
        size = self.sink.write(data)
        if len(self.kept) <= MAX_KEPT:
            self.kept += data[: MAX_KEPT + 1]
        return size

    def text(self) -> str | None:
        """What was written; None when it is more than is kept, or no text."""
        try:
            return None if len(self.kept) > MAX_KEPT else self.kept.decode()
        except UnicodeDecodeError:
            return None


def text_stream(kept: KeptOutput, *, unbuffered: bool = False) -> io.TextIOWrapper:
    """A text stream into ``kept``, as the interpreter makes for a pipe."""
    buffered = io.BufferedWriter(kept)
    return io.TextIOWrapper(buffered, "utf-8", "backslashreplace", write_through=unbuffered)


class RefusedInput(io.TextIOBase):
    """Standard input: reading it is an effect that the policy refuses."""

    def __init__(self, refuse: Callable[[str, str], OSError], event: str = "sys.stdin") -> None:
        super().__init__()
        self._refuse = refuse
        self._event = event

    def readable(self) -> bool:
        """Always true, as for a real standard input."""
        return True

    @property
    def buffer(self) -> RefusedInput:
        """Its bytes, which are refused too."""
        return RefusedInput(self._refuse, "sys.stdin.buffer")

    def read(self, _size: int | None = -1, /) -> NoReturn:
        """Raise Blocked."""
        raise self._refuse(self._event, "read")

    def readline(self, _size: int = -1, /) -> NoReturn:  # type: ignore[override]
        """Raise Blocked."""
        raise self._refuse(self._event, "readline")


class Streams:
    """The three standard streams of a worker.

    Abstract state: one Sink for output and errors, so that one bound holds for both.
    """

    def __init__(self, refuse: Callable[[str, str], OSError] | None) -> None:
        self.sink = Sink()
        self.kept_out, self.kept_err = KeptOutput(self.sink), KeptOutput(self.sink)
        self.out = text_stream(self.kept_out)
        self.err = text_stream(self.kept_err, unbuffered=True)
        self.input: Any = RefusedInput(refuse) if refuse is not None else sys.stdin

    def install(self) -> None:
        """Put them into ``sys``."""
        sys.stdout = sys.__stdout__ = self.out  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = self.err  # type: ignore[misc]
        sys.stdin = sys.__stdin__ = self.input  # type: ignore[misc]

    def printed(self) -> tuple[str | None, str | None]:
        """(standard output, standard error) since ``forget``; None for what is not known."""
        try:
            self.out.flush()
            self.err.flush()
        except (OSError, ValueError):
            return None, None
        return self.kept_out.text(), self.kept_err.text()

    def forget(self) -> None:
        """Forget what was printed; the bound of the item goes on."""
        self.printed()
        self.kept_out.kept.clear()
        self.kept_err.kept.clear()

    def reset(self) -> bool:
        """Begin an item; False when the Subject closed or broke a stream."""
        try:
            self.out.flush()
            self.err.flush()
        except OutputExhausted:
            return False
        except (OSError, ValueError):
            return False
        if self.sink.count:
            self.sink.reset()
            self.kept_out.kept.clear()
            self.kept_err.kept.clear()
        return sys.stdout is self.out and sys.stderr is self.err and sys.stdin is self.input
