"""Where in their source the calls stand that were active when an effect was refused or code raised.

Invariant: frames are read, never kept; a position is (first line, last line, first column, last
column) as the compiler counts them, columns from 0 in bytes of UTF-8.
"""

from __future__ import annotations

from itertools import islice
from types import CodeType, FrameType, TracebackType
from typing import Final

#: Calls that are noted of one stack: a client of the network goes through some thirty.
MAX_CALLERS: Final = 60

#: The source positions of a call.
Position = tuple[int, int, int, int]
#: (module, position) of calls, the innermost first.
Callers = tuple[tuple[str, Position], ...]


def callers_of(frame: FrameType | None, roots: tuple[str, ...]) -> Callers:
    """The calls in code below the folders ``roots`` that led to ``frame``."""
    found: list[tuple[str, Position]] = []
    while frame is not None and len(found) < MAX_CALLERS:
        if frame.f_code.co_filename.startswith(roots):
            position = position_at(frame.f_code, frame.f_lasti)
            name = frame.f_globals.get("__name__")
            if position is not None and isinstance(name, str):
                found.append((name, position))
        frame = frame.f_back
    return tuple(found)


def call_into(error: BaseException, module: str) -> Position | None:
    """The innermost call in ``module`` through which ``error`` came; None if there is none."""
    found: TracebackType | None = None
    tb = error.__traceback__
    while tb is not None:
        if tb.tb_frame.f_globals.get("__name__") == module:
            found = tb
        tb = tb.tb_next
    return None if found is None else position_at(found.tb_frame.f_code, found.tb_lasti)


def position_at(code: CodeType, offset: int) -> Position | None:
    """The source positions of the instruction at ``offset`` (bytes); None where none are known."""
    for position in islice(code.co_positions(), offset // 2, offset // 2 + 1):
        first, last, left, right = position
        if first is not None and last is not None and left is not None and right is not None:
            return (first, last, left, right)
    return None
