"""Calls in source text: the callees that a test can replace, and the texts that are passed.

Imported functions and inherited methods can be replaced: ``monkeypatch`` replaces an attribute of a
module or a class.  What the module imported is one of
the module, what a function imports when it is called one of where it imports it from (but for the
standard library, which others need as it is), and a method that a class inherits from elsewhere can
be put into the class itself.

Invariant: a name that the module, the class or the function around the call defines itself is
replaced by nobody, because it is what a test is about.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from unitcraft.core.outcomes import Position
from unitcraft.core.sequences import Arg, Symbol
from unitcraft.subject.scopes import walk_scopes
from unitcraft.subject.source_files import only_refuses

#: Modules whose functions reach for the network, archives, other processes and foreign code: the
#: chapters of the library reference on networking, Internet protocols, archives and processes.
_OUTSIDE: Final = frozenset(
    ("ctypes", "ftplib", "getpass", "http.client", "imaplib", "poplib", "select", "selectors",
     "smtplib", "socket", "socketserver", "sqlite3", "ssl", "subprocess", "tarfile", "telnetlib",
     "urllib.request", "webbrowser", "xmlrpc.client", "zipfile")
)  # fmt: skip
#: Functions that tell the seconds of a clock, and methods that tell the date.
_CLOCKS: Final = frozenset(
    ("time.time", "time.monotonic", "time.perf_counter", "datetime.datetime.now",
     "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today")
)  # fmt: skip
#: Functions that compute with paths and look at none.
_PURE: Final = (".join", ".basename", ".dirname", ".normpath", ".split", ".splitext", ".isabs")
#: Modules that compute with texts: what looks like a path there is an expression.
_OF_TEXTS: Final = frozenset(("fnmatch", "re", "string"))
#: An absolute path, which may be hidden.
_PATH: Final = re.compile(r"/\.?[^\W\d_]\S*\Z")
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES: Final = (*_FUNCTIONS, ast.Lambda)


def replaceable_calls(source: str, module: str) -> dict[Position, str]:
    """Position of a call -> the dotted name of what it calls; none where ``source`` is no code."""
    tree = tree_of(source)
    imported = frozenset(_imported_names(tree))
    defined = frozenset(
        node.name for node in ast.walk(tree) if isinstance(node, (*_FUNCTIONS, ast.ClassDef))
    )
    stored = frozenset(stored_attributes(tree))
    found: dict[Position, str] = {}
    for node, owner, first, own in _calls(tree, "", "", {}):
        match _dotted(node.func):
            case [root, name] if root == first and owner and name not in defined | stored:
                target = f"{module}.{owner}.{name}"
            case [root, *rest] if root in own:
                home = own[root]
                if (
                    not home
                    or _is_of_library(home)
                    or "." not in (target := ".".join([home, *rest]))
                ):
                    continue
            case [root, *rest] if root in imported - defined:
                target = ".".join([module, root, *rest])
            case _:
                continue
        found[_position_of(node)] = target
    return found


def asked_results(source: str, module: str) -> dict[Position, tuple[str, str]]:
    """Position of an attribute, and of its call -> (its name, the function that made its object).

    The object is the result of a call that can be replaced, at once or by a name that was bound to
    it before.  Functions of the standard library answer by what they are given: where ``re.match``
    finds nothing, it is the text that has to differ.
    """
    tree = tree_of(source)
    library = tuple([f"{module}.{name}." for name in _names_of_library(tree)])
    targets = {
        position: target
        for position, target in replaceable_calls(source, module).items()
        if not f"{target}.".startswith(library) and not _is_of_library(target)
    }
    found: dict[Position, tuple[str, str]] = {}
    for scope in ast.walk(tree):
        if not isinstance(scope, (*_SCOPES, ast.Module)):
            continue
        bound = _bound_calls(scope)
        for node in ast.walk(scope):
            attribute = node.func if isinstance(node, ast.Call) else node
            if isinstance(node, ast.expr) and isinstance(attribute, ast.Attribute):
                maker = _maker(attribute, bound)
                target = targets.get(_position_of(maker)) if maker is not None else None
                if target is not None:
                    found[_position_of(node)] = (attribute.attr, target)
    return found


def _names_of_library(tree: ast.Module) -> Iterator[str]:
    """The names that the module binds to the standard library and to what is in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _is_of_library(alias.name):
                    yield alias.asname or alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and not node.level and _is_of_library(node.module):
            yield from [alias.asname or alias.name for alias in node.names]


def _is_of_library(name: str | None) -> bool:
    return (name or "").partition(".")[0] in sys.stdlib_module_names


