"""The table of sites: outcomes of branches, conditions, function entries and handlers.

And what counts as a table of a module, so that each entry of it is something to be shown.  A
registry does not: it is empty when the module is imported, and whatever a test registers would be
one more.

Invariant: sites are numbered in source order within a file, so the numbers of a
module depend only on its text and on the order in which modules are loaded.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

SiteKind = Literal["entry", "if", "loop", "case", "handler", "condition"]


@dataclass(frozen=True, slots=True)
class BranchSite:
    """One observable outcome: ``kind`` at ``line`` of ``scope`` came out as ``outcome``.

    ``scope`` is the qualname of the enclosing function ('' for the module).  ``entry``
    sites are function entries (outcome ``entered``); the others come in pairs or rows.  ``column``
    is where its expression begins in that line.
    """

    module: str
    scope: str
    line: int
    kind: SiteKind
    outcome: str
    column: int = 0


class DefUsePair(NamedTuple):
    """A def-use pair that the source shows, by the sites of its definition and its use.

    ``lines`` are in the functions that lead to the use; ``title`` names the pair for people.
    """

    definition: int
    use: int
    lines: tuple[int, ...]
    title: str


class RaiseLines(NamedTuple):
    """A raise statement: its module, first and last line, and what is named there ('' if not).

    ``after_any``: it stands in a handler of all exceptions, those of misuse among them.
    """

    module: str
    first: int
    last: int
    name: str = ""
    after_any: bool = False


def catches_any(handler: ast.ExceptHandler) -> bool:
    """Does it catch all exceptions?"""
    return handler.type is None or ast.unparse(handler.type) in ("Exception", "BaseException")


class SiteTable:
    """Sites by number, over all rewritten modules of one process (append-only)."""

    __slots__ = ("guards", "raises", "sites", "tables")

    def __init__(self) -> None:
        self.sites: list[BranchSite] = []
        #: True sites of the comparisons that decide a branch.
        self.guards: set[int] = set()
        #: Sites that look a value up in a literal or a module-level table.
        self.tables: set[int] = set()
        self.raises: list[RaiseLines] = []

    def add(self, site: BranchSite) -> int:
        """The number of a new site."""
        self.sites.append(site)
        return len(self.sites) - 1

    def as_plain(self) -> list[tuple[str, str, int, str, str, int]]:
        """One tuple for each site, in number order."""
        return [(s.module, s.scope, s.line, s.kind, s.outcome, s.column) for s in self.sites]


#: Classes whose instances are empty when nothing is given.
_CONTAINERS: Final = ("dict", "list", "set", "OrderedDict", "WeakValueDictionary", "defaultdict")

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def table_names(tree: ast.Module) -> frozenset[str]:
    """The names that ``tree`` assigns at its top, without those of registries.

    A name is left out only where nothing that runs at import can fill its container.
    """
    assigned = {name: value for one in tree.body for name, value in _assigned(one)}
    empty = {name for name, value in assigned.items() if _is_empty(value)}
    return frozenset(assigned) - (empty - _filled(tree) if empty else empty)


def _assigned(node: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    for target in targets:
        if isinstance(target, ast.Name):
            yield target.id, getattr(node, "value", None)


def _is_empty(value: ast.expr | None) -> bool:
    match value:
        case ast.Dict(keys=items) | ast.List(elts=items) | ast.Set(elts=items):
            return not items
        case ast.Call(ast.Name(name) | ast.Attribute(attr=name), args, []):
            return name in _CONTAINERS and (not args or name == "defaultdict")
    return False


def _filled(tree: ast.Module) -> set[str]:
    """The names that are used at import: by statements, or by functions called or as decorators."""
    functions = {one.name: one for one in tree.body if isinstance(one, _Function)}
    used = {name for one in tree.body for name in _used_at_import(one)}
    inside = {name for called in used & functions.keys() for name in _names(functions[called])}
    return used | inside


def _used_at_import(node: ast.stmt) -> Iterator[str]:
    """The names that a statement at the top uses, without what it defines."""
    if isinstance(node, _Function):
        for decorator in node.decorator_list:
            yield from _names(decorator)
    elif isinstance(node, ast.ClassDef):
        for one in (*node.decorator_list, *node.bases):
            yield from _names(one)
        for child in node.body:
            yield from _used_at_import(child)
    else:
        yield from _names(node)


def _names(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            yield one.id
