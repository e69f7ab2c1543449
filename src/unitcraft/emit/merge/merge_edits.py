"""Keeps what a person wrote or edited in a generated file when it is written again.

Invariant: a function is replaced or left out only when the table at the end of the old
file lists it as it stands there; everything else is kept as it is.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field
from typing import Final

from unitcraft.emit.code.digest_comments import (
    DELETED_PREFIX,
    FAILING_PREFIX,
    digest,
    digest_lines,
    name_lines,
)
from unitcraft.emit.code.imports import Statement, import_lines
from unitcraft.emit.merge.testfile import HEAD, NOTE, Piece, Remark, TestFile, names_in

#: The line that names the module a file was written for.
_NOTE: Final = re.compile(r"^# Written by unitcraft \S+ for ([\w.]+);", re.MULTILINE)

#: An import block that stands apart below pytest's: the project's own modules.
_APART: Final = re.compile(r"^import pytest\n\n(?:from|import) ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Merged:
    """A file's new text, the names in it that are a person's, and those that a person deleted.

    ``dropped`` names the tests of ours that are left out because they fail where the file lives.
    """

    text: str
    kept: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


def module_of(text: str) -> str | None:
    """The module that ``text`` was written for; None when unitcraft did not write it."""
    found = _NOTE.search(text)
    return found[1] if found else None


def merge(old: str, new: str, dropped: frozenset[str] = frozenset()) -> Merged:
    """``new`` with everything that a person wrote or edited in ``old``.

    A test of ours that a person deleted stays away; a comment at the end of the file names it.
    ``dropped`` are tests of ours that are not to be written; a comment names them, so that they
    stay away until somebody takes it out.
    An ``old`` that does not parse is a person's work in progress and comes back as it is.
    """
    if not old.strip():
        return Merged(new)
    try:
        before = TestFile(old)
    except SyntaxError:
        return Merged(old, ("(the whole file: it does not parse)",))
    after = TestFile(new)
    work = _Merge(before, after, dropped | frozenset(before.failing))
    blocks = work.blocks()
    if work.is_trivial:
        return Merged(new)
    text = _assemble(blocks, work, new)
    return Merged(text, tuple(work.kept), tuple(work.gone), tuple(work.failing))


@dataclass(slots=True)
class _Merge:
    """One merge (mutable).

    ``kept`` names what stays as a person wrote it, ``ours`` holds (name, text) of the functions
    that unitcraft writes, ``gone`` names the tests that a person deleted, ``failing`` those of
    ``dropped`` that there would be; ``remarks`` are comments that still need a place.
    """

    before: TestFile
    after: TestFile
    dropped: frozenset[str] = frozenset()
    kept: list[str] = field(default_factory=list)
    ours: list[tuple[str, str]] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    failing: list[str] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    @property
    def is_trivial(self) -> bool:
        """Is the new text right as it is?"""
        heads = {piece.name: piece.head for piece in self.after.pieces if piece.members}
        mine = self.has_own_docstring or self.before.remarks() or self.kept or self.gone
        return not (mine or self.before.deleted or self.dropped) and all(
            heads.get(piece.name, piece.head) == piece.head for piece in self.before.pieces
        )

    @property
    def has_own_docstring(self) -> bool:
        """Did a person write the docstring of the file?"""
        return self.before.docstring not in ("", self.after.docstring)

    def blocks(self) -> list[str]:
        """The texts of the file's functions, classes and remarks, helpers first."""
        top = self.after.top()
        self.remarks = [one for one in self.before.remarks() if one.text not in top]
        old = {piece.name: piece for piece in self.before.pieces if piece.name}
        new = {piece.name for piece in self.after.pieces}
        edited = [piece for piece in self.before.pieces if not piece.is_untouched]
        helpers = [piece for piece in edited if not piece.is_test and piece.name not in new]
        self.kept += [piece.name or piece.text.partition("\n")[0] for piece in helpers]
        blocks = [(piece.name or piece.text, piece.text) for piece in helpers]
        blocks += [
            (piece.name, self._merge_piece(piece, old.get(piece.name)))
            for piece in self.after.pieces
        ]
        added = [piece for piece in edited if piece.is_test and piece.name not in new]
        blocks += [(piece.name, self._added_piece(piece)) for piece in added]
        texts = self._with_remarks(blocks)
        return texts + [one.text for one in self.remarks if one.before not in (HEAD, NOTE)]

    def _with_remarks(self, blocks: list[tuple[str, str]], end: str = "") -> list[str]:
        """The texts of ``blocks`` that have one, the remarks above each; those of ``end`` last."""
        names = {name for name, text in blocks if text}
        if end:
            names.add(end)
        placed = [one for one in self.remarks if one.before in names]
        self.remarks = [one for one in self.remarks if one.before not in names]
        found: list[str] = []
        for name, text in [*blocks, (end, "")]:
            found += [one.text for one in placed if one.before == name]
            found += [text] if text else []
        return found

    def _merge_piece(self, piece: Piece, old: Piece | None) -> str:
        """``piece`` of the new file, or the version that the person edited."""
        if piece.members and (old is None or old.members):
            return self._merge_class(piece, old)
        if old is not None and not old.is_untouched:
            self.kept.append(old.name)
            return old.text
        return self._new_piece(piece)

    def _new_piece(self, piece: Piece) -> str:
        """A new function, unless it is one that the person deleted."""
        known = {item.name for item in self.before.functions()}
        if piece.name in self.dropped:
            self.failing.append(piece.name)
            return ""
        was_ours = digest(piece.name, piece.text) in self.before.digests
        if piece.name not in known and (was_ours or piece.name in self.before.deleted):
            self.gone.append(piece.name)
            return ""
        self.ours.append((piece.name, piece.text))
        return piece.text

    def _merge_class(self, piece: Piece, old: Piece | None) -> str:
        edited = {
            member.name or member.text: member
            for member in (old.members if old else ())
            if not member.ours
        }
        unnamed = [name for name, member in edited.items() if not member.name]
        blocks = [(name, edited.pop(name).text) for name in unnamed]
        for member in piece.members:
            mine = edited.pop(member.name, None)
            self.kept += [mine.name] if mine else []
            blocks.append((member.name, mine.text if mine else self._new_piece(member)))
        self.kept += list(edited)
        blocks += [(member.name, member.text) for member in edited.values()]
        head = old.head if old else piece.head
        if not any(text for _, text in blocks):
            return ""
        return _class_text(head, self._with_remarks(blocks, f"{piece.name}."))

    def _added_piece(self, piece: Piece) -> str:
        """A person's test or class that the new file lacks, without the functions that are ours."""
        if not piece.members:
            self.kept.append(piece.name)
            return piece.text
        members = [member for member in piece.members if not member.ours]
        self.kept += [member.name for member in members if member.name]
        blocks = [(member.name or member.text, member.text) for member in members]
        return _class_text(piece.head, self._with_remarks(blocks, f"{piece.name}."))


