"""The types of the expressions of one function, and the variables that they stand for.

Invariant: a name stands for what it was last assigned in the order of the source; what branches
do is not told apart.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from unitcraft.explore.influence.effects import Variable
from unitcraft.explore.influence.source_types import (
    Kind,
    SourceClass,
    SourceModule,
    annotated_kind,
    lineage,
    parameter_kinds,
)

#: A container that an argument holds: it may be that of any field.
ANY_CONTAINER: Final = Variable("", "")


class ExpressionTypes:
    """What is known of expressions so far; ``types`` and ``aliases`` grow with assignments."""

    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        module: SourceModule,
        owner: SourceClass | None,
        receiver: str,
        known: Mapping[str, SourceClass],
    ) -> None:
        self.module = module
        self.owner = owner
        self.receiver = receiver
        self.known = known
        self.types = parameter_kinds(node, module.names)
        self.parameters = [one for one in self.types if one != receiver]
        if owner is not None and receiver:
            self.types[receiver] = Kind(owner.id)
        self.aliases: dict[str, Variable] = {}
        stored = [
            one.id
            for one in ast.walk(node)
            if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)
        ]
        shared = [
            name for one in ast.walk(node) if isinstance(one, ast.Global) for name in one.names
        ]
        self.local = {*self.types, *stored} - {*shared}

    def kind(self, node: ast.expr) -> Kind:
        """What is known of the value of an expression."""
        match node:
            case ast.Name(id=name):
                return self.types.get(name, Kind())
            case ast.Attribute(value=value, attr=attr):
                return self._member(self.kind(value).cls, attr)
            case ast.Subscript(value=value):
                return Kind(self.kind(value).element)
            case ast.Call(func=func):
                return self._result(func)
            case ast.BoolOp(values=[first, *_]) | ast.IfExp(body=first):
                return self.kind(first)
            case ast.Await(value=value) | ast.NamedExpr(value=value):
                return self.kind(value)
        return Kind()

    def _member(self, cls: str, attr: str) -> Kind:
        """The type of an attribute of an object of ``cls``, by its class or a base."""
        for one in lineage(cls, self.known):
            made = self.known[one]
            if attr in made.fields:
                return made.fields[attr]
            if attr in made.properties:
                return annotated_kind(made.methods[attr].returns, self.module.names)
        return Kind()

    def _result(self, func: ast.expr) -> Kind:
        text = ast.unparse(func)
        cls = self.module.names.get(text, "")
        if cls in self.known:
            return Kind(cls)
        if isinstance(func, ast.Name) and func.id in self.module.functions:
            node = self.module.functions[func.id]
            return annotated_kind(node.returns, self.module.names)
        if isinstance(func, ast.Attribute):
            holder = self.kind(func.value)
            for one in lineage(holder.cls, self.known):
                if func.attr in self.known[one].methods:
                    node = self.known[one].methods[func.attr]
                    return annotated_kind(node.returns, self.module.names)
            if func.attr in ("pop", "get", "popleft", "setdefault"):
                return Kind(holder.element)
            if func.attr in ("values", "items", "copy"):
                return Kind("", holder.element)
        return Kind()

    def place(self, node: ast.expr) -> Variable | None:
        """The variable that an expression names, None for what is none."""
        match node:
            case ast.Attribute(value=value, attr=attr):
                cls = self.module.names.get(ast.unparse(value), "")
                owner = cls if cls in self.known else self.kind(value).cls
                return Variable(owner if owner in self.known else "", attr)
            case ast.Name(id=name) if name in self.aliases:
                return self.aliases[name]
            case ast.Name(id=name) if name not in self.local and name in self.module.variables:
                return Variable(f"{self.module.name}:", name)
            case ast.Name(id=name) if name in self.parameters:
                return ANY_CONTAINER
            case ast.Subscript(value=value):
                return self.place(value)
        return None
