"""Ids of classes and functions: the ``module:qualname`` by which a test imports them.

Invariant: importing an id's module and following its qualname gives the identical object.
"""

from __future__ import annotations

import sys
import types
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType
from typing import Any, Final

from unitcraft.core.sequences import Symbol
from unitcraft.subject import static_lookup

#: Identity of a class of the interpreter -> its name in ``types``: its own, ``module``, leads to
#: nothing.  Those of which values, or other types for them, are known.
NAMES_IN_TYPES: Final = {
    id(getattr(types, name)): name
    for name in ("ModuleType", "MappingProxyType", "BuiltinFunctionType", "FunctionType",
                 "MethodType")
}  # fmt: skip


@dataclass(slots=True)
class ImportPaths:
    """Finds ids, seen from the Subject's module (mutable: a cache, and the list ``asked``).

    ``names`` is the namespace of the Subject's module.  ``asked`` are the classes of the
    Subject's package whose id was asked for, in order, ``asked_of_others`` those of other packages
    that are no part of Python.
    """

    module: str
    names: dict[str, Any]
    asked: list[type] = field(default_factory=list)
    asked_of_others: list[type] = field(default_factory=list)
    _known: dict[int, tuple[object, str]] = field(default_factory=dict)

    def of_class(self, cls: type) -> str:
        """The id of a class, or '' if it cannot be imported; the class is noted."""
        found = self.id_of(cls)
        package = static_lookup.top_package(found.partition(":")[0])
        is_own = package == static_lookup.top_package(self.module)
        noted = self.asked if is_own else self.asked_of_others
        part_of_python = package in sys.stdlib_module_names and not is_own
        if found and not part_of_python and not any(seen is cls for seen in noted):
            noted.append(cls)
        return found

    def id_of(self, value: object) -> str:
        """The id of a class or function, or '' if it cannot be imported."""
        known = self._known.get(
            id(value)
        )  # the cached object stays alive, so its id() is not reused
        if known is None:
            known = (value, self._search(value))
            self._known[id(value)] = known
        return known[1]

    def assign(self, value: object, home: str) -> None:
        """Make ``home`` the id of a class or function from here on."""
        self._known[id(value)] = (value, home)

    def symbol(self, value: object) -> Symbol | None:
        """The Symbol of a class or function, or None if it cannot be imported."""
        module, _, path = self.id_of(value).partition(":")
        return Symbol(module, path) if path else None

    def _search(self, value: object) -> str:
        module, path = static_lookup.module_name(value), _path(value)
        own = static_lookup.top_package(module) == static_lookup.top_package(self.module)
        candidates = [module] if own else _public_first(module)
        homes = [f"{one}:{path}" for one in candidates if _leads_to(one, path, value)]
        if not homes and id(value) in NAMES_IN_TYPES:
            homes = [f"types:{NAMES_IN_TYPES[id(value)]}"]
        if own and not homes:
            homes = [f"{self.module}:{name}" for name, one in self.names.items() if one is value]
        return homes[0] if homes else ""


def _path(value: object) -> str:
    if static_lookup.is_class(value):
        return static_lookup.qualname(value)  # type: ignore[arg-type]
    if static_lookup.is_instance(value, (FunctionType, BuiltinFunctionType)):
        found = value.__qualname__  # type: ignore[attr-defined]
        return found if type(found) is str else ""
    return ""


def _public_first(module: str) -> list[str]:
    """``module`` last; before it the public parent of a private module (``pathlib._local``)."""
    parts = module.split(".")
    private = next((at for at, part in enumerate(parts) if part.startswith("_") and at), None)
    parents = [".".join(parts[:private])] if private else []
    if module.startswith("_") and module[1:] in sys.modules:
        parents.append(module[1:])
    return [*parents, module]


def _leads_to(module: str, path: str, value: object) -> bool:
    """Does importing ``module`` and following ``path`` give the identical object?"""
    if not module or not path or "<" in path:
        return False
    return static_lookup.resolve(module, path) is value
