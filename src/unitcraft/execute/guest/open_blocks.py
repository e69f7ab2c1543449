"""Blocks that a run opens: context managers that it enters, and that its item leaves at its end.

Invariant: they are left the last first, as the ``with`` statements of the test are; what they raise
then is nobody's.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from types import CoroutineType
from typing import Any, Final

#: Methods that enter a context manager -> those that leave it.
LEAVING: Final = {"__enter__": "__exit__", "__aenter__": "__aexit__"}
_OPENED: Final[list[tuple[Any, str]]] = []

_Step = Callable[[list[Any]], Any]


def entering(name: str, step: _Step, manager: _Step) -> _Step:
    """``step``, a call of the method ``name`` of ``manager``, which is left later."""

    def enter(results: list[Any]) -> Any:
        entered = step(results)
        _OPENED.append((manager(results), LEAVING[name]))
        return entered

    return enter


def leave_blocks(finish: Callable[[Any], Any]) -> None:
    """Leave what was entered since the last time; ``finish`` runs coroutines."""
    while _OPENED:
        manager, name = _OPENED.pop()
        with contextlib.suppress(BaseException):
            left = getattr(manager, name)(None, None, None)
            if isinstance(left, CoroutineType):
                finish(left)
