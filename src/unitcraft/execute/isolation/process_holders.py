"""Holders of process-wide state: environment, builtins, modules, signal handlers.

Invariant: each is restored by the interpreter's own interface for it (``putenv`` for the
environment, ``signal.signal`` for handlers), so that C code sees the old state too.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # of CPython, as ``signal`` itself uses it
import builtins
import os
import signal
import sys
import warnings
from collections.abc import Iterable
from typing import Any

from unitcraft.execute.isolation.holders import (
    Holder,
    LiveView,
    MappingHolder,
    NamesHolder,
    SequenceHolder,
)
from unitcraft.execute.isolation.subject_modules import ModuleNames

#: Attributes of ``sys`` that a Subject may replace.
SYS_NAMES = [
    "displayhook",
    "excepthook",
    "unraisablehook",
    "breakpointhook",
    "stdout",
    "stderr",
    "stdin",
    "__stdout__",
    "__stderr__",
    "__stdin__",
    "path",
    "meta_path",
    "path_hooks",
    "path_importer_cache",
    "modules",
    "argv",
    "dont_write_bytecode",
    "exit",
    "getrecursionlimit",
    "setrecursionlimit",
    "intern",
    "maxsize",
]


class EnvironmentHolder:
    """The environment, kept in step with the C library's."""

    def __init__(self) -> None:
        self._data: dict[Any, Any] = os.environ._data  # type: ignore[attr-defined]  # noqa: SLF001
        self._items = dict(self._data)

    def views(self) -> tuple[Iterable[Any], ...]:
        """Keys and values as bytes."""
        return (self._data.keys(), self._data.values())

    def restore(self) -> bool:
        """Set and unset what changed."""
        for name in [name for name in self._data if name not in self._items]:
            os.unsetenv(name)
        for name, value in self._items.items():
            if self._data.get(name) is not value:
                os.putenv(name, value)
        self._data.clear()
        self._data.update(self._items)
        return True


class WarningsHolder(SequenceHolder):
    """The warning filters, with the version number that caches of warnings look at."""

    def __init__(self) -> None:
        super().__init__(warnings.filters, list, "extend")

    def restore(self) -> bool:
        """Refill, then invalidate the caches."""
        done = super().restore()
        warnings._filters_mutated()  # type: ignore[attr-defined]  # noqa: SLF001
        return done


class ModulesHolder:
    """``sys.modules``: no known module is removed or replaced, none of the Subject's is added."""

    def __init__(self, subject: Iterable[str]) -> None:
        self._loaded = sys.modules
        self._subject = ModuleNames(subject)
        self._items = dict(sys.modules)

    def _added(self) -> list[str]:
        if self._loaded.keys() <= self._items.keys():
            return []
        return [name for name in self._loaded if name not in self._items and name in self._subject]

    def views(self) -> tuple[Iterable[Any], ...]:
        """The known modules, and the names of new modules of the Subject."""
        return (
            LiveView(lambda: map(self._loaded.get, self._items)),
            LiveView(lambda: iter(self._added())),
        )

    def restore(self) -> bool:
        """Put known modules back and forget new ones of the Subject."""
        for name in self._added():
            del self._loaded[name]
        self._loaded.update(self._items)
        return True


class HandlersHolder:
    """The signal handlers, as C code has them: ``signal`` asks an enumeration for each."""

    def __init__(self) -> None:
        self._numbers = sorted(signal.valid_signals())
        self._handlers = list(map(_signal.getsignal, self._numbers))

    def views(self) -> tuple[Iterable[Any], ...]:
        """The handlers, by number."""
        return (LiveView(lambda: map(_signal.getsignal, self._numbers)),)

    def restore(self) -> bool:
        """Install the old ones."""
        for number, handler in zip(self._numbers, self._handlers, strict=True):
            if handler is not None and _signal.getsignal(number) is not handler:
                signal.signal(number, handler)
        return True


def environment_holders() -> list[Holder]:
    """Holders that are compared after each item."""
    return [EnvironmentHolder(), SequenceHolder(sys.path, list, "extend"), WarningsHolder()]


def slow_holders(subject: Iterable[str]) -> list[Holder]:
    """Holders that are compared after each batch; ``subject`` names the Subject's modules."""
    shared_builtins, *shared = shared_holders(subject)
    return [shared_builtins, names_of_sys(), *shared]


def shared_holders(subject: Iterable[str]) -> list[Holder]:
    """Those of what a worker finds as its host left it: builtins, modules, signal handlers."""
    return [MappingHolder(builtins.__dict__), ModulesHolder(subject), HandlersHolder()]


def names_of_sys() -> Holder:
    """The one of what each worker sets: streams and hooks of ``sys``."""
    return NamesHolder(sys.__dict__, SYS_NAMES)