def _maker(
    attribute: ast.Attribute, bound: dict[str, list[tuple[int, ast.expr]]]
) -> ast.Call | None:
    """The call whose result ``attribute`` is read from."""
    value = attribute.value
    if isinstance(value, ast.Name):
        before = [made for line, made in bound.get(value.id, ()) if line < value.lineno]
        value = before[-1] if before else value
    return value if isinstance(value, ast.Call) else None


def _bound_calls(scope: ast.AST) -> dict[str, list[tuple[int, ast.expr]]]:
    """Name -> the (line, value) of the assignments to it alone, in the order of the lines."""
    found: dict[str, list[tuple[int, ast.expr]]] = {}
    for node in ast.walk(scope):
        match node:
            case ast.Assign([ast.Name(name)], value):
                found.setdefault(name, []).append((node.lineno, value))
    return {name: sorted(made, key=lambda one: one[0]) for name, made in found.items()}


def tree_of(source: str) -> ast.Module:
    """The syntax tree of ``source``; an empty one where it is no code."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module(body=[], type_ignores=[])


def texts_of_calls(source: str) -> dict[Position, tuple[str, ...]]:
    """Position of a call -> the texts among its arguments, as far as there are any."""
    tree = tree_of(source)
    found: dict[Position, tuple[str, ...]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            texts = [text for arg in _arguments(node) for text in _texts_in(arg)]
            if texts:
                found[_position_of(node)] = tuple(dict.fromkeys(texts))
    return found


def calls_on_host(source: str, module: str) -> dict[str, tuple[str, ...]]:
    """Scope -> the replaceable functions that it gives an absolute path: a file of the machine.

    The path is a text of the call, or of a name that the scope or the module binds to texts.
    """
    targets, tree = replaceable_calls(source, module), tree_of(source)
    texts_only = {name for name, home in _homes(tree, module) if home.split(".")[0] in _OF_TEXTS}
    nodes = list(walk_scopes(tree))
    bound = _bound_texts(nodes)
    found: dict[str, dict[str, None]] = {}
    for node, scope in nodes:
        target = targets.get(_position_of(node)) if isinstance(node, ast.Call) else None
        if not isinstance(node, ast.Call) or target is None or target.endswith(_PURE):
            continue
        if target.removeprefix(f"{module}.").split(".")[0] in texts_only:
            continue
        texts = [text for arg in _arguments(node) for text in _texts_in(arg)]
        for name in (arg.id for arg in _arguments(node) if isinstance(arg, ast.Name)):
            texts += bound.get((scope, name), bound.get(("", name), ()))
        if any(map(_is_absolute, texts)):
            found.setdefault(scope, {})[target] = None
    return {scope: tuple(names) for scope, names in found.items()}


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *[keyword.value for keyword in call.keywords]]


def _bound_texts(nodes: list[tuple[ast.AST, str]]) -> dict[tuple[str, str], list[str]]:
    """(scope, name) -> the texts that the name is bound to, by assignments and loops."""
    found: dict[tuple[str, str], list[str]] = {}
    for node, scope in nodes:
        match node:
            case ast.Assign([ast.Name(name)], value) | ast.For(ast.Name(name), value):
                found.setdefault((scope, name), []).extend(_texts_in(value))
    return found


def calls_outside(source: str, module: str) -> dict[str, tuple[tuple[str, bool], ...]]:
    """Scope -> the replaceable functions that it calls and that may reach out of the project.

    They are of modules of the standard library that do (True), or of other distributions (False).
    """
    tree, targets = tree_of(source), replaceable_calls(source, module)
    homes: dict[str, list[str]] = {}
    for name, home in _homes(tree, module):
        homes.setdefault(name, []).append(home)
    found: dict[str, dict[tuple[str, bool], None]] = {}
    for node, scope in walk_scopes(tree):
        target = targets.get(_position_of(node), "") if isinstance(node, ast.Call) else ""
        root, *rest = target.removeprefix(f"{module}.").split(".")
        if root in homes and all(_reaches_out([*home.split("."), *rest]) for home in homes[root]):
            is_known = any(map(_is_of_library, homes[root]))
            found.setdefault(scope, {})[target, is_known] = None
    return {scope: tuple(names) for scope, names in found.items()}


def clock_calls(source: str, module: str) -> tuple[str, ...]:
    """The replaceable functions that tell the time, in the order in which they are called first.

    A method of ``datetime`` is replaced together with its class, which refuses other methods.
    """
    homes = dict(_homes(tree_of(source), module))
    found: dict[str, None] = {}
    for target in replaceable_calls(source, module).values():
        root, *rest = target.removeprefix(f"{module}.").split(".")
        if ".".join([homes.get(root, ""), *rest]) in _CLOCKS:
            found[target] = None
    return tuple(found)


def _reaches_out(names: list[str]) -> bool:
    """Is what the dotted names lead to of another distribution, or of such a module?"""
    around = {".".join(names[:at]) for at in range(1, len(names) + 1)}
    return not _is_of_library(names[0]) or bool(around & _OUTSIDE)


def _homes(tree: ast.Module, module: str) -> Iterator[tuple[str, str]]:
    """(name, where it comes from) of what the module imports from outside its own package."""
    own = module.partition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                if top != own:
                    yield alias.asname or top, alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and not node.level:
            home = node.module or ""
            if home.partition(".")[0] != own:
                yield from [
                    (alias.asname or alias.name, f"{home}.{alias.name}") for alias in node.names
                ]


def _is_absolute(text: str) -> bool:
    return _PATH.match(text) is not None


def hooks(source: str, module: str) -> dict[int, str]:
    """Line -> the method of a class that only raises NotImplementedError there.

    Others define it; to a test of what calls it, any function is as good.
    """
    tree = tree_of(source)
    return {
        node.body[-1].lineno: f"{module}.{scope}.{node.name}"
        for node, scope in walk_scopes(tree)
        if isinstance(node, ast.FunctionDef) and scope and only_refuses(node)
    }


def _texts_in(arg: ast.expr) -> Iterator[str]:
    """The text that ``arg`` is, or those of a display."""
    parts = arg.elts if isinstance(arg, (ast.Tuple, ast.List, ast.Set)) else [arg]
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value:
            yield part.value


def _position_of(node: ast.expr) -> Position:
    last, right = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return (node.lineno, last, node.col_offset, right)


def _calls(
    node: ast.AST, owner: str, first: str, own: Mapping[str, str]
) -> Iterator[tuple[ast.Call, str, str, Mapping[str, str]]]:
    """(call, class around it, name of its object, names of the functions around it)."""
    if isinstance(node, ast.ClassDef):
        owner, first, own = (f"{owner}.{node.name}" if owner else node.name), "", {}
    elif isinstance(node, _SCOPES):
        if owner and not first and isinstance(node, _FUNCTIONS) and node.args.args:
            first = node.args.args[0].arg
        own = {**own, **_own_names(node)}
    elif isinstance(node, ast.Call):
        yield node, owner, first, own
    for child in ast.iter_child_nodes(node):
        yield from _calls(child, owner, first, own)


def _own_names(function: ast.AST) -> dict[str, str]:
    """The parameters of a function, and what it binds -> where it imports that from, or ''."""
    found: dict[str, str] = {}
    bound: list[str] = []
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            bound.append(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.append(node.id)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                found[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                home = "" if node.level else f"{node.module}.{alias.name}"
                found[alias.asname or alias.name] = home
    return {**found, **dict.fromkeys(bound, "")}


def _imported_names(tree: ast.Module) -> Iterator[str]:
    """The names that imports bind at the top of the module, in branches too."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0]
        elif not isinstance(node, (*_SCOPES, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))


