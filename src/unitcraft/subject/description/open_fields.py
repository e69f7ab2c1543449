"""Open fields: attributes that a class reads and leaves to its users to store.

``docstring.meta = []`` in a constructor, and members that go through ``meta``: nothing in the class
ever puts something there.  Its users do, by ``docstring.meta = [...]``.

Invariant: only source is read; an open field is public, no member but the constructor writes it,
and what that writes comes from no parameter.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from unitcraft.subject.description.field_effects import effects_of

#: Functions whose results are empty containers.
_EMPTY_BY: Final = frozenset({"list", "dict", "set"})


def open_fields(classes: Iterable[ast.ClassDef]) -> tuple[str, ...]:
    """The open fields of a class, in source order.

    ``classes`` are the class itself and those of its bases whose source is known.
    """
    given: dict[str, bool] = {}
    read: set[str] = set()
    written: set[str] = set()
    for tree in classes:
        for name, is_open in _first_values(tree):
            given[name] = given.get(name, True) and is_open
        for member in tree.body:
            if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef):
                reads, writes = effects_of(member)
                if member.name != "__init__":
                    read.update(reads)
                    written.update(writes)
    return tuple(
        name
        for name, is_open in given.items()
        if is_open and name in read - written and not name.startswith("_")
    )


def _first_values(tree: ast.ClassDef) -> Iterator[tuple[str, bool]]:
    """(attribute, does its first value leave it to others?) of the body and the constructor."""
    for node in tree.body:
        for target, value in _stores(node):
            if isinstance(target, ast.Name):
                is_none = isinstance(value, ast.Constant) and value.value is None
                yield target.id, is_none or _is_empty(value)
        if isinstance(node, ast.FunctionDef) and node.name == "__init__" and node.args.args:
            receiver = node.args.args[0].arg
            for inner in ast.walk(node):
                for target, value in _stores(inner):
                    match target:
                        case ast.Attribute(ast.Name(name), field) if name == receiver:
                            yield field, isinstance(value, ast.Constant) or _is_empty(value)


def _stores(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """(target, value) of a statement that stores; a value that is none here is None."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from [(target, value) for target in targets]
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield target, value
        case ast.AugAssign(target=target):
            yield target, None


def _is_empty(value: ast.expr | None) -> bool:
    match value:
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Call(ast.Name(name), [], []):
            return name in _EMPTY_BY
    return False
