"""Notes which code objects of some files begin to run, and which of their lines run.

Invariant: a run in which somebody else took the trace function is marked as incomplete, and counts
as one that reaches everything.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Collection
from types import CodeType, FrameType
from typing import Any

#: (file, qualname, first line) of a code object; (file, '', line) of a line.
Key = tuple[str, str, int]


class Reach:
    """Counts the entries of code objects, and with ``lines`` notes lines, until ``take``."""

    def __init__(self, files: Collection[str], *, lines: bool = False) -> None:
        self._files = frozenset(files)
        self._lines: set[tuple[str, int]] = set()
        self._local = self._on_line if lines else None
        self._counts: dict[CodeType, int] = {}
        self._trace = self._on_call

    def _on_call(self, frame: FrameType, _event: str, _arg: object) -> Any:
        code = frame.f_code
        if code.co_filename in self._files:
            self._counts[code] = self._counts.get(code, 0) + 1
            return self._local
        return None

    def _on_line(self, frame: FrameType, event: str, _arg: object) -> Any:
        if event == "line":
            self._lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._local

    def start(self) -> None:
        """Count from zero, in this thread and in those that start from now on."""
        self._counts = {}
        self._lines = set()
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
        for file, line in sorted(self._lines):
            counts[file, "", line] = 1
        return counts, complete
