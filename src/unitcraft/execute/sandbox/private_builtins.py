"""The first code of a host: gives unitcraft's own modules a private copy of the builtins.

Invariant: every module of unitcraft loaded after ``protect`` looks its builtins up in a
private copy, so a Subject that replaces ``builtins.len`` breaks itself only.
"""

from __future__ import annotations

import builtins
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

#: The builtins as they were before the Subject's import.
PRIVATE = dict(vars(builtins))

#: Modules (with all below them) that get the private builtins.
COVERED_PACKAGES = {"unitcraft"}


class PrivateLoader(SourceFileLoader):
    """Loads a module whose functions use the private builtins."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        module.__dict__["__builtins__"] = PRIVATE
        super().exec_module(module)


class PrivateFinder:
    """Finds modules of unitcraft for the PrivateLoader, wherever they are installed."""

    @staticmethod
    def find_spec(
        name: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module of unitcraft; None for every other."""
        if name.partition(".")[0] not in COVERED_PACKAGES:
            return None
        spec = PathFinder.find_spec(name, path, target)  # type: ignore[arg-type]
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = PrivateLoader(spec.loader.name, spec.loader.path)
        return spec


def protect() -> None:
    """Load unitcraft's modules with private builtins from now on."""
    sys.meta_path.insert(0, PrivateFinder())
