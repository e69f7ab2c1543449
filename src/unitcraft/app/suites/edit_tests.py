"""Removes tests from the text of a file.

Invariant: the new text is the old one without some of its lines or characters, and its syntax
tree is the old one without the nodes to remove; every other byte stays.
"""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from unitcraft.subject.source_files import first_line
from unitcraft.suite.existing.suite_sources import (
    Definition,
    SourceFile,
    parse_source,
    row_lists,
)

#: Stands for all tests of a function: the function is removed.
WHOLE = None

#: First line of a function -> WHOLE, or the rows to remove for each parameter.
Removals = Mapping[int, Mapping[str, frozenset[int]] | None]


@dataclass(frozen=True, slots=True, order=True)
class _Span:
    """Characters of the text from ``start`` to ``end``, and the text that replaces them."""

    start: int
    end: int
    instead: str = ""


def remove_tests(text: str, removals: Removals) -> str | None:
    """``text`` without some tests; None when they cannot be removed cleanly."""
    source = parse_source(text)
    lines = _Lines(text)
    if not set(removals) <= source.definitions.keys():
        return None
    spans: list[_Span] = []
    for line, rows in removals.items():
        if rows is not WHOLE:
            found = _remove_rows(source.definitions[line], rows, lines)
            if found is None:
                return None
            spans += found
    spans += _remove_functions(
        {line for line, rows in removals.items() if rows is WHOLE}, source, lines
    )
    for span in sorted(spans, reverse=True):
        text = text[: span.start] + span.instead + text[span.end :]
    return text if _has_tree(text, source.tree) else None


def _has_tree(text: str, tree: ast.Module) -> bool:
    """Does ``text`` parse to ``tree``?"""
    try:
        return ast.dump(ast.parse(text)) == ast.dump(tree)
    except (SyntaxError, ValueError):
        return False


