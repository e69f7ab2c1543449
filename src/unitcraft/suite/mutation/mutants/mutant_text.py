"""A mutant in the text of its module: the rest of the file stays as a person wrote it.

Invariant: the text that is answered has the syntax tree of the mutant; where the smallest part that
differs cannot be written in place, a larger one is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from unitcraft.subject.source_files import first_line
from unitcraft.suite.mutation.mutants.function_mutants import copy_tree
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource, SourceMutant


@dataclass(frozen=True, slots=True)
class Change:
    """The lines from ``first`` (1 is the first of the file) that a mutant replaces, and by what."""

    first: int
    old: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def brief(self) -> str:
        """The first line that differs, before and after."""
        added = self._added_line()
        if added:
            return f"(nothing)  ->  {added}"
        pairs = zip(self.old, self.new, strict=False)
        old, new = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
        return f"{old.strip()}  ->  {new.strip()}" if old or new else ""

    def _added_line(self) -> str:
        """The line that is all that is new; '' where lines differ."""
        same = zip(self.old, self.new, strict=False)
        at = next((i for i, (old, new) in enumerate(same) if old != new), len(self.old))
        is_added = self.new[:at] + self.new[at + 1 :] == self.old
        return self.new[at].strip() if is_added else ""

    def applied(self, text: str) -> str:
        """``text`` with the change in it."""
        lines = text.splitlines(keepends=True)
        end = "\n" if not lines or lines[0].endswith("\n") else ""
        made = [f"{line}{end or chr(10)}" for line in self.new]
        last = self.first - 1 + len(self.old)
        if last == len(lines) and lines and not lines[-1].endswith("\n"):
            made[-1] = made[-1].rstrip("\n")
        return "".join([*lines[: self.first - 1], *made, *lines[last:]])


def change_of(source: ModuleSource, mutant: SourceMutant) -> Change | None:
    """The change that makes ``mutant`` in the text of its module; None where none is found.

    It is looked for in the function or assignment, which is a tenth of a large class, and where
    that shares its lines with other code in the whole statement of the module.
    """
    line = mutant.about.line
    around = [mutant.statement, *source.tree.body]
    for node in around:
        first, last = first_line(node), node.end_lineno or node.lineno
        if not first <= line <= last:
            continue
        with mutant.make.in_place():
            changed = copy_tree(node)
        lines = tuple(source.text.splitlines()[first - 1 : last])
        for old, new in reversed(list(_differences(node, changed))):
            for made in _replaced(lines, first, old, new):
                if _is_text_of(made, changed):
                    return Change(first, lines, made)
    return None


def _differences(old: ast.AST, new: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The nodes that hold the difference, from the outermost to the innermost."""
    while True:
        if isinstance(old, ast.stmt | ast.expr):
            yield old, new
        if type(old) is not type(new):
            return
        pairs = list(_unequal_parts(old, new))
        if len(pairs) != 1 or not all(isinstance(one, ast.AST) for one in pairs[0]):
            return
        old, new = pairs[0]


def _unequal_parts(old: ast.AST, new: ast.AST) -> Iterator[tuple[Any, Any]]:
    for name in old._fields:
        before, after = getattr(old, name, None), getattr(new, name, None)
        if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
            yield from (pair for pair in zip(before, after, strict=True) if not _is_same(*pair))
        elif not _is_same(before, after):
            yield before, after


def _is_same(one: Any, other: Any) -> bool:
    """Would ``ast.dump`` write the same of both?  The first difference ends the comparison."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if not isinstance(one, ast.AST):
        return repr(one) == repr(other)
    return all(
        _is_same(getattr(one, name, None), getattr(other, name, None)) for name in one._fields
    )


def _replaced(
    lines: tuple[str, ...], first: int, old: ast.AST, new: ast.AST
) -> Iterator[tuple[str, ...]]:
    """``lines`` with ``new`` in the place of ``old``, in each way of writing it."""
    if not isinstance(old, ast.stmt | ast.expr):
        return
    yield from _with_last_statement(lines, first, old, new)
    start = (first_line(old) if isinstance(old, ast.stmt) else old.lineno) - first
    stop = (old.end_lineno or old.lineno) - first
    before = lines[start].encode()[: old.col_offset].decode()
    after = lines[stop].encode()[old.end_col_offset :].decode()
    text = ast.unparse(new)
    ways = [text, f"({text})"] if isinstance(new, ast.expr) else [_indented(text, before)]
    for way in ways:
        made = f"{before}{way}{after}".splitlines()
        yield (*lines[:start], *made, *lines[stop + 1 :])


def _with_last_statement(
    lines: tuple[str, ...], first: int, old: ast.AST, new: ast.AST
) -> Iterator[tuple[str, ...]]:
    """``lines`` with the statement that ``new`` has after the body of ``old``, on a line below."""
    match old, new:
        case (ast.For() | ast.While(), ast.For() | ast.While()):
            last = old.body[-1]
            if len(new.body) == len(old.body) + 1:
                indent = lines[last.lineno - first][: last.col_offset]
                stop = (last.end_lineno or last.lineno) - first + 1
                yield (*lines[:stop], indent + ast.unparse(new.body[-1]), *lines[stop:])


def _indented(text: str, before: str) -> str:
    """The lines of a statement below the first one, as far in as the first."""
    indent = before if not before.strip() else ""
    return f"\n{indent}".join(text.splitlines())


def _is_text_of(lines: tuple[str, ...], tree: ast.stmt) -> bool:
    text = "\n".join(lines)
    is_indented = lines[0][:1].isspace()
    try:
        (node,) = ast.parse(f"if 1:\n{text}" if is_indented else text).body
        (node,) = node.body if is_indented and isinstance(node, ast.If) else (node,)
    except (SyntaxError, ValueError):
        return False
    return _is_same(node, tree) or _is_same([node], _as_read(tree))


def _as_read(tree: ast.stmt) -> list[ast.stmt]:
    """``tree`` as it is read: a constant of -1, say, is a minus and a 1."""
    return ast.parse(ast.unparse(tree)).body
