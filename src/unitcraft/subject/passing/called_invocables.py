"""Which Invocable a call in the source of a module names.

Invariant: names are looked up in the loaded module and in the Subject; nothing of it is run.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType

from unitcraft.core.types import TypeExpr
from unitcraft.subject import static_lookup
from unitcraft.subject.description.caught_errors import resolve_name
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.model import Invocable, Subject
from unitcraft.subject.passing.name_bindings import Scope


@dataclass(slots=True)
class CalledInvocables:
    """Finds the Invocables of one Subject; ``read`` answers the type of an expression.

    ``known`` are the Invocables by their ids, ``bases`` those of classes.
    """

    view: DescriptionContext
    subject: Subject
    read: Callable[[ast.expr, Scope], TypeExpr]
    known: dict[str, Invocable] = field(default_factory=dict)
    bases: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index the Invocables and the classes."""
        self.known = {one.id: one for one in self.subject.invocables}
        self.bases = {info.id: info.bases for info in self.subject.classes}

    def called(self, func: ast.expr, scope: Scope) -> Invocable | None:
        """The Invocable that a call names, or None."""
        match func:
            case ast.Name(name) if scope.binder(name) is None:
                value = self.view.names.get(name)
                if static_lookup.is_class(value):
                    return self._maker(self.view.homes.id_of(value))
                found = self.known.get(f"{self.view.module}:{name}")
                return found or self.known.get(self.view.homes.id_of(value))
            case ast.Attribute(ast.Call(ast.Name("super"), []), name):
                return self._inherited(self.class_around(scope), name)
            case ast.Attribute(_, "__class__"):
                return self._maker(self.read(func.value, scope).cls)
            case ast.Call(ast.Name("type"), [one]):
                return self._maker(self.read(one, scope).cls)
            case ast.Attribute(value, name):
                return self._method(func, value, name, scope)
        found_type = self.read(func, scope)
        is_class = found_type.name == "type" and found_type.args
        return self._maker(found_type.args[0].cls) if is_class else None

    def _method(self, func: ast.expr, value: ast.expr, name: str, scope: Scope) -> Invocable | None:
        if is_global(func, scope):
            found = resolve_name(self.view, func)
            if static_lookup.is_class(found) or type(found) is FunctionType:
                one = self.known.get(self.view.homes.id_of(found))
                if one is not None:
                    return one
        owner = self.read(value, scope)
        cls = owner.args[0].cls if owner.name == "type" and owner.args else owner.cls
        if name == "__init__":
            return self._maker(cls) if owner.name == "type" else None
        return self.known.get(f"{cls}.{name}") if cls else None

    def _maker(self, home: str) -> Invocable | None:
        found = self.known.get(home)
        return found if found is not None and found.kind == "constructor" else None

    def _inherited(self, home: str, name: str) -> Invocable | None:
        """The method of a base; None if one that is not described may define it first."""
        for base in self.bases.get(home, ()):
            found = self.known.get(base if name == "__init__" else f"{base}.{name}")
            if (
                found is not None
                or static_lookup.own_dict(loaded_class(base)).get(name) is not None
            ):
                return found
        return None

    def receivers(self, func: ast.expr, scope: Scope) -> int:
        """The number of arguments that stand before those for parameters.

        1 where a method is called through its class: ``Base.__init__(self, name)``.
        """
        made = self.called(func, scope)
        if not isinstance(func, ast.Attribute) or made is None:
            return 0
        through_class = self.read(func.value, scope).name == "type"
        return int(through_class and (made.kind == "method" or func.attr == "__init__"))

    def class_around(self, scope: Scope) -> str:
        """The id of the class whose method ``scope`` is ('' if it is none)."""
        cls = static_lookup.resolve(self.view.module, scope.owner) if scope.owner else None
        return self.view.homes.id_of(cls) if static_lookup.is_class(cls) else ""


def invocables_by_line(subject: Subject) -> dict[int, list[Invocable]]:
    """The Invocables of the module by the first line of their code, which heirs share."""
    found: dict[int, list[Invocable]] = {}
    for one in subject.invocables:
        if one.module == subject.module:
            found.setdefault(one.first, []).append(one)
    return found


def is_global(node: ast.expr, scope: Scope) -> bool:
    """Is it a dotted name that begins with one of the module?"""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and scope.binder(node.id) is None


def loaded_class(home: str) -> type | None:
    """The class with an id, if its module is loaded."""
    module, _, path = home.partition(":")
    found = static_lookup.resolve(module, path) if path else None
    return found if static_lookup.is_class(found) else None