def stored_attributes(tree: ast.Module) -> Iterator[str]:
    """The names of the attributes that the code sets, of whatever object."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


class AttributeUse(NamedTuple):
    """How the code uses an attribute: does it call it, does it read it, what does it ask of it.

    ``answers`` are what its calls can go through, if that is known; ``raises`` is the exception
    in which each of them ends.
    """

    is_called: bool
    is_read: bool
    asked: frozenset[str]
    answers: tuple[Arg, ...] = ()
    raises: Symbol | None = None


_UNUSED: Final = AttributeUse(is_called=False, is_read=False, asked=frozenset())


def attribute_uses(tree: ast.Module) -> dict[str, AttributeUse]:
    """How the code uses each attribute that it reads, of whatever object."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.Attribute, ast.Call))]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    asked: dict[int, str] = {
        id(node.value): node.attr for node in nodes if isinstance(node, ast.Attribute)
    }
    found: dict[str, AttributeUse] = {}
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            calls, reads, names, *_ = found.get(node.attr, _UNUSED)
            is_called = id(node) in called
            more = {asked[id(node)]} if id(node) in asked else frozenset()
            found[node.attr] = AttributeUse(
                calls or is_called, reads or not is_called, names | more
            )
    return found


def _dotted(node: ast.expr) -> list[str]:
    """The names of ``a.b.c``; [] for any other expression."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [node.id, *reversed(names)] if isinstance(node, ast.Name) else []
