"""Collects the values that the code of a module mentions: its literals, and by name.

What stands under a name is a table, a constant, a compiled regex or a callee.

Invariant: literals are a function of the source text alone, in source order, without repeats;
docstrings, annotations, messages of raised errors and module metadata are left out.  Names are
looked up in the loaded module without running its code.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import Any, Final

from unitcraft.core.sequences import Atom
from unitcraft.subject import static_lookup
from unitcraft.subject.decorators import is_callable_wrapper
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.model import Constant, Regex
from unitcraft.subject.reading.regexes import is_valid_regex, looks_like_regex
from unitcraft.subject.scopes import callee_name, is_docstring, walk_scopes, word_set

MAX_TEXT: Final = 80  # characters of a text; longer texts are prose
MAX_OF_TABLE: Final = 60  # entries read of one table
MAX_ATOMS: Final = 16  # numbers and texts kept of one table; regexes are all kept
MAX_DEPTH: Final = 3  # levels of tables in tables

#: Roles of literals, the most useful first.
ROLES: Final = ("compare", "member", "key", "keyword", "format", "default", "plain")

#: Calls whose arguments are compared with the receiver or looked up in it.
_TEXT_METHODS: Final = word_set(
    "startswith endswith split rsplit partition rpartition replace find rfind index rindex strip "
    "lstrip rstrip count removeprefix removesuffix join getattr hasattr setattr get pop"
)
#: Calls whose text arguments are messages or names.
_MESSAGES: Final = word_set(
    "warn debug info warning error exception critical log print TypeVar NewType namedtuple"
)
#: Method or function of the standard library whose first argument is one of few names -> one of
#: them, where the code does not name it itself.
_NAMES_ACCEPTED: Final[Mapping[str, str]] = MappingProxyType(
    {"encode": "utf-8", "decode": "utf-8", "import_module": "json", "ZoneInfo": "UTC"}
)
#: A group reference of ``re.sub``.
_REPLACEMENT: Final = re.compile(r"\\(?:\d|g<)")


def constants_in(tree: ast.Module) -> tuple[Constant, ...]:
    """The Constants of a module; of repeats in one scope the one with the first role is kept."""
    found: dict[tuple[str, str], Constant] = {}
    for constant in chain(_Collector().collect(tree), _keywords(tree), _names_accepted(tree)):
        key = (repr(constant.value), constant.scope)
        known = found.get(key)
        if known is None or ROLES.index(constant.role) < ROLES.index(known.role):
            found[key] = constant
    return tuple(found.values())


def _keywords(tree: ast.Module) -> Iterator[Constant]:
    """The parameters of functions of the module to which a mapping is passed as ``**options``.

    They are keys of that mapping, which no literal says: each in the scope of the call and in that
    of the function.
    """
    functions: dict[str, list[tuple[str, ast.FunctionDef]]] = defaultdict(list)
    calls: list[tuple[str, str]] = []
    for node, scope in walk_scopes(tree):
        if isinstance(node, ast.FunctionDef):
            owner = scope.rpartition(".")[2]
            name = owner if node.name == "__init__" else node.name
            functions[name].append((f"{scope}.{node.name}" if scope else node.name, node))
        elif isinstance(node, ast.Call) and any(word.arg is None for word in node.keywords):
            calls.append((callee_name(node), scope))
    for name, scope in calls:
        for home, function in functions.get(name, ())[:1]:
            given = function.args
            for one in (*given.posonlyargs, *given.args, *given.kwonlyargs):
                if one.arg not in ("self", "cls"):
                    yield Constant(one.arg, scope, "keyword")
                    yield Constant(one.arg, home, "keyword")


def _names_accepted(tree: ast.Module) -> Iterator[Constant]:
    """A name for each call that accepts few and is not given a literal: none is met by chance."""
    for node, scope in walk_scopes(tree):
        if isinstance(node, ast.Call) and callee_name(node) in _NAMES_ACCEPTED:
            given = [*node.args, *[keyword.value for keyword in node.keywords]]
            if given and not isinstance(given[0], ast.Constant):
                yield Constant(_NAMES_ACCEPTED[callee_name(node)], scope, "compare")


class _Collector:
    """Walks one module; ``_ignored`` and ``_roles`` are filled by the parents of a node."""

    def __init__(self) -> None:
        self._ignored: set[int] = set()  # ids of nodes of the one tree being walked
        self._roles: dict[int, str] = {}

    def collect(self, tree: ast.Module) -> Iterator[Constant]:
        """Every useful literal with its scope and role."""
        for node, scope in walk_scopes(tree):
            if id(node) in self._ignored:
                self._ignored.update(id(child) for child in ast.iter_child_nodes(node))
                continue
            self._mark(node)
            value = _value(node)
            if value is not None:
                self._ignored.update(id(child) for child in ast.iter_child_nodes(node))
                yield Constant(value, scope, self._roles.get(id(node), "plain"))

    def _mark(self, node: ast.AST) -> None:
        if isinstance(node, ast.stmt) and (is_docstring(node) or _is_metadata(node)):
            self._ignore(*ast.iter_child_nodes(node))
        for kind, fields in _IGNORED_FIELDS:
            if isinstance(node, kind):
                self._ignore(*_below(node, fields))
        for kind, fields, role in _ROLE_OF_FIELD:
            if isinstance(node, kind):
                self._role(role, *_below(node, fields))
        match node:
            case ast.Raise() | ast.Assert(msg=ast.expr()):
                self._ignore(*_texts_below(node))
            case ast.Compare():
                self._compare(node)
            case ast.BinOp(left=left, op=ast.Mod()) if _is_text(left):
                self._role("format", left)
            case ast.Call():
                self._call(node)

    def _compare(self, node: ast.Compare) -> None:
        members = any(isinstance(op, ast.In | ast.NotIn) for op in node.ops)
        for side in (node.left, *node.comparators):
            self._role("compare", side)
            if members and isinstance(side, ast.Tuple | ast.List | ast.Set):
                self._role("member", *side.elts)

    def _call(self, node: ast.Call) -> None:
        name = callee_name(node)
        if name in _TEXT_METHODS:
            for part in node.args:
                self._role("compare", part)
                if isinstance(part, ast.Tuple):
                    self._role("compare", *part.elts)
        elif name in _MESSAGES or name.endswith(("Error", "Warning", "Exception")):
            self._ignore(*_texts_below(node))
        elif name == "format" and isinstance(node.func, ast.Attribute):
            self._role("format", node.func.value)

    def _role(self, role: str, *nodes: ast.AST | None) -> None:
        self._roles.update({id(node): role for node in nodes if node is not None})

    def _ignore(self, *nodes: ast.AST | None) -> None:
        self._ignored.update(id(node) for node in nodes if node is not None)


#: Node class and field whose literals are ignored.
_IGNORED_FIELDS: Final[tuple[tuple[type[ast.AST], str], ...]] = (
    (ast.AnnAssign, "annotation"),
    (ast.arg, "annotation"),
    (ast.FunctionDef, "returns"),
    (ast.AsyncFunctionDef, "returns"),
    (ast.FormattedValue, "format_spec"),
)

#: Node class, field, and the role of the literals there.
_ROLE_OF_FIELD: Final[tuple[tuple[type[ast.AST], str, str], ...]] = (
    (ast.Dict, "keys", "key"),
    (ast.Subscript, "slice", "key"),
    (ast.arguments, "defaults", "default"),
    (ast.arguments, "kw_defaults", "default"),
    (ast.JoinedStr, "values", "format"),
    (ast.MatchValue, "value", "compare"),
)


def _below(node: ast.AST, part: str) -> list[ast.AST | None]:
    found = getattr(node, part)
    return found if isinstance(found, list) else [found]


def _value(node: ast.AST) -> Atom:
    """The atom of a useful literal (negative numbers included), else None."""
    match node:
        case ast.Constant(value=bool() | None):
            return None
        case ast.Constant(value=str() | bytes() | int() | float() | complex() as value):
            return value if is_useful_constant(value) else None
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
    return None


def is_useful_constant(value: Atom) -> bool:
    """Is it a number, or a short text that is neither a regex nor a replacement?"""
    if isinstance(value, bytes):
        return 0 < len(value) <= MAX_TEXT
    if not isinstance(value, str):
        return True
    if not 0 < len(value) <= MAX_TEXT or any("\ud800" <= one <= "\udfff" for one in value):
        return False
    return not looks_like_regex(value) and not _REPLACEMENT.search(value)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _texts_below(node: ast.AST) -> Iterator[ast.AST]:
    for inner in ast.walk(node):
        if _is_text(inner) or isinstance(inner, ast.JoinedStr):
            yield inner


def _is_metadata(node: ast.stmt) -> bool:
    """Is it an assignment to ``__all__``, ``__version__`` and the like?"""
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(one, ast.Name) and one.id.startswith("__") for one in targets)


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
