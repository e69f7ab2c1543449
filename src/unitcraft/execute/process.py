"""What a process shares between items besides the Subject's heap.

Invariant: each part is put back by the interpreter's own interface for it (``putenv`` for the
environment, ``signal.signal`` for handlers), so that C code sees the old state too.

Per item: streams, trace functions, recursion limit, interval timer, random numbers and the
decimal context (where the Subject uses them), current folder, scratch files, threads.
Per batch: builtins, ``sys``, ``sys.modules``, signal handlers.
"""

from __future__ import annotations

import _thread
import builtins
import os
import random
import shutil
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from unitcraft.execute.audit import Journal
from unitcraft.execute.heap import Holder, MappingHolder, SequenceHolder
from unitcraft.execute.sinks import Streams

#: How long (seconds) a thread that has just been joined may take to disappear.
THREAD_GRACE = 0.05

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


class NamesHolder:
    """Some attributes of a module."""

    def __init__(self, namespace: dict[str, Any], names: Iterable[str]) -> None:
        self._namespace = namespace
        self._items = {name: namespace[name] for name in names if name in namespace}

    def views(self) -> tuple[Iterable[Any], ...]:
        """The values now."""
        return (_Values(self._namespace, self._items),)

    def restore(self) -> bool:
        """Assign what was there."""
        self._namespace.update(self._items)
        return True


class _Values:
    def __init__(self, namespace: dict[str, Any], names: Iterable[str]) -> None:
        self._get = namespace.get
        self._names = names

    def __iter__(self) -> Any:
        return map(self._get, self._names)


class ModulesHolder:
    """``sys.modules``: no known module is removed or replaced, none of the Subject's is added."""

    def __init__(self, prefixes: tuple[str, ...]) -> None:
        self._loaded = sys.modules
        self._prefixes = prefixes
        self._items = dict(sys.modules)

    def _added(self) -> list[str]:
        return [
            name
            for name in self._loaded
            if name not in self._items
            and any(name == prefix or name.startswith(prefix + ".") for prefix in self._prefixes)
        ]

    def views(self) -> tuple[Iterable[Any], ...]:
        """The known modules, and the names of new modules of the Subject."""
        return (_Values(self._loaded, self._items), _Late(self._added))

    def restore(self) -> bool:
        """Put known modules back and forget new ones of the Subject."""
        for name in self._added():
            del self._loaded[name]
        self._loaded.update(self._items)
        return True


class _Late:
    def __init__(self, make: Callable[[], list[str]]) -> None:
        self._make = make

    def __iter__(self) -> Any:
        return iter(self._make())


class HandlersHolder:
    """The signal handlers."""

    def __init__(self) -> None:
        self._numbers = sorted(signal.valid_signals())
        self._handlers = list(map(signal.getsignal, self._numbers))

    def views(self) -> tuple[Iterable[Any], ...]:
        """The handlers, by number."""
        return (_Late(lambda: list(map(signal.getsignal, self._numbers))),)  # type: ignore[arg-type]

    def restore(self) -> bool:
        """Install the old ones."""
        for number, handler in zip(self._numbers, self._handlers, strict=True):
            if handler is not None and signal.getsignal(number) is not handler:
                signal.signal(number, handler)
        return True


def environment_holders() -> list[Holder]:
    """What is compared after each item."""
    return [EnvironmentHolder(), SequenceHolder(sys.path, list, "extend"), WarningsHolder()]


def slow_holders(prefixes: tuple[str, ...]) -> list[Holder]:
    """What is compared after each batch."""
    return [
        MappingHolder(builtins.__dict__),
        NamesHolder(sys.__dict__, SYS_NAMES),
        ModulesHolder(prefixes),
        HandlersHolder(),
    ]


class Process:
    """Process-wide state of one worker.

    Abstract state: what ``save`` found.  ``left_thread`` tells where the last item started a
    thread that outlived it ('' = none did).
    """

    def __init__(self, journal: Journal, streams: Streams, folder: str, writable: str) -> None:
        self._journal = journal
        self._streams = streams
        self._folder = folder
        self._writable = writable
        self.left_thread = ""

    def save(self, used: Iterable[str]) -> None:
        """Remember the state now; ``used`` names the modules that the Subject refers to."""
        names = frozenset(used)
        self._threads = _thread._count()  # noqa: SLF001 - no public cheap count
        self._limit = sys.getrecursionlimit()
        self._trace = sys.gettrace()
        self._profile = sys.getprofile()
        self._restorers: list[Callable[[], Any]] = []
        if "random" in names:
            self._restorers.append(_random_restorer())
        if "decimal" in names and "decimal" in sys.modules:
            self._restorers.append(_decimal_restorer())

    def after_item(self) -> bool:
        """Put everything back; False if the worker cannot be used again."""
        if sys.gettrace() is not self._trace:
            sys.settrace(self._trace)
        if sys.getprofile() is not self._profile:
            sys.setprofile(self._profile)
        if sys.getrecursionlimit() != self._limit:
            sys.setrecursionlimit(self._limit)
        if signal.getitimer(signal.ITIMER_REAL) != NO_TIMER:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for restore in self._restorers:
            restore()
        if _thread._count() > self._threads and self._has_threads():  # noqa: SLF001
            self.left_thread = self._journal.noted.get("thread") or "?"
        if self._journal.noted:
            self._after_effects(self._journal.noted)
        return self._streams.reset() and not self.left_thread

    def _after_effects(self, noted: dict[str, str]) -> None:
        if "cwd" in noted:
            os.chdir(self._folder)
        if "files" in noted:
            empty_folder(self._writable)
        noted.clear()

    def _has_threads(self) -> bool:
        """Does a thread of the last item still run, after a short grace?"""
        deadline = time.monotonic() + THREAD_GRACE
        while _thread._count() > self._threads:  # noqa: SLF001
            if time.monotonic() > deadline:
                return True
            time.sleep(0.0005)
        return False


NO_TIMER = (0.0, 0.0)


def _random_restorer() -> Callable[[], None]:
    state = random.getstate()
    restore = random.setstate
    return lambda: restore(state)


def _decimal_restorer() -> Callable[[], None]:
    import decimal  # noqa: PLC0415 - only where the Subject has loaded it

    context = decimal.getcontext().copy()
    install = decimal.setcontext
    return lambda: install(context.copy())


def empty_folder(path: str) -> None:
    """Remove everything in ``path``, as far as possible."""
    for entry in Path(path).iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)
