"""Walks a syntax tree with the scope of each node: the function or class that contains it.

Invariant: a scope is a ``__qualname__`` that a caller can reach; nodes of a nested function
belong to the outermost function around them.
"""

from __future__ import annotations

import ast
import contextlib
import enum
import os
import types
from collections.abc import Iterator, Mapping
from typing import Final

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def walk_scopes(
    tree: ast.AST, scope: str = "", *, fixed: bool = False
) -> Iterator[tuple[ast.AST, str]]:
    """(node, scope) for ``tree`` and its descendants, parents first, in source order.

    ``fixed``: definitions inside do not open scopes of their own.
    """
    yield tree, scope
    inner, inner_fixed = scope, fixed
    if not fixed and isinstance(tree, (*_FUNCTIONS, ast.ClassDef)):
        inner = f"{scope}.{tree.name}" if scope else tree.name
        inner_fixed = isinstance(tree, _FUNCTIONS)
    for child in ast.iter_child_nodes(tree):
        yield from walk_scopes(child, inner, fixed=inner_fixed)


def parents_in(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """Node below ``tree`` -> the node that holds it, in the order of ``ast.walk``.

    In half of its time, as nothing is yielded through two generators.
    """
    found: dict[ast.AST, ast.AST] = {}
    waiting = [tree]
    for node in waiting:  # grows
        children: list[ast.AST] = []
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                children += [one for one in value if isinstance(one, ast.AST)]
            elif isinstance(value, ast.AST):
                children.append(value)
        found.update(dict.fromkeys(children, node))
        waiting += children
    return found


def ancestors(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    """The nodes around ``node``, the innermost first."""
    while node in parents:
        node = parents[node]
        yield node


def head_expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions that a statement evaluates itself, not in its blocks."""
    for _, value in ast.iter_fields(statement):
        if isinstance(value, ast.expr):
            yield value
    for item in getattr(statement, "items", ()):
        yield item.context_expr


def statement_blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of a compound statement, in the order of the source."""
    for name in ("body", "orelse", "finalbody"):
        yield getattr(statement, name, [])
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def word_set(text: str) -> frozenset[str]:
    """The words of a text; keeps tables of names readable."""
    return frozenset(text.split())


def callee_name(node: ast.Call) -> str:
    """The last name of the callee: ``match`` for ``re.match(...)`` ('' if it has no name)."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def is_docstring(node: ast.stmt) -> bool:
    """Is the statement a bare string literal?"""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def names_by_line(tree: ast.Module) -> dict[int, frozenset[str]]:
    """Line -> the variables and attributes that it names, without underscores around them."""
    found: dict[int, set[str]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Name(name) | ast.Attribute(attr=name):
                found.setdefault(node.end_lineno or node.lineno, set()).add(name.strip("_"))
    return {line: frozenset(names) for line, names in found.items()}


def texts_by_line(tree: ast.Module) -> dict[int, tuple[str, ...]]:
    """Line -> the texts that begin there, in source order."""
    found: dict[int, dict[str, None]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.setdefault(node.lineno, {})[node.value] = None
    return {line: tuple(texts) for line, texts in found.items()}


#: Names that objects of the interpreter's own classes and protocols have.
OF_INTERPRETER: Final = frozenset(
    name
    for cls in (int, str, list, dict, set, type, types.FunctionType, types.GeneratorType,
                types.CoroutineType, types.AsyncGeneratorType, types.ModuleType, property,
                contextlib.AbstractContextManager, contextlib.AbstractAsyncContextManager,
                os.PathLike, enum.Enum)
    for name in dir(cls) if name[:2] == name[-2:] == "__"
)  # fmt: skip


#: What ``callable`` asks for, among names of attributes.
CALLED: Final = "()"


def asked_attributes(tree: ast.Module) -> dict[str, dict[int, tuple[str, ...]]]:
    """Scope -> line -> the attributes for which ``hasattr`` or ``getattr`` asks there by name.

    CALLED is one of them where ``callable`` asks.
    """
    found: dict[str, dict[int, tuple[str, ...]]] = {}
    for node, scope in walk_scopes(tree):
        match node:
            case ast.Call(ast.Name("hasattr" | "getattr"), [_, ast.Constant(str(name)), *_]) if (
                name.isidentifier() and name not in OF_INTERPRETER
            ):
                _add(found, scope, node.lineno, name)
            case ast.Call(ast.Name("callable"), [_]):
                _add(found, scope, node.lineno, CALLED)
    return found


def _add(found: dict[str, dict[int, tuple[str, ...]]], scope: str, line: int, name: str) -> None:
    lines = found.setdefault(scope, {})
    lines[line] = (*lines.get(line, ()), name)


def uncopied(node: ast.expr) -> ast.expr:
    """``kinds`` of ``dict(kinds or {})``, ``kinds or {}`` and ``{} if kinds is None else kinds``.

    Of a choice it is the variable that the condition asks for; any other ``node`` is itself.
    """
    match node:
        case ast.Call(func=ast.Name(id="dict" | "list"), args=[inner], keywords=[]):
            return uncopied(inner)
        case ast.BoolOp(op=ast.Or(), values=[first, *_]):
            return uncopied(first)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            asked = {one.id for one in ast.walk(test) if isinstance(one, ast.Name)}
            named = [one for one in (body, orelse) if isinstance(one, ast.Name)]
            return next((one for one in named if one.id in asked), node)
    return node


def refusing_tests(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """The nodes of conditions after which the function raises, whichever way they turn out.

    It refuses what ``isinstance`` is false of there; elsewhere it goes on with other kinds.  Where
    it asks only for one value of another variable (``if key == "expires"``) it does so for all
    others.
    """
    special = {
        inner
        for node in ast.walk(function)
        if isinstance(node, ast.If) and _asks_for_one(node.test)
        for part in node.body
        for inner in ast.walk(part)
    }
    for node in ast.walk(function):
        always = isinstance(node, ast.Assert) or _raises(function.body)
        if isinstance(node, ast.Assert | ast.If) and (always or _refuses(node)):
            yield from () if node in special else ast.walk(node.test)


def _asks_for_one(test: ast.expr) -> bool:
    """Does it compare something with a text?"""
    match test:
        case ast.Compare(ops=[ast.Eq()], comparators=[ast.Constant(str())]):
            return True
    return False


def _refuses(node: ast.AST) -> bool:
    """Does one way of the ``if``, or of those that follow by ``elif``, end in a ``raise``?"""
    match node:
        case ast.If(body=body, orelse=[ast.If() as other]):
            return _raises(body) or _refuses(other)
        case ast.If(body=body, orelse=rest):
            return _raises(body) or _raises(rest)
    return False


def _raises(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Raise)
