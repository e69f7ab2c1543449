"""Line coverage of the subjects' functions, by calls inserted before their statements.

Invariant: probed code behaves as the original does, under the same names and lines, and each of its
code objects corresponds to one of the original; after ``swap_out`` the original code runs again.
"""

from __future__ import annotations

import builtins
import itertools
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from unitcraft.suite.mutation.mutants.code_objects import (
    ENTRY,
    HIT,
    STRIDE,
    inner_codes,
    with_line_marks,
)
from unitcraft.suite.mutation.mutants.code_swap import exchange_codes
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource

#: A line of a file.
Line = tuple[str, int]


class LineProbes:
    """The lines that ran and the number of function entries since the last ``take`` (mutable).

    ``importing``: lines that ran while a subject was imported.
    """

    def __init__(self, sources: Sequence[ModuleSource]) -> None:
        self._files = [source.file for source in sources]
        self._hits: set[int] = set()
        self._entries = itertools.count()
        self._taken = 0
        self._codes: dict[str, CodeType] = {}
        self._originals: dict[CodeType, CodeType] = {}
        for source in sources:
            code = source.compiled()
            probed = compile(with_line_marks(source.tree, source.number), source.file, "exec",
                             dont_inherit=True)  # fmt: skip
            pairs = zip(inner_codes(probed), inner_codes(code), strict=True)
            self._originals.update(pairs)
            self._codes[source.module] = probed
        self._finder = CodeFinder(self._codes, self._counted_apart)
        self.importing: frozenset[Line] = frozenset()
        setattr(builtins, HIT, self._hits.add)
        setattr(builtins, ENTRY, self._entries.__next__)

    def _counted_apart(self, execute: Callable[[], None]) -> None:
        """Import a subject by ``execute``; add the lines that run meanwhile to ``importing``."""
        before = set(self._hits)
        self._hits.clear()
        try:
            execute()
        finally:
            self.importing |= frozenset(map(self._line, self._hits))
            self._hits.update(before)

    def _line(self, hit: int) -> Line:
        return self._files[hit // STRIDE], hit % STRIDE

    def start(self) -> list[str]:
        """Probe modules when they are imported; the names of those already imported."""
        sys.meta_path.insert(0, self._finder)
        return [name for name in self._codes if name in sys.modules]

    @property
    def imported(self) -> frozenset[str]:
        """The modules that something looked for, to import them, since ``start``."""
        return frozenset(self._finder.found)

    def swap_in(self, lives: list[FunctionType]) -> None:
        """Probe functions whose modules were imported without probes."""
        exchange_codes(lives, {original: code for code, original in self._originals.items()})

    def swap_out(self, lives: list[FunctionType]) -> None:
        """Give functions their original code, and stop probing imports."""
        exchange_codes(lives, self._originals)
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)

    def forget(self) -> None:
        """Discard the lines and entries up to now."""
        self.take()

    def take(self) -> tuple[list[Line], int]:
        """The lines that ran and the number of function entries since the last ``take``."""
        lines = [self._line(hit) for hit in sorted(self._hits)]
        self._hits.clear()
        before, self._taken = self._taken, next(self._entries)
        return lines, self._taken - before - 1


class CodeFinder(MetaPathFinder):
    """An import finder that gives modules, by name, the code in ``codes``.

    The other finders locate the module; ``around`` is called with a function that executes it.
    ``found`` has the names that were asked for (mutable).
    """

    def __init__(
        self,
        codes: dict[str, CodeType],
        around: Callable[[Callable[[], None]], None] = lambda execute: execute(),
    ) -> None:
        self._codes = codes
        self._around = around
        self.found: set[str] = set()

    def find_spec(
        self, fullname: str, path: Any = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module in ``codes``; None for every other module."""
        if fullname not in self._codes:
            return None
        self.found.add(fullname)
        others = [one for one in sys.meta_path if not isinstance(one, CodeFinder)]
        finds: list[Any] = [getattr(one, "find_spec", None) for one in others]
        found = (find(fullname, path, target) for find in finds if find is not None)
        spec = next((one for one in found if one is not None), None)
        if spec is not None and spec.origin is not None:
            spec.loader = Loader(fullname, spec.origin, self._codes, self._around)
        return spec


class FoundFirst:
    """A pytest plugin: CodeFinders are asked before the finder that pytest adds when it starts.

    That one rewrites assertions in whatever ``python_files`` matches: with ``*.py``, in subjects.
    """

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self) -> None:
        """The finder of pytest is in place, and nothing of the project is imported."""
        sys.meta_path.sort(key=lambda one: not isinstance(one, CodeFinder))


class Loader(SourceFileLoader):
    """Loads a module whose code is given, by name, when it is executed."""

    def __init__(
        self,
        name: str,
        path: str,
        codes: dict[str, CodeType],
        around: Callable[[Callable[[], None]], None],
    ) -> None:
        super().__init__(name, path)
        self._codes = codes
        self._around = around

    def exec_module(self, module: ModuleType) -> None:
        """Execute the given code in the module."""
        self._around(lambda: super(Loader, self).exec_module(module))

    def get_code(self, fullname: str) -> CodeType:
        """The given code."""
        return self._codes[fullname]
