"""The kinds of what a module keeps under the keys of its records.

``items.append({"id": number, "title": title.strip(), "done": False})`` says what a test puts under
these keys, where the code reads ``item["done"]`` of an item that it is given; and
``parser.add_argument("id", type=int)`` what ``args.id`` is.

Invariant: nothing is run; a key under which two kinds are kept has none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from unitcraft.core.types import ANY
from unitcraft.subject.description.callee_types import kinds_of
from unitcraft.subject.model import ENTRY, ParameterUse
from unitcraft.subject.passing.expression_kinds import ExpressionTypes

#: Entries of a display from which on its keys are fields, and not data: of the 46 displays of
#: one text in 111 real modules 30 are options of calls or data.
MIN_FIELDS: Final = 2
#: What an option does with its values -> the kind of what comes of it.
_ACTIONS: Final = {
    "store_true": "bool", "store_false": "bool", "BooleanOptionalAction": "bool", "count": "int",
    "append": "list", "extend": "list",
}  # fmt: skip
#: Kinds of which a test writes a value without further thought.
_PLAIN: Final = frozenset(("bool", "int", "float", "str", "bytes", "list", "dict", "set", "tuple"))


def entry_kinds(types: ExpressionTypes, tree: ast.Module) -> Iterator[ParameterUse]:
    """A use of no Invocable for each key, with its kind."""
    found: dict[str, set[str]] = {}
    for scope in types.scopes.scopes:
        body = [scope.node] if scope.node is not None else tree.body if scope.parent is None else []
        for node in (one for part in body for one in _own_nodes(part)):
            for key, value in _entries(node):
                type_ = types.type_of(value, scope)
                if type_ != ANY and not (isinstance(value, ast.Constant) and value.value is None):
                    found.setdefault(key, set()).add(kinds_of(type_))
            for name, kind in _declared(node):
                found.setdefault(name, set()).add(kind)
    for key, kinds in found.items():
        if len(kinds) == 1 and kinds <= _PLAIN:
            yield ParameterUse("", key, ENTRY, kinds.pop(), certain=False)


def _own_nodes(root: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement, functions in it left out, whose names are their own."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        waiting += [one for one in ast.iter_child_nodes(node) if not isinstance(one, inner)]


def _entries(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """(key, value) of a display of fields, or of what is stored under a key."""
    match node:
        case ast.Dict(keys, values) if len(keys) >= MIN_FIELDS:
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value
        case ast.Assign([ast.Subscript(_, ast.Constant(str(name)))], value):
            yield name, value
        case ast.AugAssign(ast.Subscript(_, ast.Constant(str(name))), ast.Sub(), value):
            yield name, value


def _declared(node: ast.AST) -> Iterator[tuple[str, str]]:
    """(name, kind) of what ``argparse`` puts into its namespace for an ``add_argument``."""
    match node:
        case ast.Call(ast.Attribute(_, "add_argument"), args, keywords):
            names = [one.value for one in args if isinstance(one, ast.Constant)]
            settings = {word.arg: word.value for word in keywords}
            given = settings.get("dest")
            named = [given.value] if isinstance(given, ast.Constant) else names
            whole = max((one for one in named if isinstance(one, str)), key=len, default="")
            kind = _kind_of(settings)
            if kind and whole:
                yield whole.lstrip("-").replace("-", "_"), kind


def _kind_of(settings: dict[str | None, ast.expr]) -> str:
    """The kind of an option's value; '' where another function makes it."""
    action = _said(settings.get("action"))
    if action in _ACTIONS:
        return _ACTIONS[action]
    if "nargs" in settings:
        return "list" if _said(settings["nargs"]) != "?" else ""
    return _said(settings["type"]) if "type" in settings else "" if action else "str"


def _said(node: ast.expr | None) -> str:
    match node:
        case ast.Constant(value):
            return str(value)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
