"""The environment variables that source text names where it reads the environment.

``telling_values`` are the texts with which the source compares them: a value that is not among them
may take the same branch as none.  ``global_readers`` read names of the module that depend on what
is installed.

Invariant: only text literals count, each variable once: those at the place, and those that a
constant of that name or the default of a parameter of that name is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from unitcraft.subject.scopes import walk_scopes

#: Names of the mapping and of the functions that look variables up.
_READERS: Final = frozenset({"environ", "environb", "getenv", "getenvb"})


@lru_cache(maxsize=256)  # many targets of one command import the same files
def names_read(source: str) -> tuple[str, ...]:
    """The variables that ``source`` reads by name; none where it does not parse."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    nodes = list(ast.walk(tree))
    found = [name for node in nodes for name in _names(node)]
    held = {name for node in nodes for name in _names_of_names(node)}
    return tuple(dict.fromkeys([*found, *_texts_of(nodes, held)]))


def telling_values(source: str) -> dict[str, str]:
    """Variable -> a text with which the source compares its value, directly or by a name."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    nodes = list(ast.walk(tree))
    holders: dict[str, str] = {}
    for node in nodes:
        match node:
            case ast.Assign([ast.Name(target)], value):
                for name in _names_within(value):
                    holders.setdefault(target, name)
    found: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Compare):
            told = [*_names_within(node), *_held(node, holders)]
            texts = [text for text in _texts(node) if text not in told]
            for name in told if texts else ():
                found.setdefault(name, texts[0])
    return found


def global_readers(source: str, module: str, names: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """Scope -> those of the global ``names`` that it reads, with ``module`` before them."""
    try:
        nodes = list(walk_scopes(ast.parse(source))) if names else []
    except (SyntaxError, ValueError, RecursionError):
        return {}
    read: dict[str, dict[str, None]] = {}
    bound: set[tuple[str, str]] = set()
    for node, scope in nodes:
        match node:
            case ast.Name(name, ast.Load()) if name in names:
                read.setdefault(scope, {})[name] = None
            case ast.Name(name) | ast.arg(name):
                bound.add((scope, name))
    return {
        scope: tuple([f"{module}.{name}" for name in found if (scope, name) not in bound])
        for scope, found in read.items()
        if scope
    }


def _names_within(node: ast.AST) -> list[str]:
    return [name for part in ast.walk(node) for name in _names(part)]


def _held(node: ast.Compare, holders: dict[str, str]) -> list[str]:
    """The variables whose values the names in a comparison hold."""
    names = [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
    return [holders[name] for name in names if name in holders]


def _texts(node: ast.Compare) -> list[str]:
    """The texts in the comparison that are not empty, but for defaults of look-ups."""
    sides = [side for side in (node.left, *node.comparators) if not _names_within(side)]
    constants = [part for side in sides for part in ast.walk(side)]
    return [
        part.value
        for part in constants
        if isinstance(part, ast.Constant) and type(part.value) is str and part.value
    ]


def _names(node: ast.AST) -> Iterator[str]:
    """The variables that one node looks up."""
    match node:
        case ast.Subscript(value, ast.Constant(str(name))) if _is_reader(value):
            yield name
        case ast.Call(ast.Attribute(value), [ast.Constant(str(name)), *_]) if _is_reader(value):
            yield name
        case ast.Call(func, [ast.Constant(str(name)), *_]) if _is_reader(func):
            yield name
        case ast.Compare(ast.Constant(str(name)), _, [value]) if _is_reader(value):
            yield name


def _names_of_names(node: ast.AST) -> Iterator[str]:
    """The Python names that hold the variable which one node looks up."""
    match node:
        case ast.Subscript(value, ast.Name(name)) if _is_reader(value):
            yield name
        case ast.Call(ast.Attribute(value), [ast.Name(name), *_]) if _is_reader(value):
            yield name
        case ast.Call(func, [ast.Name(name), *_]) if _is_reader(func):
            yield name
        case ast.Compare(ast.Name(name), [ast.In() | ast.NotIn()], [value]) if _is_reader(value):
            yield name


def _texts_of(nodes: list[ast.AST], held: set[str]) -> Iterator[str]:
    """The texts that names in ``held`` are assigned, or have as parameters by default."""
    for node in nodes if held else ():
        match node:
            case ast.Assign([ast.Name(name)], ast.Constant(str(text))) if name in held and text:
                yield text
            case ast.arguments():
                for parameter, value in _with_defaults(node):
                    match value:
                        case ast.Constant(str(text)) if parameter.arg in held and text:
                            yield text


def _with_defaults(node: ast.arguments) -> list[tuple[ast.arg, ast.expr | None]]:
    """The parameters that have a default, and those by keyword alone, with it."""
    places = [*node.posonlyargs, *node.args][::-1]
    by_place = list(zip(places, node.defaults[::-1], strict=False))
    return [*by_place[::-1], *zip(node.kwonlyargs, node.kw_defaults, strict=True)]


def _is_reader(node: ast.expr) -> bool:
    """Is it ``environ`` or ``getenv``, of whatever module?"""
    match node:
        case ast.Name(name) | ast.Attribute(_, name):
            return name in _READERS
    return False
