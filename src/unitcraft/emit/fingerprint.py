"""Tells the tests that unitcraft wrote from those that a person wrote or edited.

Invariant: a function is ours exactly when the table at the end of the file holds its
digest; everything else in a file belongs to the person and is kept as it stands.
"""

from __future__ import annotations

import ast
import base64
import hashlib
import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from unitcraft.emit.imports import Statement, import_lines

#: The line that names the module a file was written for.
HEADER: Final = re.compile(r"^# Written by unitcraft [^\n]* for (?P<module>[\w.]+)[;.]", re.MULTILINE)

_TABLE: Final = "# unitcraft: "

#: Characters of one digest: 24 bits, so that one edited test in 16 million goes unnoticed.
_DIGITS: Final = 4

_PER_LINE: Final = 18


def digest(name: str, text: str) -> str:
    """Four characters that change with the tokens of ``text``, not with its layout."""
    bare = re.sub(r"[\s,()\"']+", "", text)
    raw = hashlib.blake2b(f"{name}\n{bare}".encode("utf-8", "surrogatepass"), digest_size=3)
    return base64.b64encode(raw.digest(), b"-_").decode()


def table(functions: Iterable[tuple[str, str]]) -> list[str]:
    """The comment lines that hold the digests of (qualified name, text) pairs."""
    found = [digest(name, text) for name, text in functions]
    rows = [found[start : start + _PER_LINE] for start in range(0, len(found), _PER_LINE)]
    return [_TABLE + "".join(row) for row in rows]


def module_of(text: str) -> str | None:
    """The module that ``text`` was written for; None when unitcraft did not write it."""
    found = HEADER.search(text)
    return found["module"] if found else None


@dataclass(frozen=True, slots=True)
class Merged:
    """A file's new text and the tests in it that are a person's."""

    text: str
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Piece:
    """A top-level statement or a method with the comments above it; ``name`` '' if none."""

    name: str
    text: str
    node: ast.stmt


