"""A normal form of the assertions of a test, without local names, for the comparison of tests.

Invariant: a local name is replaced by the expression that it was last bound to above its use, and a
parameter by its value in the row of ``parametrize``, where that is written out.  Receivers of
calls of recorded methods become numbers, because the states in which those ran are compared anyway.
Any other local name differs from every name of another test, and attributes of ``self`` differ from
those of another class.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final
from unittest import TestCase

from unitcraft.suite.existing.assertion_finder import assertions
from unitcraft.suite.existing.suite_sources import (
    Definition,
    Function,
    RowList,
    SourceFile,
    row_lists,
    source_of,
)
from unitcraft.suite.recording.recordings import RecordedTest, Recording

#: Nested bindings that are followed.
_MAX_DEPTH: Final = 4


def normal_forms_in(recording: Recording) -> Callable[[RecordedTest], frozenset[str] | None]:
    """``normal_forms_of_test`` for the tests of ``recording``."""
    ids = [one.partition(":")[2].partition("#")[0] for one in recording.invocables]
    methods = frozenset(one.rpartition(".")[2] for one in ids)
    return partial(normal_forms_of_test, methods=methods)


def normal_forms_of_test(
    test: RecordedTest, methods: frozenset[str] | None = None
) -> frozenset[str] | None:
    """The assertions of a recorded test in normal form; None when its function is not found.

    ``methods`` are the names of those that were recorded (None: any).
    """
    if test.place is None:
        return None
    source = source_of(test.place.file)
    definition = source.definitions.get(test.place.line)
    if definition is None:
        return None
    owner = test.node.rpartition("::")[0]
    return normal_forms(definition, source, dict(test.place.rows), owner, methods)


def normal_forms(
    definition: Definition,
    source: SourceFile,
    rows: Mapping[str, int],
    owner: str = "",
    methods: frozenset[str] | None = None,
) -> frozenset[str]:
    """The assertions of a test in normal form, as texts.

    ``rows`` maps each parameter to the number of its row; ``owner`` names the file and the class,
    ``methods`` those that were recorded (None: any).
    """
    known = _Names(definition, source, rows, owner)
    known.methods = methods
    blocks = {
        id(item.context_expr): node
        for node in ast.walk(definition.node)
        if isinstance(node, ast.With | ast.AsyncWith)
        for item in node.items
    }
    return frozenset(
        _normalize([node, *getattr(blocks.get(id(node)), "body", ())], known)
        for node in assertions(definition, source)
    )


def _normalize(nodes: list[ast.AST], names: _Names) -> str:
    """The normal form of an assertion; a ``with`` that asserts is followed by its body."""
    numbers: dict[str, int] = {}
    return " ".join(
        ast.dump(_Normalizer(names, numbers).visit(copy.deepcopy(one))) for one in nodes
    )


class _Names:
    """The meanings of the names in a test function: values of rows, and bindings by line."""

    def __init__(
        self, definition: Definition, source: SourceFile, rows: Mapping[str, int], owner: str
    ) -> None:
        given = definition.node.args
        self._mark = f"{owner}:{definition.line}"
        self.owner = owner
        self.methods: frozenset[str] | None = None
        self.parameters = {one.arg for one in (*given.args, *given.kwonlyargs)}
        self.rows = dict(_values(definition, source, rows, self._mark))
        self.bindings: dict[str, list[tuple[int, ast.expr | None]]] = {}
        for line, name, value in _bindings(definition.node):
            self.bindings.setdefault(name, []).append((line, value))

    def is_local(self, name: str) -> bool:
        """Is the name bound by the function?"""
        return name in self.bindings or (name in self.parameters and name not in self.rows)

    def bound(self, name: str, line: int) -> tuple[int, ast.expr | None] | None:
        """The last binding of a name above a line; None where it has none."""
        found = [one for one in self.bindings.get(name, ()) if one[0] < line]
        return max(found, key=lambda one: one[0]) if found else None

    def unique_name(self, name: str) -> ast.expr:
        """A name that occurs in the normal forms of this function only."""
        return ast.Name(f"{name} of {self._mark}")


class _Normalizer(ast.NodeTransformer):
    """Replaces local names by their meanings, and receivers of recorded methods by numbers."""

    def __init__(
        self, names: _Names, numbers: dict[str, int], line: int | None = None, depth: int = 0
    ) -> None:
        self._names, self._numbers, self._line, self._depth = names, numbers, line, depth

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A local name whose recorded method is called becomes a number."""
        receiver = getattr(node.func, "value", None)
        methods = self._names.methods
        is_compared = methods is None or getattr(node.func, "attr", "") in methods
        if is_compared and isinstance(receiver, ast.Name) and self._is_object(receiver.id):
            number = self._numbers.setdefault(receiver.id, len(self._numbers))
            receiver.id = f"object {number}"
        return self.generic_visit(node)

    def _is_object(self, name: str) -> bool:
        return name not in ("self", "cls") and self._names.is_local(name)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Name the class with an attribute of ``self``, except for the methods of unittest."""
        is_own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
        if is_own and not hasattr(TestCase, node.attr):
            return ast.Attribute(ast.Name(f"self of {self._names.owner}"), node.attr)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Replace a bound name by the expression it is bound to."""
        if node.id in self._names.rows:
            return self._names.rows[node.id]
        found = self._names.bound(node.id, self._line or node.lineno)
        if found is None:
            return self._names.unique_name(node.id) if node.id in self._names.bindings else node
        line, value = found
        if value is None or self._depth == _MAX_DEPTH:
            return self._names.unique_name(node.id)
        inner = _Normalizer(self._names, self._numbers, line, self._depth + 1)
        normalized: ast.AST = inner.visit(copy.deepcopy(value))
        return normalized


