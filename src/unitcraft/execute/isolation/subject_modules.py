"""Names of the Subject's modules.

Invariant: whether a name belongs to the Subject costs a look-up for each of its parts, however
many modules the Subject has.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any


class ModuleNames:
    """Modules by name, with all below them."""

    __slots__ = ("_names",)

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)

    def __contains__(self, name: Any) -> bool:
        if type(name) is not str:
            return False
        while name and name not in self._names:
            name = name.rpartition(".")[0]
        return bool(name)


def loaded_modules(names: Iterable[str]) -> list[ModuleType]:
    """The loaded modules named by ``names`` or below them, by name."""
    wanted = ModuleNames(names)
    return [
        module
        for name, module in sorted(sys.modules.items())
        if issubclass(type(module), ModuleType) and name in wanted
    ]


def top_name(module: str) -> str:
    """The package at the top of ``module``, or the module itself."""
    return module.partition(".")[0]


def dependencies(paths: Iterable[str], focus: Iterable[str]) -> frozenset[str]:
    """Packages and modules at the top of ``paths`` that another distribution installed there.

    Another one than those that hold a module of ``focus``: without one nothing is a dependency.
    """
    wanted = {top_name(name) for name in focus}
    found: set[str] = set()
    own: set[str] = set(wanted)
    for path in paths if wanted else ():
        for metadata in sorted(Path(path).glob("*.dist-info")):
            names = _installed_names(metadata)
            (found if wanted.isdisjoint(names) else own).update(names)
    return frozenset(found - own)


def _installed_names(metadata: Path) -> frozenset[str]:
    """What a distribution put at the top of the folder that has its ``metadata``.

    It is read from the RECORD of the binary distribution format; what cannot be read is empty.
    """
    try:
        lines = (metadata / "RECORD").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return frozenset()
    tops = {line.partition(",")[0].partition("/")[0] for line in lines}
    return frozenset(top_name(top) for top in tops if top != metadata.name) - {""}
