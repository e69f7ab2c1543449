"""The state that all steps of describing a Subject share.

Invariant: one context serves one Subject, inside one worker; only its caches and the list of
classes asked for (``homes.asked``) change.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any

from unitcraft.subject import static_lookup
from unitcraft.subject.annotations import AnnotationReader
from unitcraft.subject.import_paths import ImportPaths
from unitcraft.subject.source_files import SourceFiles, guarded_imports


@dataclass(slots=True)
class DescriptionContext:
    """The Subject's module: its namespace, source and caches (mutable: the caches)."""

    module: str
    file: str
    names: dict[str, Any]
    homes: ImportPaths
    sources: SourceFiles
    _files: dict[str, str] = field(default_factory=dict)
    _guarded: dict[str, dict[str, tuple[str, str]]] = field(default_factory=dict)

    @property
    def package(self) -> str:
        """The top-level package."""
        return static_lookup.top_package(self.module)

    def module_of(self, code: CodeType) -> str:
        """The module of the package whose file ``code`` was compiled from, or ''."""
        if not self._files:
            for name, module in tuple(sys.modules.items()):
                if type(name) is str and static_lookup.top_package(name) == self.package:
                    file = static_lookup.module_dict(module).get("__file__")
                    if type(file) is str:
                        self._files.setdefault(file, name)
            self._files[self.file] = self.module
        return self._files.get(code.co_filename, "")

    def file_of(self, module: str) -> str:
        """The source file of a loaded module ('' if it has none)."""
        file = static_lookup.module_dict(sys.modules.get(module)).get("__file__")
        return file if type(file) is str else ""

    def hints(
        self, module: str, own: str = "", inner: Mapping[str, Any] | None = None
    ) -> AnnotationReader:
        """A reader of the annotations of ``module``; ``inner`` is the namespace of their class.

        ``own`` is the id of the class that ``Self`` means.
        """
        names = self.names
        if module != self.module:
            names = static_lookup.module_dict(sys.modules.get(module))
        scopes = (names,) if inner is None else (inner, names)
        return AnnotationReader(self.homes, scopes, own, self._guarded_of(module, names))

    def _guarded_of(self, module: str, names: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        if module not in self._guarded:
            file = names.get("__file__")
            tree = self.sources.tree(file if type(file) is str else "")
            package = type(file) is str and file.endswith("__init__.py")
            self._guarded[module] = guarded_imports(tree, module, package=package)
        return self._guarded[module]

    def span(self, function: FunctionType | None) -> tuple[str, int, int]:
        """(module, first line, last line) of a function's code; ('', 0, 0) outside the package."""
        if function is None:
            return "", 0, 0
        code = function.__code__
        module = self.module_of(code)
        if not module:
            return "", 0, 0
        node = self.sources.function(code)
        last = (node.end_lineno if node is not None else None) or _last_line(code)
        return module, code.co_firstlineno, last


def context_of(module: ModuleType) -> DescriptionContext:
    """What describing a loaded module begins with."""
    names = static_lookup.module_dict(module)
    name, file = names.get("__name__"), names.get("__file__")
    name = name if type(name) is str else ""
    return DescriptionContext(
        name, file if type(file) is str else "", names, ImportPaths(name, names), SourceFiles()
    )


def _last_line(code: CodeType) -> int:
    """The greatest line of the code and of all code nested in it."""
    own = max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno)
    inner = [_last_line(part) for part in code.co_consts if isinstance(part, CodeType)]
    return max([own, *inner])
