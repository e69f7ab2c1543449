"""Where tests are written: a function's place and rows of ``parametrize``; is such code running?

Invariant: a location has plain values only; a test without a function (a doctest) has none.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterable
from types import FrameType, FunctionType
from typing import Any, Final

import pytest

from unitcraft.suite.recording.recorded_functions import Subjects

#: How the file names of code in doctests begin.
_DOCTEST: Final = "<doctest"


def location_of(item: pytest.Item) -> tuple[str, int, tuple[tuple[str, int], ...]] | None:
    """File, first line (decorators included) and (parameter, row) pairs; None for a doctest."""
    function: Any = getattr(item, "function", None)
    try:
        function = inspect.unwrap(function)
        inner = getattr(getattr(function, "hypothesis", None), "inner_test", None)
        function = inspect.unwrap(inner) if inner is not None else function
    except ValueError:
        return None
    if type(function) is not FunctionType:
        return None
    indices = getattr(getattr(item, "callspec", None), "indices", {})
    rows = tuple(sorted((str(name), int(row)) for name, row in indices.items()))
    return function.__code__.co_filename, function.__code__.co_firstlineno, rows


class CallsOfTests:
    """Tells calls that a test makes from calls of the test framework, where both use the subjects.

    pytest itself runs on libraries that somebody tests, too (pluggy, iniconfig, packaging): its own
    calls of them are no executions of the test, and the states that they are given are pytest's.
    A call is the framework's unless code of the suite is on the stack: a file in a folder of tests
    or of a ``conftest``, or a doctest.

    Abstract state: the folders of the suite; which file names are known to be in them.
    """

    def __init__(self, subjects: Subjects) -> None:
        self._subjects = subjects
        self._folders: set[str] = set()
        self._known: dict[str, bool] = {}

    @classmethod
    def where_needed(cls, subjects: Subjects) -> CallsOfTests | None:
        """Ask this before the suite is imported: None when nothing uses the subjects by then."""
        return cls(subjects) if subjects.loaded() else None

    def learn(self, files: Iterable[str]) -> None:
        """These files hold tests or their fixtures."""
        self._folders.update(os.path.dirname(file) for file in files)  # noqa: PTH120
        self._known.clear()

    def is_made_now(self) -> bool:
        """Is code of the suite on the stack of this thread?"""
        frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the stack has no other interface
        while frame is not None:
            file = frame.f_code.co_filename
            is_ours = self._known.get(file)
            if is_ours is None:
                is_ours = self._known[file] = (
                    file.startswith(_DOCTEST) or os.path.dirname(file) in self._folders  # noqa: PTH120
                )
            if is_ours and not self._subjects.has_module(frame.f_globals.get("__name__")):
                return True
            frame = frame.f_back
        return False
