"""Values for a parameter whose content goes beside that of a container which the code shows.

``spec`` of ``options = dict(rate=dict(type="int")); options.update(spec)`` maps a name to a
dictionary of such a kind: what a container holds already says what its other items look like.

Invariant: nothing is run; a value has an item of the container's own, under a key that it lacks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from unitcraft.core.sequences import Arg, Const, Display
from unitcraft.subject.literal_args import literal_in
from unitcraft.subject.model import JOINED, CallerValue
from unitcraft.subject.source_files import FunctionSource

#: Keys for an item of one's own, the first that the container lacks.
_KEYS = ("name", "key", "other")
#: Methods that put what they are given beside what is there.
_JOINING = ("update", "extend")


def joined_values(functions: list[FunctionSource]) -> Iterator[CallerValue]:
    """A value for each parameter that is joined to a container of the function's own."""
    for function in functions:
        shown: dict[str, Arg] = {}
        for node in ast.walk(function.node):
            match node:
                case ast.Assign([ast.Name(name)], value):
                    like = _like(value)
                    if like is not None:
                        shown[name] = like
        for name, parameter in _joined(function.node):
            if name in shown and parameter in function.parameters:
                yield CallerValue(function.id, parameter, shown[name], JOINED)


def _joined(node: ast.AST) -> Iterator[tuple[str, str]]:
    """(container, what is joined to it), both names."""
    for inner in ast.walk(node):
        match inner:
            case ast.Call(ast.Attribute(ast.Name(name), method), [ast.Name(other)], []):
                if method in _JOINING:
                    yield name, other
            case ast.AugAssign(ast.Name(name), ast.Add() | ast.BitOr(), ast.Name(other)):
                yield name, other


def _like(node: ast.expr) -> Arg | None:
    """A container with one item as those of the display ``node`` are; None of all else."""
    shown = _literal(node)
    if not isinstance(shown, Display) or not shown.items:
        return None
    if shown.kind != "dict":
        return Display(shown.kind, shown.items[:1])
    keys = [one.value for one in shown.items[::2] if isinstance(one, Const)]
    free = [key for key in _KEYS if key not in keys]
    is_named = len(keys) == len(shown.items[::2]) and all(isinstance(key, str) for key in keys)
    return Display("dict", (Const(free[0]), shown.items[1])) if is_named and free else None


def _literal(node: ast.expr) -> Arg | None:
    """The display ``node``, also where it is written ``dict(name=...)``; None: it is no literal."""
    if not isinstance(node, ast.Call):
        return literal_in(node)
    if not isinstance(node.func, ast.Name) or node.func.id != "dict" or node.args:
        return None
    items: list[Arg] = []
    for one in node.keywords:
        value = _literal(one.value)
        if one.arg is None or value is None:
            return None
        items += (Const(one.arg), value)
    return Display("dict", tuple(items))
