"""The functions of a module that read what it holds and what changes.

A variable of the module changes where a function declares it ``global``, stores an item in it,
calls a method of it that changes containers, or hands it on; an object of a class of the module's
own may change in any of its methods.

Invariant: the answer depends on the source alone; constants that nothing changes are no state.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from unitcraft.subject.description.field_effects import MUTATORS

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def state_readers(tree: ast.Module) -> frozenset[str]:
    """The names of functions that read such a variable, or call a function that does."""
    own = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    held = dict(_held_by(tree))
    objects = {
        name
        for name, value in held.items()
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in own
    }
    state = (objects | set(_changed(tree))) & set(held)
    read = {
        node.name: {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        for node in tree.body
        if isinstance(node, _FUNCTIONS)
    }
    found = {name for name, names in read.items() if names & state}
    size = -1
    while size != len(found):
        size = len(found)
        found |= {name for name, names in read.items() if names & found}
    return frozenset(found)


def _held_by(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """(name, first value) of the variables of the module."""
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name(name)], value):
                yield name, value
            case ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
                yield name, value


def _changed(tree: ast.Module) -> Iterator[str]:
    """The names of what functions change."""
    for function in [node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]:
        for node in ast.walk(function):
            match node:
                case ast.Global(names):
                    yield from names
                case ast.Subscript(ast.Name(name), _, ast.Store() | ast.Del()):
                    yield name
                case ast.Call(ast.Attribute(ast.Name(name), method), args):
                    yield from (name,) if method in MUTATORS else ()
                    yield from [one.id for one in args if isinstance(one, ast.Name)]
                case ast.Call(_, args):
                    yield from [one.id for one in args if isinstance(one, ast.Name)]