def _class_text(head: str, members: list[str]) -> str:
    if not members:
        return ""
    return head + "\n" + "\n\n".join([textwrap.indent(member, "    ") for member in members])


def _assemble(blocks: list[str], work: _Merge, new: str) -> str:
    text = "\n\n\n".join(blocks)
    statements = _imports(work, names_in(text))
    apart = frozenset(
        [item.module.partition(".")[0] for item in work.after.imports if _APART.search(new)]
    ) - {"pytest"}
    head = [one.text for one in work.remarks if one.before == HEAD]
    note = ["", *[one.text for one in work.remarks if one.before == NOTE]]
    top = work.after.top()
    if work.before.docstring not in ("", work.after.docstring):
        top = top.replace(work.after.docstring, work.before.docstring, 1)
    lines = [
        *head,
        top,
        *(note if len(note) > 1 else []),
        "",
        *import_lines(statements, apart),
        "",
        "",
        text,
    ]
    end = name_lines(DELETED_PREFIX, _deleted(work)) + name_lines(FAILING_PREFIX, work.failing)
    end += digest_lines(work.ours)
    lines += ["", "", *end] if end else []
    return "\n".join(lines) + "\n"


def _deleted(work: _Merge) -> list[str]:
    """The names of tests that stay away: the old ones in their order, unless they are back."""
    present = {item.name for item in work.before.functions()}
    known = [name for name in work.before.deleted if name not in present]
    return list(dict.fromkeys([*known, *work.gone]))


def _imports(work: _Merge, names: frozenset[str]) -> list[Statement]:
    """The imports that are needed: the new ones first, then the person's for other names."""
    needed = [item for item in work.after.imports if item.binds in names]
    bound = {item.binds for item in needed}
    return needed + [
        item
        for item in work.before.imports
        if item.module == "__future__" or (item.binds in names and item.binds not in bound)
    ]
