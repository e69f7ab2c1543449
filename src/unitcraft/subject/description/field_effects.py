"""The fields of the receiver that a method reads and writes, as far as its source shows.

Invariant: direct effects only; calls on the receiver are not followed, so the fields guide
the search and never prove that two methods are independent.
"""

from __future__ import annotations

import ast
from functools import cache
from types import MappingProxyType
from typing import Final

#: Methods that modify their container: ``self.items.append(x)`` writes ``items``.
MUTATORS: Final = frozenset(
    [
        "append",
        "add",
        "insert",
        "extend",
        "update",
        "pop",
        "popitem",
        "popleft",
        "appendleft",
        "extendleft",
        "remove",
        "discard",
        "clear",
        "sort",
        "reverse",
        "setdefault",
        "difference_update",
        "intersection_update",
        "symmetric_difference_update",
        "rotate",
        "write",
    ]
)


def effects_of(node: ast.AST) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(fields read, fields written) of the first parameter, each in source order."""
    receiver = _receiver(node)
    reads: dict[str, None] = {}
    writes: dict[str, None] = {}
    if receiver:
        for inner in ast.walk(node):
            _collect(inner, receiver, reads, writes)
    return tuple(reads), tuple(writes)


def _receiver(node: ast.AST) -> str:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return ""
    parameters = [*node.args.posonlyargs, *node.args.args]
    return parameters[0].arg if parameters else ""


def _collect(node: ast.AST, receiver: str, reads: dict[str, None], writes: dict[str, None]) -> None:
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr=field, ctx=ctx) if name == receiver:
            target = reads if isinstance(ctx, ast.Load) else writes
            target[field] = None
        case ast.AugAssign(target=target_node):
            field = _field(target_node, receiver)
            if field:
                reads[field] = None
                writes[field] = None
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
            field = _field(value, receiver)
            if field:
                writes[field] = None
        case ast.Call(func=ast.Attribute(value=value, attr=method)) if method in MUTATORS:
            field = _field(value, receiver)
            if field:
                writes[field] = None


def _field(node: ast.expr, receiver: str) -> str:
    """The field of the receiver at the root of an access path: ``a`` of ``self.a.b[0]`` (or '')."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return node.attr if node.value.id == receiver else ""
        node = node.value
    return ""


@cache
def assigned_fields(tree: ast.ClassDef) -> MappingProxyType[str, ast.expr | None]:
    """Field assigned on the receiver in a method -> its annotation or None, in order.

    A field that is given a parameter has its annotation, if it has none itself.  It is asked for
    each field of each class below, and its answer kept as long as the process runs.
    """
    found: dict[str, ast.expr | None] = {}
    given: dict[str, ast.expr] = {}
    nullable: dict[str, None] = {}
    for method in tree.body:
        receiver, marks = _receiver(method), _parameter_marks(method)
        for node in ast.walk(method) if receiver else ():
            match node:
                case ast.AnnAssign(target=ast.Attribute() as own):
                    field = _own_field(own, receiver)
                    found[field] = found.get(field) or node.annotation
                case ast.Attribute(ctx=ast.Store()):
                    found.setdefault(_own_field(node, receiver), None)
                case ast.Assign(targets=targets, value=ast.Name(id=name)) if name in marks:
                    for target in targets:
                        given.setdefault(_own_field(target, receiver), marks[name])
                case ast.Assign(targets=targets, value=ast.Constant(value=None)):
                    nullable |= {_own_field(target, receiver): None for target in targets}
    for field, mark in given.items():
        with_none = ast.BinOp(mark, ast.BitOr(), ast.Constant(None)) if field in nullable else mark
        found[field] = found.get(field) or with_none
    found.pop("", None)
    return MappingProxyType(found)


def _parameter_marks(method: ast.AST) -> dict[str, ast.expr]:
    """The annotations of the parameters of a method."""
    if not isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
        return {}
    given = method.args
    return {
        one.arg: one.annotation
        for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)
        if one.annotation is not None
    }


def _own_field(target: ast.AST, receiver: str) -> str:
    """The field of the receiver that ``target`` is; '' if it is none."""
    match target:
        case ast.Attribute(value=ast.Name(id=name), attr=field) if name == receiver:
            return field
    return ""


def stores_keywords(function: ast.AST | None) -> bool:
    """Does a constructor make attributes of all keywords that its ``**kwargs`` takes?

    By ``self.__dict__.update(kwargs)``, ``vars(self).update(kwargs)``, or ``setattr`` in a loop.
    """
    if not isinstance(function, ast.FunctionDef) or function.args.kwarg is None:
        return False
    places = [*function.args.posonlyargs, *function.args.args]
    if not places:
        return False
    return any(_stores(node, places[0].arg, function.args.kwarg.arg) for node in ast.walk(function))


def _stores(node: ast.AST, owner: str, keywords: str) -> bool:
    match node:
        case ast.Call(
            ast.Attribute(ast.Attribute(ast.Name(name), "__dict__"), "update")
        ) | ast.Call(ast.Attribute(ast.Call(ast.Name("vars"), [ast.Name(name)]), "update")):
            given = [*node.args, *[one.value for one in node.keywords if one.arg is None]]
            return name == owner and any(_is_name(one, keywords) for one in given)
        case ast.For(iter=ast.Call(ast.Attribute(ast.Name(name), "items"))) if name == keywords:
            return any(
                isinstance(one, ast.Call)
                and _is_name(one.func, "setattr")
                and _is_name(next(iter(one.args), None), owner)
                for one in ast.walk(node)
            )
    return False


def _is_name(node: ast.AST | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
