"""Which lines of the subjects ran while a suite was collected, and in which of its modules.

Invariant: a line is told to have run for one test module only when nothing but that module was
imported meanwhile; a line that ran at any other time has run for all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from typing import Any

import pytest

from unitcraft.suite.mutation.code_digest import own_modules
from unitcraft.suite.mutation.session.line_probes import Line, Probes


class Collected:
    """A pytest plugin that asks the probes at each step of collection."""

    def __init__(self, probes: Probes) -> None:
        self._probes = probes
        self._before: frozenset[Line] = frozenset()
        self._anywhere: set[Line] = set()
        self._modules: dict[Line, set[str]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """What ran up to now, ran before tests were collected."""
        self._before = frozenset(self._probes.take()[0])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, Any, Any]:
        """Tell apart what runs in one module of tests."""
        self._anywhere.update(self._probes.take()[0])
        module: Any = collector.getparent(pytest.Module)
        loaded = set(sys.modules)
        report: Any = yield
        lines = self._probes.take()[0]
        if lines and module is not None and _is_only_new(module, loaded):
            for line in lines:
                self._modules.setdefault(line, set()).add(str(module.path))
        else:
            self._anywhere.update(lines)
        return report

    def finish(self) -> None:
        """The suite is collected."""
        self._anywhere.update(self._probes.take()[0])
        self._before |= self._probes.importing

    def ran(self, lines: Iterable[Line]) -> bool:
        """Did one of the lines run?"""
        return any(
            line in self._before or line in self._anywhere or line in self._modules
            for line in lines
        )

    def ran_before(self, lines: Iterable[Line]) -> bool:
        """Did one of the lines run before tests were collected, or when a subject was imported?"""
        return not self._before.isdisjoint(lines)

    def spares(self, lines: Iterable[Line], item: pytest.Item) -> bool:
        """Is the item as it would be if the lines did something else while it was collected?"""
        wanted = frozenset(lines)
        if not (wanted.isdisjoint(self._before) and wanted.isdisjoint(self._anywhere)):
            return False
        return all(str(item.path) not in self._modules.get(line, ()) for line in wanted)


def _is_only_new(module: Any, loaded: set[str]) -> bool:
    """Has no other module of the project been imported?"""
    if len(sys.modules) == len(loaded):
        return True
    own = getattr(module, "obj", None)
    return all(one is own or one.__name__ in loaded for one in own_modules())
