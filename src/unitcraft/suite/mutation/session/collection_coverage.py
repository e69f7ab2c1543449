"""Line coverage of the subjects during collection, by test module.

Invariant: a line is attributed to one test module only if that module was the only one imported
while the line ran; every other line that ran during collection is attributed to all test modules.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from typing import Any

import pytest

from unitcraft.suite.mutation.code_digest import own_modules
from unitcraft.suite.mutation.session.line_probes import Line, LineProbes


class CollectionCoverage:
    """A pytest plugin that reads the line probes at each step of collection (mutable)."""

    def __init__(self, probes: LineProbes) -> None:
        self._probes = probes
        self._before: frozenset[Line] = frozenset()
        self._anywhere: set[Line] = set()
        self._modules: dict[Line, set[str]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Record the lines that ran before collection."""
        self._before = frozenset(self._probes.take()[0])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, Any, Any]:
        """Record the lines that run while one collector works."""
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
        """End of collection: record the remaining lines."""
        self._anywhere.update(self._probes.take()[0])
        self._before |= self._probes.importing

    def ran(self, lines: Iterable[Line]) -> bool:
        """Did one of the lines run up to the end of collection?"""
        return any(
            line in self._before or line in self._anywhere or line in self._modules
            for line in lines
        )

    def ran_before(self, lines: Iterable[Line]) -> bool:
        """Did one of the lines run before collection, or while a subject was imported?"""
        return not self._before.isdisjoint(lines)

    def is_independent(self, lines: Iterable[Line], item: pytest.Item) -> bool:
        """Does the collection of this item run none of the lines?"""
        wanted = frozenset(lines)
        if not (wanted.isdisjoint(self._before) and wanted.isdisjoint(self._anywhere)):
            return False
        return all(str(item.path) not in self._modules.get(line, ()) for line in wanted)


def _is_only_new(module: Any, loaded: set[str]) -> bool:
    """Is ``module`` the only module of the project that is not in ``loaded``?"""
    if len(sys.modules) == len(loaded):
        return True
    own = getattr(module, "obj", None)
    return all(one is own or one.__name__ in loaded for one in own_modules())
