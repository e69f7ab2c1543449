"""The table of sites: outcomes of branches, conditions, function entries and handlers.

Invariant: sites are numbered in source order within a file, so the numbers of a
module depend only on its text and on the order in which modules are loaded.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Literal, NamedTuple

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
