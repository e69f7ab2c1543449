"""The fields of the receiver that a method reads and writes, as far as its source shows.

``docstring.meta = []`` in a constructor, and members that go through ``meta``: nothing in the class
ever puts something there.  Its users do, by ``docstring.meta = [...]``: ``meta`` is an open field.

Invariant: direct effects only; calls on the receiver are not followed, so the fields guide
the search and never prove that two methods are independent.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
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
#: Functions whose results are empty containers.
_EMPTY_BY: Final = frozenset({"list", "dict", "set"})


def effects_of(node: ast.AST) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(fields read, fields written) of the first parameter, each in source order."""
    receiver = _receiver(node)
    reads: dict[str, None] = {}
    writes: dict[str, None] = {}
    if receiver:
        for inner in ast.walk(node):
            _collect(inner, receiver, reads, writes)
    return tuple(reads), tuple(writes)


def acts_on_receiver(node: ast.AST) -> bool:
    """Does the method call another one of its receiver, or write a field?"""
    receiver = _receiver(node)
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    return bool(effects_of(node)[1]) or any(_own_field(one, receiver) for one in calls)


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


def filled_by_others(tree: ast.AST) -> frozenset[str]:
    """The attributes that code stores or changes on objects which are not called ``self``."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value, name, ast.Store()):
                found.add("" if _is_self(value) else name)
            case ast.Call(ast.Attribute(ast.Attribute(value, name), method)) if method in MUTATORS:
                found.add("" if _is_self(value) else name)
            case ast.Subscript(ast.Attribute(value, name), _, ast.Store()):
                found.add("" if _is_self(value) else name)
    return frozenset(found - {""})


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _first_values(tree: ast.ClassDef) -> Iterator[tuple[str, bool]]:
    """(attribute, does its first value leave it to others?) of the body and the constructor.

    Containers that the body gives are for heirs.  What the constructor goes on to fill, or has a
    second value for, is not left to others.
    """
    stored: set[str] = set()
    for node in tree.body:
        for target, value in _stored_in(node):
            if isinstance(target, ast.Name):
                stored.add(target.id)
                yield target.id, isinstance(value, ast.Constant) and value.value is None
        if isinstance(node, ast.FunctionDef) and node.name == "__init__" and node.args.args:
            receiver = node.args.args[0].arg
            for inner in ast.walk(node):
                for target, value in _stored_in(inner):
                    if field := _field(target, receiver):
                        is_first = isinstance(target, ast.Attribute) and field not in stored
                        is_open = isinstance(value, ast.Constant) or _is_empty(value)
                        stored.add(field)
                        yield field, is_first and is_open
                match inner:
                    case ast.Call(ast.Attribute(filled, method)) if method in MUTATORS:
                        yield _field(filled, receiver), False


def _stored_in(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
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
