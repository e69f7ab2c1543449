"""Resolves the names that docstring examples of a module use.

Invariant: a name is resolved only if an import in a test file reaches the same object.
"""

from __future__ import annotations

import sys
from types import ModuleType

from unitcraft.core.sequences import Arg, Symbol
from unitcraft.subject import static_lookup
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.literal_args import literal_of
from unitcraft.subject.model import Subject
from unitcraft.subject.reading.docstring_examples import SymbolFinder


def module_names(view: DescriptionContext) -> dict[str, str]:
    """Name bound to a module in the namespace -> the dotted name of that module."""
    found = {}
    for name, value in view.names.items():
        dotted = static_lookup.module_dict(value).get("__name__") if _is_module(value) else None
        if type(dotted) is str:
            found[name] = dotted
    return found


def _is_module(value: object) -> bool:
    return static_lookup.is_instance(value, ModuleType)


def example_names(
    view: DescriptionContext, subject: Subject
) -> tuple[dict[str, Arg], SymbolFinder]:
    """(names of the module's namespace as Args, the finder for import statements)."""
    names: dict[str, Arg] = {}
    for name, value in view.names.items():
        arg = None if _is_module(value) else literal_of(value, view.homes)
        if arg is not None and not name.startswith("__"):
            names[name] = arg
    own = {one.id for one in subject.invocables} | {one.id for one in subject.classes}
    names |= {
        one.name: Symbol(view.module, one.name) for one in subject.invocables if not one.owner
    }
    names |= {
        one.qualname: Symbol(one.module, one.qualname)
        for one in subject.classes
        if "." not in one.qualname and one.module == view.module
    }

    def find(module: str, path: str) -> Symbol | None:
        """The Symbol of an imported name.  Without ``module``, ``path`` is an id of the Subject."""
        if not module:
            home, _, inner = path.partition(":")
            return Symbol(home, inner) if path in own else None
        value = static_lookup.resolve(module, path)
        if value is None:
            inner = path.partition(".")[2]
            missing = module not in sys.modules and module in sys.stdlib_module_names
            return Symbol(module, path) if missing and not inner else None
        return view.homes.symbol(value) or _plain_attribute(module, path, value)

    return names, find


def _plain_attribute(module: str, path: str, value: object) -> Symbol | None:
    """The Symbol of a module constant or class attribute, by the path in the source."""
    return None if _is_module(value) else Symbol(module, path)
