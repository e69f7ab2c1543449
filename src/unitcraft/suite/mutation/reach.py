"""Notes which code objects of some files begin to run.

Invariant: a run in which somebody else took the trace function is marked as incomplete, and counts
as one that reaches everything.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Collection
from types import CodeType, FrameType

#: (file, qualname, first line) of a code object.
Key = tuple[str, str, int]


class Reach:
    """Counts the entries of code objects from ``start`` to ``take``."""

    def __init__(self, files: Collection[str]) -> None:
        self._files = frozenset(files)
        self._counts: dict[CodeType, int] = {}
        self._trace = self._on_call

    def _on_call(self, frame: FrameType, _event: str, _arg: object) -> None:
        code = frame.f_code
        if code.co_filename in self._files:
            self._counts[code] = self._counts.get(code, 0) + 1

    def start(self) -> None:
        """Count from zero, in this thread and in those that start from now on."""
        self._counts = {}
        threading.settrace(self._trace)
        sys.settrace(self._trace)

    def take(self) -> tuple[dict[Key, int], bool]:
        """What was entered how often, and whether that is all; stops counting."""
        complete = sys.gettrace() is self._trace
        sys.settrace(None)
        threading.settrace(None)
        counts: dict[Key, int] = {}
        for code, number in self._counts.items():
            key = (code.co_filename, code.co_qualname, code.co_firstlineno)
            counts[key] = counts.get(key, 0) + number
        return counts, complete
