"""Snapshot and restoration of the state that tests on several mutants share in one process.

Invariant: after ``restore`` has returned True, the contents of the project's modules, the values of
parametrized tests, and the process settings that tests commonly change are as they were when the
snapshot was made.  State that is not followed (of installed packages, of C objects) is the reason
why verdicts of a shared process are confirmed.
"""

from __future__ import annotations

import _thread
import logging
import os
import random
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any, Final

import pytest

from unitcraft.execute.isolation.heap_snapshot import HeapWalk
from unitcraft.execute.isolation.holder_snapshot import Snapshot
from unitcraft.execute.isolation.holders import Holder, MappingHolder, SequenceHolder
from unitcraft.execute.isolation.process_holders import (
    HandlersHolder,
    environment_holders,
    slow_holders,
)
from unitcraft.execute.isolation.subject_modules import (
    ModuleNames,
    dependencies,
    loaded_modules,
)
from unitcraft.suite.mutation.code_digest import own_modules


class SharedState:
    """Abstract state: the contents of modules, tests and process when it was made."""

    def __init__(self, items: Iterable[pytest.Item], modules: Sequence[ModuleType]) -> None:
        names = tuple(module.__name__ for module in modules)
        walk = HeapWalk([*modules, *_parameter_values(items)], names)
        shared = [*environment_holders(), *slow_holders(names)]
        holders = [
            *walk.fast,
            *(holder for _, holder in walk.slow),
            *(one for one in shared if not isinstance(one, HandlersHolder)),
        ]
        self._snapshot = Snapshot([*holders, *_logging_holders()])
        self._process = [make() for make in PROCESS_SAVERS]
        self._threads = _thread._count()  # noqa: SLF001 - no public cheap count

    def restore(self) -> bool:
        """Restore everything; False when something could not be restored."""
        for put_back in self._process:
            put_back()
        return self._snapshot.restore() and _thread._count() <= self._threads  # noqa: SLF001


def project_modules(subjects: Sequence[str]) -> list[ModuleType]:
    """The loaded modules whose state is followed: of the project, not of what it depends on."""
    tops = tuple(dict.fromkeys(name.partition(".")[0] for name in subjects))
    lent = ModuleNames(dependencies(sys.path, subjects))
    own = [one for one in own_modules() if one.__name__ not in lent]
    return list(dict.fromkeys([*own, *loaded_modules(tops)]))


def _parameter_values(items: Iterable[pytest.Item]) -> list[Any]:
    """The values that tests are parametrized with."""
    specs = [getattr(item, "callspec", None) for item in items]
    return [value for spec in specs if spec is not None for value in spec.params.values()]


def _logging_holders() -> Iterator[Holder]:
    """Levels and handlers of all loggers."""
    known = logging.root.manager.loggerDict.values()
    for logger in [logging.root, *(one for one in known if isinstance(one, logging.Logger))]:
        yield MappingHolder(logger.__dict__)
        yield SequenceHolder(logger.handlers, list, "extend")


# Process settings: each function saves one now and returns a function that restores it.


def _save_folder() -> Callable[[], None]:
    before = os.getcwd()  # noqa: PTH109 - compared often

    def put_back() -> None:
        try:
            if os.getcwd() == before:  # noqa: PTH109
                return
        except OSError:
            pass
        os.chdir(before)

    return put_back


def _save_random() -> Callable[[], None]:
    before = random.getstate()
    return lambda: random.setstate(before)


def _save_decimal() -> Callable[[], None]:
    decimal: ModuleType | None = sys.modules.get("decimal")
    if decimal is None:
        return lambda: None
    before = decimal.getcontext().copy()
    return lambda: decimal.setcontext(before.copy())


def _save_interpreter() -> Callable[[], None]:
    limit, trace, profile = sys.getrecursionlimit(), sys.gettrace(), sys.getprofile()

    def put_back() -> None:
        if sys.getrecursionlimit() != limit:
            sys.setrecursionlimit(limit)
        if sys.gettrace() is not trace:
            sys.settrace(trace)
        if sys.getprofile() is not profile:
            sys.setprofile(profile)

    return put_back


def _save_signals() -> Callable[[], None]:
    numbers = sorted(signal.valid_signals())
    ask: Callable[[int], Any] = vars(signal)["_signal"].getsignal  # makes no enumeration members
    before = list(map(ask, numbers))

    def put_back() -> None:
        now = list(map(ask, numbers))
        if now != before:
            for number, handler, current in zip(numbers, before, now, strict=True):
                if handler is not None and handler != current:
                    signal.signal(number, handler)

    return put_back


PROCESS_SAVERS: Final = (
    _save_folder,
    _save_random,
    _save_decimal,
    _save_interpreter,
    _save_signals,
)
