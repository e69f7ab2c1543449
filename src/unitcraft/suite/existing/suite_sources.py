"""The source text of tests: their functions by line, and the pragmas for unitcraft.

Invariant: nothing is imported; a file that cannot be read as Python has no functions.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from unitcraft.subject.source_files import first_line

Function = ast.FunctionDef | ast.AsyncFunctionDef

_PRAGMA: Final = re.compile(r"#\s*unitcraft:\s*(keep|ignore)\b(?:\[([\w\s,]*)\])?")

#: The pragma that keeps a test, whatever is found.
KEEP: Final = "keep"
#: The pragma that hides findings.
IGNORE: Final = "ignore"

#: The prefix of all codes of findings.
ALL_CODES: Final = "UC"


@dataclass(frozen=True, slots=True)
class Definition:
    """A function of a test file with the classes around it, outermost first."""

    node: Function
    owners: tuple[ast.ClassDef, ...]

    @property
    def name(self) -> str:
        """The dotted name in the file."""
        return ".".join([*(one.name for one in self.owners), self.node.name])

    @property
    def line(self) -> int:
        """The first line, decorators included."""
        return first_line(self.node)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of tests: ``definitions`` by first line, ``pragmas`` by line as (word, codes)."""

    text: str = ""
    tree: ast.Module = field(default_factory=lambda: ast.Module([], []))
    definitions: dict[int, Definition] = field(default_factory=dict)
    pragmas: dict[int, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    comments: frozenset[int] = frozenset()

    def words(self, line: int) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The pragmas that hold for the function at ``line``, its classes included."""
        definition = self.definitions.get(line)
        heads = [definition.node, *definition.owners] if definition is not None else []
        for node in heads:
            last = max(node.lineno, first_line(node.body[0]) - 1)
            for number in range(self.attached(first_line(node)), last + 1):
                if number in self.pragmas:
                    yield self.pragmas[number]

    def attached(self, line: int) -> int:
        """The first of the comment lines directly above ``line``, or ``line`` itself."""
        while line - 1 in self.comments:
            line -= 1
        return line


@lru_cache(maxsize=512)
def source_of(file: str) -> SourceFile:
    """The SourceFile of a path; an empty one when it cannot be read."""
    try:
        with tokenize.open(file) as stream:
            return parse_source(stream.read())
    except (OSError, SyntaxError, ValueError):
        return SourceFile()


def parse_source(text: str) -> SourceFile:
    """The SourceFile of ``text``.

    Raises SyntaxError or ValueError when it is not Python.
    """
    tree = ast.parse(text)
    found = {one.line: one for one in _definitions(tree.body, ())}
    pragmas: dict[int, tuple[str, tuple[str, ...]]] = {}
    comments: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT:
            continue
        if not token.line[: token.start[1]].strip():
            comments.add(token.start[0])
        match = _PRAGMA.search(token.string)
        if match:
            codes = [code.strip() for code in (match[2] or ALL_CODES).split(",")]
            pragmas[token.start[0]] = (match[1], tuple(code for code in codes if code))
    return SourceFile(text, tree, found, pragmas, frozenset(comments))


def _definitions(body: list[ast.stmt], owners: tuple[ast.ClassDef, ...]) -> Iterator[Definition]:
    for node in body:
        if isinstance(node, Function):
            yield Definition(node, owners)
        elif isinstance(node, ast.ClassDef):
            yield from _definitions(node.body, (*owners, node))
        elif isinstance(node, ast.If | ast.Try | ast.With):
            for name in ("body", "orelse", "finalbody"):
                yield from _definitions(getattr(node, name, []), owners)
            for handler in getattr(node, "handlers", []):
                yield from _definitions(handler.body, owners)


@dataclass(frozen=True, slots=True)
class RowList:
    """Rows of ``parametrize`` that are written out, for some parameters; ``ids`` as given."""

    names: tuple[str, ...]
    display: ast.List | ast.Tuple
    ids: ast.expr | None

    def value(self, name: str, row: int) -> ast.expr | None:
        """The value of a parameter in a row; None where it is not written out."""
        if row >= len(self.display.elts):
            return None
        cells = self._cells(self.display.elts[row])
        return cells[self.names.index(name)] if len(cells) == len(self.names) else None

    def _cells(self, row: ast.expr) -> list[ast.expr]:
        if isinstance(row, ast.Call) and ast.unparse(row.func).endswith("param"):
            return row.args
        if len(self.names) == 1:
            return [row]
        return row.elts if isinstance(row, ast.Tuple | ast.List) else []


def row_lists(
    node: Function | ast.ClassDef, constants: Mapping[str, ast.expr] = MappingProxyType({})
) -> dict[str, RowList]:
    """For each parametrised name of a function or class the rows that are written out for it.

    ``constants`` are lists of rows by name, which count as written out.
    """
    found: dict[str, RowList] = {}
    for call in node.decorator_list:
        if not (isinstance(call, ast.Call) and ast.unparse(call.func).endswith("parametrize")):
            continue
        given = {word.arg: word.value for word in call.keywords}
        names = call.args[0] if call.args else given.get("argnames")
        rows = call.args[1] if len(call.args) > 1 else given.get("argvalues")
        if isinstance(rows, ast.Name):
            rows = constants.get(rows.id)
        if names is None or not isinstance(rows, ast.List | ast.Tuple):
            continue
        if not any(isinstance(row, ast.Starred) for row in rows.elts):
            written = tuple(_parameter_names(names))
            found.update(dict.fromkeys(written, RowList(written, rows, given.get("ids"))))
    return found


def _parameter_names(node: ast.expr) -> list[str]:
    """The names of ``"a, b"`` or ``("a", "b")``."""
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return []
    parts = value.split(",") if isinstance(value, str) else value
    return [str(part).strip() for part in parts if str(part).strip()]


def is_kept(file: str, line: int) -> bool:
    """Does a ``keep`` pragma stand at the function, or at a class around it?"""
    return any(word == KEEP for word, _ in source_of(file).words(line))


def is_ignored(file: str, line: int, code: str) -> bool:
    """Does an ``ignore`` pragma for ``code`` stand there?"""
    return any(
        word == IGNORE and any(code.startswith(one) for one in codes)
        for word, codes in source_of(file).words(line)
    )
