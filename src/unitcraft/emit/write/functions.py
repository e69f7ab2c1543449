"""Test functions before they have a name: parameters, decorator, body.

Invariant: every assertion line is tied to the Check that it came from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unitcraft.core.sequences import Arg, Symbol
from unitcraft.emit.arrange.fixtures import fixtures_of
from unitcraft.emit.arrange.parametrize import (
    Column,
    Group,
    cell_text,
    error_name,
    message_pattern,
    parametrised_test,
)
from unitcraft.emit.code.formatter import INDENT, Bracket, Leaf, Node, call, render
from unitcraft.emit.code.imports import Imports
from unitcraft.emit.code.literal_code import Code, code, quoted
from unitcraft.emit.code.subject_index import SubjectIndex
from unitcraft.emit.write.function_body import Block, WrittenCase, body, plain_case
from unitcraft.suite.tests import Test


@dataclass(frozen=True, slots=True)
class TestFunction:
    """A test function; ``space`` is the class block that it stands in ('' = the module)."""

    group: Group
    space: str
    decorator: tuple[str, ...]
    parameters: tuple[str, ...]
    fixtures: tuple[str, ...]
    blocks: tuple[Block, ...]

    @property
    def indent(self) -> str:
        """Spaces before its ``def``."""
        return INDENT if self.space else ""

    def height(self) -> int:
        """Its lines, with the ``def`` and the blank lines above it."""
        blank = 1 if self.space else 2
        return len(self.decorator) + 1 + sum(len(block.lines) for block in self.blocks) + blank

    def header(self, name: str) -> list[str]:
        """The decorator and the ``def`` line."""
        receiver = ("self",) if self.space else ()
        items = [Leaf(item) for item in (*receiver, *self.parameters, *self.fixtures)]
        return [*self.decorator, *render(call(f"def {name}", items), self.indent, after=":")]


def write_functions(
    groups: Sequence[Group], spaces: Sequence[str], known: SubjectIndex, imports: Imports
) -> list[TestFunction]:
    """A function for each group; a table that takes more lines than it saves is undone."""
    found: list[TestFunction] = []
    for group, space in zip(groups, spaces, strict=True):
        before = imports.used()
        parts = [_function(Group((unit,)), space, known, imports) for unit in group.units]
        if len(parts) > 1:
            apart = imports.used()
            imports.forget(before)
            whole = _function(group, space, known, imports)
            allowance = 2 if len(parts) > 2 else 0  # noqa: PLR2004 - a pair reads well as two
            if whole.height() <= sum(part.height() for part in parts) + allowance:
                parts = [whole]
            else:
                imports.forget(apart)
        found += parts
    return found


def _function(group: Group, space: str, known: SubjectIndex, imports: Imports) -> TestFunction:
    indent = INDENT if space else ""
    names = tuple([column.name for column in group.columns])
    if names:
        pattern = message_pattern(group)
        node = Leaf(pattern) if pattern else None
        case = WrittenCase(parametrised_test(group), group.first, node, names, error_name(group))
    else:
        case = plain_case(group.first)
    decorator = tuple(_decorator(group, imports, indent)) if names else ()
    decorator = (*_passing(group.first, imports, indent), *decorator)
    note = group.first.note
    above = (Block((f"{indent}{INDENT}# {note}",)),) if note else ()
    blocks = (*above, *body(case, known, imports, indent + INDENT))
    return TestFunction(group, space, decorator, names, fixtures_of(group.first), blocks)


def _passing(test: Test, imports: Imports, indent: str) -> list[str]:
    """Marks that let the warnings pass which a test meets and does not expect."""
    kinds = [kind.removeprefix("builtins:").replace(":", ".") for kind in test.ignores]
    return [
        f'{indent}@{imports.module("pytest")}.mark.filterwarnings("ignore::{kind}")'
        for kind in kinds
    ]


@dataclass(frozen=True, slots=True)
class _RowNaming:
    """Naming for rows, which refer to no result."""

    imports: Imports
    in_coroutine: bool = False

    def symbol(self, symbol: Symbol) -> str:
        """The expression that reaches ``symbol``."""
        return self.imports.symbol(symbol)

    def ref(self, index: int) -> Code:
        """Raises ValueError: a row has no results."""
        message = f"a row of parameters refers to result {index}"
        raise ValueError(message)


def _decorator(group: Group, imports: Imports, indent: str) -> list[str]:
    naming = _RowNaming(imports)
    head = f"@{imports.module('pytest')}.mark.parametrize"
    columns = group.columns
    rows = [
        [_cell_node(column, column.cells[row], naming) for column in columns]
        for row in range(len(group.units))
    ]
    names = [Leaf(quoted(column.name)) for column in columns]
    cells = [row[0] if len(columns) == 1 else _tuple(row) for row in rows]
    first = names[0] if len(columns) == 1 else _tuple(names)
    table = Bracket("", "[", tuple(cells), "]", display=True)
    return render(call(head, [first, table]), indent)


def _tuple(items: Sequence[Node]) -> Node:
    return Bracket("", "(", tuple(items), ")", display=True)


def _cell_node(column: Column, cell: Arg, naming: _RowNaming) -> Node:
    pattern = cell_text(column, cell)
    return Leaf(pattern) if pattern is not None else code(cell, naming).node