class _Lines:
    """Places of a text: lines count from 1, columns are those of ``ast`` (bytes of UTF-8)."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = io.StringIO(text, newline="").readlines() if text else []
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line))

    def at(self, line: int, column: int = 0) -> int:
        """The character at a place; the end of the text for the line after the last."""
        if line > len(self.lines):
            return len(self.text)
        head = self.lines[line - 1].encode()[:column].decode()
        return self._starts[line - 1] + len(head)

    def is_blank(self, line: int) -> bool:
        """Is there such a line, with nothing on it?"""
        return 1 <= line <= len(self.lines) and not self.lines[line - 1].strip()

    def ending(self, line: int) -> str:
        """The characters that end a line; none at the end of a text without them."""
        text = self.lines[line - 1]
        return text[len(text.rstrip("\r\n")) :]

    def __len__(self) -> int:
        return len(self.lines)


# Whole functions.


def _remove_functions(whole: set[int], source: SourceFile, lines: _Lines) -> list[_Span]:
    """The spans of the functions to remove and of classes left empty; the tree loses the nodes.

    Adjacent statements share one span.
    """
    gone = {id(source.definitions[line].node) for line in whole}
    classes = [node for node in ast.walk(source.tree) if isinstance(node, ast.ClassDef)]
    for node in reversed(classes):
        if _is_empty(node, gone) and not _is_referenced(node.name, source.tree):
            gone.add(id(node))
    spans: list[_Span] = []
    todo: list[ast.AST] = [source.tree]
    while todo:
        owner = todo.pop()
        for name in ("body", "orelse", "finalbody"):
            body = getattr(owner, name, None)
            if isinstance(body, list) and any(id(node) in gone for node in body):
                spans += _remove_statements(
                    body, gone, source, lines, is_module=owner is source.tree
                )
        todo += ast.iter_child_nodes(owner)
    return spans


def _remove_statements(
    body: list[ast.stmt], gone: set[int], source: SourceFile, lines: _Lines, *, is_module: bool
) -> Iterator[_Span]:
    """The spans of the statements to remove; ``body`` loses them, or becomes ``pass``."""
    runs = [list(run) for is_gone, run in groupby(body, lambda node: id(node) in gone) if is_gone]
    body[:] = [node for node in body if id(node) not in gone]
    filler = "" if body or is_module else "pass"
    if filler:
        body.append(ast.Pass())
    for run in runs:
        yield _block(run[0], run[-1], filler, source, lines)


def _is_empty(node: ast.ClassDef, gone: set[int]) -> bool:
    """Is nothing left of a class but its docstring, now that some of it is gone?"""
    left = [one for one in node.body if id(one) not in gone]
    is_text = [isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) for one in left]
    return len(left) < len(node.body) and all(is_text)


def _is_referenced(name: str, tree: ast.Module) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(tree))


def _block(node: ast.stmt, last: ast.stmt, filler: str, source: SourceFile, lines: _Lines) -> _Span:
    """The lines of some statements, the comments attached to them, the blank lines after them.

    At the end of a block the blank lines before them go instead.
    """
    start, end = source.attached(first_line(node)), (last.end_lineno or last.lineno) + 1
    if filler:
        indent = lines.lines[first_line(node) - 1][: node.col_offset]
        return _Span(lines.at(start), lines.at(end), f"{indent}{filler}{lines.ending(end - 1)}")
    after = end
    while lines.is_blank(after):
        after += 1
    if after <= len(lines) and _indent(lines, after) >= node.col_offset:
        return _Span(lines.at(start), lines.at(after))
    while lines.is_blank(start - 1):
        start -= 1
    return _Span(lines.at(start), lines.at(end if after <= len(lines) else after))


def _indent(lines: _Lines, line: int) -> int:
    text = lines.lines[line - 1]
    return len(text) - len(text.lstrip())


# Rows of parametrised functions.


def _remove_rows(
    definition: Definition, rows: Mapping[str, frozenset[int]], lines: _Lines
) -> list[_Span] | None:
    """The spans of some rows and of their ids; the tree loses the nodes.

    None when a row is not written out as a literal list.
    """
    lists = row_lists(definition.node)
    displays: dict[int, tuple[ast.List | ast.Tuple, frozenset[int]]] = {}
    for name, numbers in rows.items():
        if name not in lists:
            return None
        display, ids = lists[name].display, lists[name].ids
        if max(numbers) >= len(display.elts) or len(numbers) >= len(display.elts):
            return None
        displays[id(display)] = display, numbers
        if isinstance(ids, ast.List | ast.Tuple):
            if len(ids.elts) != len(display.elts):
                return None
            displays[id(ids)] = ids, numbers
        elif isinstance(ids, ast.Name | ast.Attribute | ast.ListComp):
            return None
    spans: list[_Span] = []
    for display, numbers in displays.values():
        spans += _elements(display, numbers, lines)
        display.elts = [one for at, one in enumerate(display.elts) if at not in numbers]
    return spans


def _elements(
    display: ast.List | ast.Tuple, numbers: frozenset[int], lines: _Lines
) -> Iterator[_Span]:
    """The spans of elements: whole lines where nothing else stands there, else to the next one."""
    elements = display.elts
    runs = groupby(range(len(elements)), lambda number: number in numbers)
    for run in [list(run) for is_gone, run in runs if is_gone]:
        first, last = elements[run[0]], elements[run[-1]]
        if _have_own_lines(display, run[0], run[-1]):
            yield _Span(lines.at(first.lineno), lines.at((last.end_lineno or 0) + 1))
        elif run[-1] + 1 < len(elements):
            after = elements[run[-1] + 1]
            start = lines.at(first.lineno, first.col_offset)
            yield _Span(start, lines.at(after.lineno, after.col_offset))
        else:
            yield _Span(_end(elements[run[0] - 1], lines), _end(last, lines))


def _end(node: ast.expr, lines: _Lines) -> int:
    return lines.at(node.end_lineno or node.lineno, node.end_col_offset or 0)


def _have_own_lines(display: ast.List | ast.Tuple, first: int, last: int) -> bool:
    """Does nothing else of the display stand on the lines of these elements?"""
    elements = display.elts
    before = elements[first - 1].end_lineno if first else display.lineno
    after = elements[last + 1].lineno if last + 1 < len(elements) else display.end_lineno
    return before != elements[first].lineno and after != elements[last].end_lineno
