"""Resolves the names that each function reads: tables, constants, compiled regexes, callees.

Invariant: names are looked up in the loaded module without running its code; scopes are
those of ``scopes.walk_scopes``, the order is that of the source.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from unitcraft.subject import static_lookup
from unitcraft.subject.decorators import is_callable_wrapper
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.model import Constant, Regex
from unitcraft.subject.reading.constants import is_useful_constant
from unitcraft.subject.reading.regexes import is_valid_regex, looks_like_regex
from unitcraft.subject.scopes import walk_scopes

MAX_OF_TABLE: Final = 60  # entries read of one table
MAX_ATOMS: Final = 16  # numbers and texts kept of one table; regexes are all kept
MAX_DEPTH: Final = 3  # levels of tables in tables


@dataclass(slots=True)
class NameReferences:
    """The constants, regexes and callees of a module (mutable while collecting).

    ``calls``: scope -> scopes that its code mentions (the values are None: an ordered set).
    """

    constants: list[Constant] = field(default_factory=list)
    regexes: list[Regex] = field(default_factory=list)
    calls: dict[str, dict[str, None]] = field(default_factory=dict)

    def add(self, scope: str, value: Any, role: str = "compare", depth: int = 0) -> None:
        """Collect a pattern, an atom, or the contents of a table, as seen from ``scope``."""
        if type(value) is re.Pattern:
            self.regexes.append(Regex(value.pattern, value.flags, scope))
        elif type(value) is str and looks_like_regex(value) and is_valid_regex(value, 0):
            self.regexes.append(Regex(value, 0, scope))
        elif type(value) in (str, bytes, int, float) and is_useful_constant(value):
            self.constants.append(Constant(value, scope, role))
        elif type(value) in (dict, list, tuple, set, frozenset) and depth < MAX_DEPTH:
            before = len(self.constants)
            for part in _parts(value)[:MAX_OF_TABLE]:
                self.add(scope, part, "key" if type(value) is dict else "member", depth + 1)
            del self.constants[before + MAX_ATOMS :]


def collect_references(view: DescriptionContext, tree: ast.Module) -> NameReferences:
    """The data and callees that the functions of the module mention by name."""
    found = NameReferences()
    seen: set[tuple[str, str]] = set()
    for node, scope in walk_scopes(tree):
        name = _read_name(node)
        if not scope or not name or (scope, name) in seen:
            continue
        seen.add((scope, name))
        value, path = _resolve(view, name, scope)
        if path:
            found.calls.setdefault(scope, {})[path] = None
        elif value is not None:
            found.add(scope, value)
    return found


def _read_name(node: ast.AST) -> str:
    """``x`` or ``owner.x`` if the node reads such a name ('' otherwise)."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            return name
        case ast.Attribute(value=ast.Name(id=owner), attr=name, ctx=ast.Load()):
            return f"{owner}.{name}"
    return ""


def _resolve(view: DescriptionContext, name: str, scope: str) -> tuple[Any, str]:
    """(object, '') for data, (None, scope of the callee) for functions, (None, '') for neither."""
    owner, _, attribute = name.partition(".")
    if not attribute:
        value = view.names.get(name)
        if static_lookup.is_class(value):
            return None, f"{name}.__init__"
        return (None, name) if is_callable_wrapper(value) else (value, "")
    path = scope.partition(".")[0] if owner in ("self", "cls") else owner
    cls = view.names.get(path)
    if not static_lookup.is_class(cls):
        return None, ""
    found = static_lookup.lookup(cls, attribute)  # type: ignore[arg-type]
    if found is None:
        return None, ""
    wrapped = (staticmethod, classmethod, property)
    is_code = is_callable_wrapper(found[0]) or static_lookup.is_instance(found[0], wrapped)
    return (None, f"{path}.{attribute}") if is_code else (found[0], "")


def _parts(value: Any) -> list[Any]:
    if type(value) is dict:
        return list(_keys_and_tables(value))
    if type(value) in (set, frozenset):
        return sorted([one for one in value if type(one) in (str, bytes, int, float)], key=repr)
    return list(value)


def _keys_and_tables(table: dict[Any, Any]) -> Iterator[Any]:
    for key, value in tuple(table.items())[:MAX_OF_TABLE]:
        yield key
        if type(value) in (str, int, re.Pattern):
            yield value
