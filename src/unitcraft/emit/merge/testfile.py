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
    FAILING_PREFIX,
    TABLE_PREFIX,
    digest,
    digests_in,
    names_after,
)
from unitcraft.emit.code.imports import Statement

#: Beginnings of the comment lines that belong to the file, not to what follows.
_OUR_COMMENTS: Final = (TABLE_PREFIX, DELETED_PREFIX, FAILING_PREFIX, "# Written by unitcraft ")


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


@dataclass(frozen=True, slots=True)
class Remark:
    """Comment lines of a person that stand apart; ``before`` is the qualified name that follows.

    It is HEAD or NOTE above the first import (before or after the docstring), the name of a class
    with a dot behind its last member, the text of a statement without a name, and '' at the end of
    the file.
    """

    text: str
    before: str


#: Places of remarks above the first import.
HEAD: Final = "^"
NOTE: Final = "^note"


class TestFile:
    """The pieces of ``text``.  Raises SyntaxError when it does not parse."""

    __test__ = False

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        body = ast.parse(text).body
        self.digests = digests_in(self._lines)
        self.deleted = names_after(DELETED_PREFIX, self._lines)
        self.failing = names_after(FAILING_PREFIX, self._lines)
        self.imports = _statements(body)
        first = body[0] if body else None
        self._docstring = first if _is_docstring(first) else None
        self.docstring = ast.get_docstring(ast.Module(body, []), clean=False) or ""
        self._spans: list[tuple[int, int, str]] = []
        self.pieces = [
            self._piece(node, "")
            for node in body
            if node is not self._docstring and not isinstance(node, ast.Import | ast.ImportFrom)
        ]
        self._body = body

    def top(self) -> str:
        """The docstring and the comments above the first import."""
        end = self._docstring.end_lineno or 0 if self._docstring else 0
        while end < len(self._lines) and _is_filler(self._lines[end]):
            end += 1
        return "\n".join(self._lines[:end]).strip("\n")

    def remarks(self) -> list[Remark]:
        """The comments of a person that stand apart from statements."""
        header = self._docstring.lineno if self._docstring else 0
        imports = [
            (node.lineno, node.end_lineno or node.lineno, NOTE)
            for node in self._body
            if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        start = self._docstring.end_lineno or header if self._docstring else 0
        spans = sorted([(header, start, HEAD), *imports, *self._spans])
        found: list[Remark] = []
        above, group = 1, ""
        for first, last, name in [*spans, (len(self._lines) + 1, 0, "")]:
            for block in self._comment_blocks(above, first - 1):
                is_inside = block[0] != block[0].lstrip() and group
                bare = "\n".join([line.strip() for line in block])
                found.append(Remark(bare, f"{group}." if is_inside else name))
            owner, dot, _ = name.partition(".")
            above, group = last + 1, owner if dot else ""
        return found

    def _comment_blocks(self, first: int, last: int) -> list[list[str]]:
        """The comments of a person in the lines from ``first`` to ``last``, by neighbours."""
        blocks: list[list[str]] = []
        is_open = False
        for line in self._lines[first - 1 : last]:
            bare = line.strip()
            is_remark = bare.startswith("#") and not line.startswith(_OUR_COMMENTS)
            if is_remark and is_open:
                blocks[-1].append(line)
            elif is_remark:
                blocks.append([line])
            is_open = is_remark
        return blocks

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
            beginning = self._above(min([start.lineno, *above]))
            head = _without_remarks(self._text(first, beginning - 1))
            self._spans.append((first, node.lineno, full))
            return Piece(full, text, head, members)
        self._spans.append((first, node.end_lineno or first, full or text))
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


def _without_remarks(head: str) -> str:
    """The text above the members of a class without what stands apart below its first line."""
    lines = head.splitlines()
    while lines and _is_filler(lines[-1].lstrip()):
        lines.pop()
    return "\n".join(lines)


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
