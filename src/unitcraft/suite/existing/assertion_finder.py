"""Finds the assertions of a test, and those among them that can never fail.

Invariant: a call that may assert in code that is not known counts as an assertion, so a test is
reported to have none only if everything that it calls is known.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from unitcraft.suite.existing.suite_sources import Definition, Function, SourceFile

#: Names of calls that check something, by the conventions of test libraries.
_ASSERTING: Final = re.compile(
    r"_*(assert|check|verify|expect|ensure|validate|should|must|fail|raises|warns|deprecated_call|"
    r"xfail|approx|fnmatch_lines|exit)",
    re.IGNORECASE,
)

#: Nested calls of helpers that are followed in search of an assertion.
_MAX_DEPTH: Final = 5


def assertions(definition: Definition, source: SourceFile) -> list[ast.AST]:
    """The statements and calls of a test that may assert something, in order.

    A test that consists of imports asserts that they work.
    """
    imports = [one for one in definition.node.body if isinstance(one, ast.Import | ast.ImportFrom)]
    others = [one for one in definition.node.body if one not in imports]
    if imports and all(isinstance(getattr(one, "value", None), ast.Constant) for one in others):
        return list[ast.AST](imports)
    return list(_assertions_in(definition.node, definition, source, _MAX_DEPTH))


def _assertions_in(
    function: Function, test: Definition, source: SourceFile, depth: int
) -> Iterator[ast.AST]:
    local = _parameters(function)
    for node in _walk(function):
        if isinstance(node, ast.Call):
            if _refuses_warnings(node) or _may_assert(node.func, local, test, source, depth):
                yield node
        elif isinstance(node, ast.Assert | ast.Raise):
            yield node


def _refuses_warnings(call: ast.Call) -> bool:
    """Does the call turn warnings into errors?"""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    action = call.args[0] if call.args else None
    is_error = isinstance(action, ast.Constant) and action.value == "error"
    return name in ("simplefilter", "filterwarnings") and is_error


def _walk(function: Function) -> Iterator[ast.AST]:
    """The nodes of the body in order, decorators left out."""
    todo: list[ast.AST] = list(reversed(function.body))
    while todo:
        node = todo.pop()
        yield node
        todo += reversed(list(ast.iter_child_nodes(node)))


def _parameters(function: Function) -> set[str]:
    given = function.args
    return {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)} - {"self"}


def _may_assert(
    called: ast.expr, local: set[str], test: Definition, source: SourceFile, depth: int
) -> bool:
    """May a call of this expression assert something?"""
    if isinstance(called, ast.Attribute):
        if _ASSERTING.match(called.attr):
            return True
        is_own = isinstance(called.value, ast.Name) and called.value.id in ("self", "cls")
        return is_own and _method_may_assert(called.attr, test, source, depth)
    if not isinstance(called, ast.Name):
        return False
    if _ASSERTING.match(called.id) or called.id in local:
        return True
    return depth > 0 and _function_may_assert(called.id, test, source, depth)


def _method_may_assert(name: str, test: Definition, source: SourceFile, depth: int) -> bool:
    """May a method of the test's class assert?  One that an unknown base may define can."""
    owners = [test.owners[-1]] if test.owners else []
    known = {node.name: node for node in source.tree.body if isinstance(node, ast.ClassDef)}
    seen: set[str] = set()
    is_closed = True
    while owners:
        owner = owners.pop()
        seen.add(owner.name)
        for node in owner.body:
            if isinstance(node, Function) and node.name == name:
                found = _assertions_in(node, test, source, depth - 1) if depth else iter(())
                return depth == 0 or any(True for _ in found)
            if isinstance(node, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == name for target in node.targets
            ):
                return False
        for base in owner.bases:
            base_name = ast.unparse(base).rpartition(".")[2]
            if base_name in known and base_name not in seen:
                owners.append(known[base_name])
            elif base_name not in ("object", "TestCase", *seen):
                is_closed = False
    return not is_closed


def _function_may_assert(name: str, test: Definition, source: SourceFile, depth: int) -> bool:
    """May the helper ``name``, of this file or imported from a test file, assert?"""
    for node in ast.walk(source.tree):
        if isinstance(node, Function) and node.name == name:
            if any(True for _ in _assertions_in(node, test, source, depth - 1)):
                return True
        elif isinstance(node, ast.ImportFrom) and any(
            (alias.asname or alias.name) == name for alias in node.names
        ):
            return node.level > 0 or "test" in (node.module or "") or node.module == "conftest"
    return False


# Assertions that cannot fail.


def empty_assertions(definition: Definition, executed: frozenset[str]) -> Iterator[ast.AST]:
    """The assertions of a test that hold whatever the code does.

    ``executed`` are the names of the methods that the test ran: where ``==`` is one of them,
    comparing a thing with itself tests that method.
    """
    compares = any(name.rpartition(".")[2] in _COMPARING for name in executed)
    for node in _walk(definition.node):
        if isinstance(node, ast.Assert):
            if _always_true(node.test, compares=compares):
                yield node
        elif isinstance(node, ast.Call) and _never_fails(node, compares=compares):
            yield node


_COMPARING: Final = frozenset({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"})


def _never_fails(call: ast.Call, *, compares: bool) -> bool:
    """Is this an assertion of unittest that always holds?"""
    method, args = getattr(call.func, "attr", ""), call.args
    if method == "assertTrue" and args:
        return _always_true(args[0], compares=compares)
    if method in ("assertEqual", "assertIs", "assertCountEqual", "assertSequenceEqual"):
        return len(args) > 1 and not compares and _same(args[0], args[1])
    return False


def _always_true(test: ast.expr, *, compares: bool) -> bool:
    """Is the expression true whatever the code does?"""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return bool(elements)
        case ast.Lambda() | ast.GeneratorExp():
            return True
        case ast.UnaryOp(op=ast.Not(), operand=ast.Constant(value=value)):
            return not value
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(_always_true(one, compares=compares) for one in values)
        case ast.BoolOp(op=ast.And(), values=values):
            return all(_always_true(one, compares=compares) for one in values)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _comparison_always_true(left, operator, right, compares=compares)
        case ast.Call(func=ast.Name(id="isinstance"), args=[value, kind]):
            return ast.unparse(kind) == "object" or _is_literal(value)
    return False


def _comparison_always_true(
    left: ast.expr, operator: ast.cmpop, right: ast.expr, *, compares: bool
) -> bool:
    is_measure = isinstance(left, ast.Call) and ast.unparse(left.func) == "len"
    is_zero = isinstance(right, ast.Constant) and right.value == 0 and right.value is not False
    if is_measure and is_zero and isinstance(operator, ast.GtE):
        return True
    if isinstance(operator, ast.Is):
        return _same(left, right)
    reflexive = isinstance(operator, ast.Eq | ast.LtE | ast.GtE)
    return reflexive and not compares and _same(left, right)


def _same(left: ast.expr, right: ast.expr) -> bool:
    """Are both sides the same expression, of names and constants only, so that no code runs?"""
    still = (ast.Name, ast.Constant, ast.Tuple, ast.List, ast.expr_context)
    is_still = all(isinstance(node, still) for node in ast.walk(left))
    return is_still and ast.dump(left) == ast.dump(right)


def _is_literal(value: ast.expr) -> bool:
    displays = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr)
    return isinstance(value, displays)
