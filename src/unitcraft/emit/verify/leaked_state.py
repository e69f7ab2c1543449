"""Detects what a test leaves changed in the interpreter for later tests, and puts it back.

Invariant: the comparison runs no code of the Subject and uses unitcraft's private builtins, so
that a test which patches ``len`` or empties ``sys.modules`` is found and later tests still run.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any, Final

from unitcraft.execute.isolation.holder_snapshot import Snapshot
from unitcraft.execute.isolation.holders import (
    LiveView,
    SequenceHolder,
    namespace,
    patch_holder,
)
from unitcraft.execute.isolation.process_holders import slow_holders

#: Names for the parts that ``slow_holders`` compares, in its order.
_SHARED_NAMES: Final = (
    "the builtins",
    "streams or hooks of sys",
    "the loaded modules",
    "signal handlers",
)

#: What is changed where the root logger drops other records than before.
ROOT_LEVEL: Final = "the level of the root logger"
_HOOKS: Final = "import hooks"
_PATCHED: Final = "functions of the standard library"
_METHODS: Final = "methods of the project's classes"


class LeakDetector:
    """Calls test functions and reports what each leaves changed.

    ``roots`` are the folders of the Subject: its own modules may change, but no class may have
    other methods afterwards, as one has that a decorator was given.  The snapshots of one call
    serve the next one where they still hold: comparing takes a twentieth of taking them.
    """

    def __init__(self, roots: Iterable[str]) -> None:
        self._roots = tuple([os.path.realpath(root) + os.sep for root in roots])
        self._parts: list[tuple[str, Snapshot]] = []
        self._modules: list[str] = []
        #: File -> is it below the roots?  Asked of all loaded modules for each snapshot.
        self._below: dict[str, bool] = {}

    def call(self, function: Callable[..., object], arguments: Mapping[str, Any]) -> str:
        """Call ``function`` and put everything back; names what it had changed, '' if nothing.

        An exception of the function goes on to the caller only when nothing was changed.
        """
        if not self._is_current():
            self._parts, self._modules = self._take_snapshots(), list(sys.modules)
        scalars = _Scalars()
        logged = arguments.get("caplog")
        try:
            function(**arguments)
        except BaseException:
            found = _restore(self._parts, scalars, logged)
            if found:
                return found
            raise
        return _restore(self._parts, scalars, logged)

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
        shared.append((_PATCHED, Snapshot(map(patch_holder, self._library()))))
        return [*shared, (_METHODS, Snapshot([_MethodHolder(self._classes())]))]

    def _classes(self) -> Iterator[type[Any]]:
        """The classes that modules below the roots have under a name."""
        for _, module in sorted(sys.modules.items()):
            if type(module) is ModuleType and self._is_own(module):
                held = module.__dict__.values()
                yield from [one for one in held if issubclass(type(one), type)]

    def _is_own(self, module: ModuleType) -> bool:
        file = module.__dict__.get("__file__")
        return type(file) is str and self._is_below_roots(file)

    def _is_below_roots(self, file: str) -> bool:
        known = self._below.get(file)
        if known is None:
            known = self._below[file] = os.path.realpath(file).startswith(self._roots)
        return known

    def _library(self) -> Iterator[ModuleType]:
        """The loaded modules of the standard library."""
        for name, module in sorted(sys.modules.items()):
            is_library = name.partition(".")[0] in sys.stdlib_module_names
            if type(module) is ModuleType and is_library:
                if self._is_below_roots(module.__dict__.get("__file__") or ""):
                    continue
                yield module


class _MethodHolder:
    """The functions that classes have as attributes."""

    def __init__(self, classes: Iterable[type[Any]]) -> None:
        self._functions = [
            (cls, name, value)
            for cls in dict.fromkeys(classes)
            for name, value in namespace(cls).items()
            if type(value) is FunctionType
        ]

    def views(self) -> tuple[Iterable[Any], ...]:
        """A live iterable over what the classes have under these names."""
        return (LiveView(lambda: (namespace(cls).get(name) for cls, name, _ in self._functions)),)

    def restore(self) -> bool:
        """Put the functions back."""
        for cls, name, value in self._functions:
            if namespace(cls).get(name) is not value:
                type.__setattr__(cls, name, value)
        return True


class _Scalars:
    """Single settings of the process as they were."""

    def __init__(self) -> None:
        self._trace = sys.gettrace()
        self._profile = sys.getprofile()
        self._limit = sys.getrecursionlimit()
        self._folder = os.getcwd()  # noqa: PTH109
        self._logging = _logging_state()

    def differs_by_level(self) -> bool:
        """Is the level all that the root logger has otherwise than before?"""
        now = _logging_state()
        return self._logging is not None and now is not None and self._logging[1:] == now[1:]

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
        yield ROOT_LEVEL


def _folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:  # it was removed
        return ""


def _restore(parts: list[tuple[str, Snapshot]], scalars: _Scalars, logged: Any) -> str:
    """Put everything back and name it; ``logged`` is the ``caplog`` of the test, or None."""
    found = []
    for name, snapshot in parts:
        if not snapshot.is_clean():
            snapshot.restore()
            found.append(name)
    levels = getattr(logged, "_initial_logger_levels", ())  # those that pytest puts back
    is_put_back = None in levels and scalars.differs_by_level()
    found += [one for one in scalars.restore() if one != ROOT_LEVEL or not is_put_back]
    return ", ".join(found)
