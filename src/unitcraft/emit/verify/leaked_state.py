"""Detects what a test leaves changed in the interpreter for later tests, and puts it back.

Invariant: the comparison runs no code of the Subject and uses unitcraft's private builtins, so
that a test which patches ``len`` or empties ``sys.modules`` is found and later tests still run.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any, Final

from unitcraft.execute.isolation.holder_snapshot import Snapshot
from unitcraft.execute.isolation.holders import PatchHolder, SequenceHolder
from unitcraft.execute.isolation.process_holders import slow_holders

#: Names for the parts that ``slow_holders`` compares, in its order.
_SHARED_NAMES: Final = (
    "the builtins",
    "streams or hooks of sys",
    "the loaded modules",
    "signal handlers",
)

_HOOKS: Final = "import hooks"
_PATCHED: Final = "functions of the standard library"


class LeakDetector:
    """Calls test functions and reports what each leaves changed.

    ``roots`` are the folders of the Subject: its own modules may change.  The snapshots of one call
    serve the next one where they still hold: comparing takes a twentieth of taking them.
    """

    def __init__(self, roots: Iterable[str]) -> None:
        self._roots = tuple([os.path.realpath(root) + os.sep for root in roots])
        self._parts: list[tuple[str, Snapshot]] = []
        self._modules: list[str] = []

    def call(self, function: Callable[..., object], arguments: Mapping[str, Any]) -> str:
        """Call ``function`` and put everything back; names what it had changed, '' if nothing.

        An exception of the function goes on to the caller only when nothing was changed.
        """
        if not self._is_current():
            self._parts, self._modules = self._take_snapshots(), list(sys.modules)
        scalars = _Scalars()
        try:
            function(**arguments)
        except BaseException:
            found = _restore(self._parts, scalars)
            if found:
                return found
            raise
        return _restore(self._parts, scalars)

    def _is_current(self) -> bool:
        """Do the snapshots show the state of now, and all loaded modules?"""
        return self._modules == list(sys.modules) and all(
            snapshot.is_clean() for _, snapshot in self._parts
        )

    def _take_snapshots(self) -> list[tuple[str, Snapshot]]:
        parts = zip(_SHARED_NAMES, slow_holders(()), strict=True)
        shared = [(name, Snapshot([holder])) for name, holder in parts]
        hooks = [SequenceHolder(found, list, "extend") for found in (sys.meta_path, sys.path_hooks)]
        shared.append((_HOOKS, Snapshot(hooks)))
        return [*shared, (_PATCHED, Snapshot(map(PatchHolder, self._library())))]

    def _library(self) -> Iterator[ModuleType]:
        """The loaded modules of the standard library."""
        for name, module in sorted(sys.modules.items()):
            if type(module) is ModuleType and name.partition(".")[0] in sys.stdlib_module_names:
                file = module.__dict__.get("__file__") or ""
                if not os.path.realpath(file).startswith(self._roots):
                    yield module


class _Scalars:
    """Single settings of the process as they were."""

    def __init__(self) -> None:
        self._trace = sys.gettrace()
        self._profile = sys.getprofile()
        self._limit = sys.getrecursionlimit()
        self._folder = os.getcwd()  # noqa: PTH109
        self._logging = _logging_state()

    def restore(self) -> Iterator[str]:
        """Put back what changed, naming it."""
        if signal.getitimer(signal.ITIMER_REAL) != (0.0, 0.0):
            signal.setitimer(signal.ITIMER_REAL, 0)
            yield "a running timer"
        if sys.gettrace() is not self._trace or sys.getprofile() is not self._profile:
            sys.settrace(self._trace)
            sys.setprofile(self._profile)
            yield "the trace function"
        if sys.getrecursionlimit() != self._limit:
            sys.setrecursionlimit(self._limit)
            yield "the recursion limit"
        nameless = [key for key in sys.modules if type(key) is not str]
        for key in nameless:
            del sys.modules[key]
        if nameless:
            yield "loaded modules without a name"  # pytest cannot end a session with them
        if _logging_state() != self._logging:
            yield from _restore_logging(self._logging)
        if _folder() != self._folder:
            os.chdir(self._folder)
            yield "the current folder"


def _logging_state() -> tuple[int, bool, int] | None:
    """Which records the root logger drops, also for tests of others; None: nobody logs."""
    root = getattr(sys.modules.get("logging"), "root", None)
    return None if root is None else (root.level, root.disabled, root.manager.disable)


def _restore_logging(before: tuple[int, bool, int] | None) -> Iterator[str]:
    """Let the root logger drop what it dropped before, if it was loaded then."""
    root = sys.modules["logging"].root
    if before is not None:
        root.setLevel(before[0])  # clears what loggers remember of it
        root.disabled, root.manager.disable = before[1:]
        yield "the level of the root logger"


def _folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:  # it was removed
        return ""


def _restore(parts: list[tuple[str, Snapshot]], scalars: _Scalars) -> str:
    found = []
    for name, snapshot in parts:
        if not snapshot.is_clean():
            snapshot.restore()
            found.append(name)
    return ", ".join([*found, *scalars.restore()])