def _values(
    definition: Definition, source: SourceFile, rows: Mapping[str, int], mark: str
) -> Iterator[tuple[str, ast.expr]]:
    """The values of the parameters in their rows; a marked name where they are not written out."""
    constants = dict(_constants(source.tree)) if rows else {}
    lists: dict[str, RowList] = {}
    for node in (*definition.owners, definition.node):
        lists.update(row_lists(node, constants))
    for name, row in rows.items():
        value = lists[name].value(name, row) if name in lists else None
        yield name, value or ast.Name(f"{name} in row {row} of {mark}")


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The names that a module binds once, at its top, and to what."""
    stored = Counter(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    )
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if stored[name] == len(node.targets) == 1:
                yield name, node.value


def _bindings(function: Function) -> Iterator[tuple[int, str, ast.expr | None]]:
    """(line, name, what it is bound to); None where that is no expression."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _bound(node.lineno, target, node.value)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr):
            yield from _bound(node.lineno, node.target, node.value)
        else:
            yield from _bound_by_block(node, function)


def _bound_by_block(
    node: ast.AST, function: Function
) -> Iterator[tuple[int, str, ast.expr | None]]:
    """The bindings of loops, ``with``, inner functions, and of assignments that change a value."""
    match node:
        case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
            yield from _bound(node.lineno, target, _apply("each", value))
        case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
            yield from _bound(value.lineno, target, _apply("entered", value))
        case ast.AugAssign(target=target):
            yield from _bound(node.lineno, target, None)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            if node is not function:
                yield node.lineno, node.name, None


def _bound(
    line: int, target: ast.expr, value: ast.expr | None
) -> Iterator[tuple[int, str, ast.expr | None]]:
    """The names of a target; of a tuple, each has its part of the value."""
    if isinstance(target, ast.Name):
        yield line, target.id, value
    elif isinstance(target, ast.Tuple | ast.List):
        for number, one in enumerate(target.elts):
            part = None if value is None else _apply(f"part {number}", value)
            yield from _bound(line, getattr(one, "value", one), part)


def _apply(word: str, value: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(word), [value], [])
