"""Names of the Subject's modules.

Invariant: whether a name belongs to the Subject costs a look-up for each of its parts, however
many modules the Subject has.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
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