class _File:
    """A parsed test file."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        body = ast.parse(text).body
        self.digests = _digests(self.lines)
        docstring = body[:1] if body and _is_docstring(body[0]) else []
        self.imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
        rest = [node for node in body if node not in docstring and node not in self.imports]
        self.pieces = [self._piece(node) for node in rest]

    def _piece(self, node: ast.stmt, prefix: str = "") -> _Piece:
        first = min([node.lineno, *[item.lineno for item in getattr(node, "decorator_list", [])]])
        while first > 1 and self.lines[first - 2].lstrip().startswith("#"):
            if self._is_ours(self.lines[first - 2]):
                break
            first -= 1
        text = "\n".join(self.lines[first - 1 : node.end_lineno])
        name = getattr(node, "name", "")
        return _Piece(f"{prefix}{name}" if name else "", textwrap.dedent(text), node)

    @staticmethod
    def _is_ours(line: str) -> bool:
        return line.startswith((_TABLE, "# Written by unitcraft "))

    def methods(self, piece: _Piece) -> list[_Piece]:
        """The members of a class."""
        if not isinstance(piece.node, ast.ClassDef):
            return []
        return [self._piece(node, f"{piece.name}.") for node in piece.node.body]

    def owns(self, piece: _Piece) -> bool:
        """Did unitcraft write ``piece``, and has nobody edited it?"""
        return bool(piece.name) and digest(piece.name, piece.text) in self.digests


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _digests(lines: Iterable[str]) -> frozenset[str]:
    joined = "".join([line[len(_TABLE) :] for line in lines if line.startswith(_TABLE)])
    return frozenset(joined[at : at + _DIGITS] for at in range(0, len(joined), _DIGITS))


def merge(old: str, new: str) -> Merged:
    """``new`` with everything that a person wrote or edited in ``old``.

    A test of ours that a person deleted stays deleted as long as it would come out the same.
    An ``old`` that does not parse is a person's work in progress: it is returned as it is.
    """
    if not old.strip():
        return Merged(new)
    try:
        before = _File(old)
    except SyntaxError:
        return Merged(old, ("*",))
    return _Merge(before, _File(new), new).result()


class _Merge:
    """Puts the person's pieces of ``before`` into ``after``."""

    def __init__(self, before: _File, after: _File, new: str) -> None:
        self.before = before
        self.after = after
        self.new = new
        self.kept: list[str] = []

    def result(self) -> Merged:
        old_pieces = {piece.name: piece for piece in self.before.pieces if piece.name}
        mine = [piece for piece in self.before.pieces if not self._entirely_ours(piece)]
        deleted = self.before.digests - {
            digest(piece.name, piece.text) for piece in self._functions(self.before)
        }
        blocks: list[str] = []
        ours: list[tuple[str, str]] = []
        placed: set[str] = set()
        for piece in self.after.pieces:
            if piece.name:
                placed.add(piece.name)
            text = self._placed(piece, old_pieces.get(piece.name), deleted, ours)
            blocks += [text] if text else []
        helpers = [piece for piece in mine if not self._is_test(piece)]
        added = [piece for piece in mine if self._is_test(piece) and piece.name not in placed]
        self.kept += [name for piece in added for name in self._theirs(piece)]
        if not mine and not deleted and not self.kept:
            return Merged(self.new)
        helper_texts = [piece.text for piece in helpers if piece.name not in placed]
        blocks = [*helper_texts, *blocks, *[self._without_ours(piece) for piece in added]]
        return Merged(self._assembled(blocks, ours), tuple(self.kept))

    def _is_test(self, piece: _Piece) -> bool:
        return piece.name.startswith(("test", "Test"))

    def _functions(self, file: _File) -> list[_Piece]:
        return [item for piece in file.pieces for item in (piece, *file.methods(piece))]

    def _entirely_ours(self, piece: _Piece) -> bool:
        methods = self.before.methods(piece)
        if methods:
            return all(self.before.owns(method) for method in methods)
        return self.before.owns(piece)

    def _theirs(self, piece: _Piece) -> list[str]:
        methods = self.before.methods(piece)
        if not methods:
            return [piece.name]
        return [method.name for method in methods if not self.before.owns(method) and method.name]

    def _without_ours(self, piece: _Piece) -> str:
        """A class less the methods that are ours and no longer wanted."""
        methods = self.before.methods(piece)
        if not methods:
            return piece.text
        kept = [method.text for method in methods if not self.before.owns(method)]
        return self._class(piece, kept)

    def _class(self, piece: _Piece, members: list[str]) -> str:
        node = piece.node
        head = piece.text
        if isinstance(node, ast.ClassDef):
            first = ast.get_source_segment(piece.text, ast.parse(piece.text).body[0]) or piece.text
            head = piece.text[: piece.text.index(first)] + first[: _header_length(first)]
        body = "\n\n".join([textwrap.indent(member, "    ") for member in members])
        return f"{head.rstrip()}\n{body}"

    def _placed(
        self,
        piece: _Piece,
        old: _Piece | None,
        deleted: frozenset[str] | set[str],
        ours: list[tuple[str, str]],
    ) -> str:
        methods = self.after.methods(piece)
        if not methods:
            if old is not None and not self._entirely_ours(old):
                self.kept.append(old.name)
                return old.text
            if digest(piece.name, piece.text) in deleted:
                return ""
            ours.append((piece.name, piece.text))
            return piece.text
        return self._placed_class(piece, methods, old, deleted, ours)

    def _placed_class(
        self,
        piece: _Piece,
        methods: list[_Piece],
        old: _Piece | None,
        deleted: frozenset[str] | set[str],
        ours: list[tuple[str, str]],
    ) -> str:
        old_methods = self.before.methods(old) if old else []
        theirs = {item.name: item for item in old_methods if not self.before.owns(item)}
        members = [item.text for item in old_methods if not item.name]
        for method in methods:
            mine = theirs.pop(method.name, None)
            if mine is not None:
                self.kept.append(mine.name)
                members.append(mine.text)
            elif digest(method.name, method.text) not in deleted:
                ours.append((method.name, method.text))
                members.append(method.text)
        extra = [item for item in theirs.values() if item.name]
        self.kept += [item.name for item in extra]
        members += [item.text for item in extra]
        return self._class(old or piece, members) if members else ""

    def _assembled(self, blocks: list[str], ours: list[tuple[str, str]]) -> str:
        statements = [*_statements(self.after.imports)]
        text = "\n\n\n".join(blocks)
        names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        wanted = [item for item in _statements(self.before.imports) if item not in statements]
        statements = [item for item in statements if item.binds in names]
        bound = {item.binds for item in statements}
        statements += [
            item
            for item in wanted
            if item.binds not in bound and (item.binds in names or item.module == "__future__")
        ]
        start = self.new[: self.new.index("\n\n") + 1] if "\n\n" in self.new else ""
        head = _head(self.new)
        lines = [head, "", *import_lines(statements, self._first_party()), "", "", text, *([""] if ours else [])]
        lines += ["", *table(ours)] if ours else []
        del start
        return "\n".join(lines).rstrip("\n") + "\n"

    def _first_party(self) -> frozenset[str]:
        """The modules that the new file sets apart from third-party ones."""
        return _first_party_of(self.after)


def _header_length(text: str) -> int:
    """Characters of a class statement up to its colon and line end."""
    return text.index("\n") if "\n" in text else len(text)


def _head(text: str) -> str:
    """Everything of ``text`` above its imports."""
    lines = text.splitlines()
    body = [node for node in ast.parse(text).body if not _is_docstring(node)]
    end = body[0].lineno - 1 if body else len(lines)
    return "\n".join(lines[:end]).rstrip("\n")


def _statements(nodes: Iterable[ast.stmt]) -> list[Statement]:
    found: list[Statement] = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [Statement(alias.name, "", alias.asname or "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found += [Statement(module, alias.name, alias.asname or "") for alias in node.names]
    return found


def _first_party_of(file: _File) -> frozenset[str]:
    """Modules of the import block that stands apart below pytest's."""
    lines = [node.lineno for node in file.imports]
    if not lines:
        return frozenset()
    block = file.lines[min(lines) - 1 : max(node.end_lineno or 0 for node in file.imports)]
    last = "\n".join(block).split("\n\n")[-1]
    statements = _statements(ast.parse(last).body)
    heads = [item.module.partition(".")[0] for item in statements]
    above = "\n\n" in "\n".join(block) or len(lines) >= 1
    third = any(head == "pytest" for head in heads)
    return frozenset(heads) if above and not third else frozenset()
