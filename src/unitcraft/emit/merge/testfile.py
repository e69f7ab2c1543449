"""A test file taken apart: imports, helpers, test functions, classes of tests.

Invariant: the texts of the pieces are those of the file, comments directly above
included, less the common indentation.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from unitcraft.emit.code.digest_comments import (
    DELETED_PREFIX,
    TABLE_PREFIX,
    deleted_in,
    digest,
    digests_in,
)
from unitcraft.emit.code.imports import Statement

#: Beginnings of the comment lines that belong to the file, not to what follows.
_OUR_COMMENTS: Final = (TABLE_PREFIX, DELETED_PREFIX, "# Written by unitcraft ")


@dataclass(frozen=True, slots=True)
class Piece:
    """A statement of the module or of a class; ``name`` is qualified, '' for what has none.

    ``head`` is the text above the members of a class.  ``ours``: the table lists it.
    """

    name: str
    text: str
    head: str = ""
    members: tuple[Piece, ...] = field(default=())
    ours: bool = False

    @property
    def is_test(self) -> bool:
        """Would pytest collect it?"""
        return self.name.startswith(("test", "Test"))

    @property
    def is_untouched(self) -> bool:
        """Did unitcraft write all of it, and has nobody edited it?"""
        return all(member.ours for member in self.members) if self.members else self.ours


class TestFile:
    """The pieces of ``text``.  Raises SyntaxError when it does not parse."""

    __test__ = False

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        body = ast.parse(text).body
        self.digests = digests_in(self._lines)
        self.deleted = deleted_in(self._lines)
        self.imports = _statements(body)
        first = body[0] if body else None
        self._docstring = first if _is_docstring(first) else None
        self.pieces = [
            self._piece(node, "")
            for node in body
            if node is not self._docstring and not isinstance(node, ast.Import | ast.ImportFrom)
        ]

    def top(self) -> str:
        """The docstring and the comments above the first import."""
        end = self._docstring.end_lineno or 0 if self._docstring else 0
        while end < len(self._lines) and _is_filler(self._lines[end]):
            end += 1
        return "\n".join(self._lines[:end]).strip("\n")

    def functions(self) -> list[Piece]:
        """Every named function of the module and of its classes."""
        return [item for piece in self.pieces for item in (piece.members or (piece,)) if item.name]

    def _piece(self, node: ast.stmt, prefix: str) -> Piece:
        decorators = [item.lineno for item in getattr(node, "decorator_list", [])]
        first = self._above(min([node.lineno, *decorators]))
        text = self._text(first, node.end_lineno or first)
        name = getattr(node, "name", "")
        full = f"{prefix}{name}" if name else ""
        if isinstance(node, ast.ClassDef) and not prefix:
            members = tuple([self._piece(item, f"{name}.") for item in node.body])
            start = node.body[0]
            above = [item.lineno for item in getattr(start, "decorator_list", [])]
            head = self._text(first, self._above(min([start.lineno, *above])) - 1)
            return Piece(full, text, head, members)
        return Piece(full, text, ours=bool(full) and digest(full, text) in self.digests)

    def _above(self, line: int) -> int:
        """The first of the comment lines directly above ``line``."""
        while line > 1 and self._lines[line - 2].lstrip().startswith("#"):
            if self._lines[line - 2].startswith(_OUR_COMMENTS):
                break
            line -= 1
        return line

    def _text(self, first: int, last: int) -> str:
        return textwrap.dedent("\n".join(self._lines[first - 1 : last]))


def _is_filler(line: str) -> bool:
    return not line.strip() or line.startswith("#")


def _is_docstring(node: ast.stmt | None) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _statements(nodes: Iterable[ast.stmt]) -> list[Statement]:
    found: list[Statement] = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [Statement(alias.name, "", alias.asname or "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found += [Statement(module, alias.name, alias.asname or "") for alias in node.names]
    return found


def names_in(text: str) -> frozenset[str]:
    """Every name that ``text`` mentions."""
    return frozenset(node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name))
