"""Attributes and keys of which the code asks nothing but whether what is there is true.

``if options["verbose"]:`` and ``if not self.strict:`` are asked of switches; so is what a variable
that only conditions read has from there, ``strict = options.get("strict")``.  It may be None, too.

Invariant: nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def asked_for_truth(tree: ast.AST) -> frozenset[int]:
    """The identities of the nodes in ``tree`` of which only the truth counts."""
    return frozenset(
        id(leaf) for node in ast.walk(tree) for test in _tests(node) for leaf in _leaves(test)
    )


def switches(tree: ast.Module, asked: frozenset[int]) -> frozenset[str]:
    """The names of switches; ``asked``: ``asked_for_truth`` of the module."""
    passed_on, told = _variables(tree), asked | _compared_with_none(tree)
    holds: dict[str, bool] = {}
    true: set[str] = set()
    for node in ast.walk(tree):
        name = _name_read(node)
        uses = passed_on.get(id(node), [node]) if name else []
        holds[name] = holds.get(name, True) and all(id(one) in told for one in uses)
        true.update(name for one in uses if id(one) in asked)
    return frozenset(name for name in true if holds[name])


def asked_names(tree: ast.Module, asked: frozenset[int]) -> frozenset[str]:
    """The names of attributes and keys whose truth is asked for somewhere; ``asked`` as above."""
    return frozenset(
        name for node in ast.walk(tree) if id(node) in asked and (name := _name_read(node))
    )


def _compared_with_none(tree: ast.Module) -> frozenset[int]:
    """The identities of what is only compared with None: a switch that nobody has set."""
    return frozenset(
        id(node.left)
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot)
        if isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value is None
    )


def _variables(tree: ast.Module) -> dict[int, list[ast.AST]]:
    """Identity of a read of a key -> the reads of the variable that it is the only value of."""
    found: dict[int, list[ast.AST]] = {}
    for function in ast.walk(tree):
        if not isinstance(function, _FUNCTIONS):
            continue
        names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
        bound = [one.id for one in names if isinstance(one.ctx, ast.Store)]
        for node in ast.walk(function):
            match node:
                case ast.Assign([ast.Name(name)], value) if bound.count(name) == 1:
                    reads = [
                        one for one in names if one.id == name and isinstance(one.ctx, ast.Load)
                    ]
                    if _key_read(value) and reads:
                        found[id(value)] = list(reads)
    return found


def _name_read(node: ast.AST) -> str:
    """The name of the attribute or of the key that ``node`` reads, '' for all else."""
    match node:
        case ast.Attribute(attr=name, ctx=ast.Load()):
            return name
    return _key_read(node)


def _key_read(node: ast.AST) -> str:
    match node:
        case ast.Subscript(slice=ast.Constant(str(key)), ctx=ast.Load()):
            return key
        case ast.Call(ast.Attribute(attr="get" | "pop"), [ast.Constant(str(key)), *_]):
            return key
    return ""


def _tests(node: ast.AST) -> list[ast.expr]:
    """The expressions of ``node`` of which only the truth counts."""
    match node:
        case ast.If(test) | ast.While(test) | ast.IfExp(test) | ast.Assert(test):
            return [test]
        case ast.UnaryOp(ast.Not(), operand):
            return [operand]
        case ast.comprehension(ifs=tests):
            return tests
    return []


def _leaves(test: ast.expr) -> Iterator[ast.expr]:
    """The parts of a condition that are joined by ``and`` and ``or``, and it itself."""
    for value in test.values if isinstance(test, ast.BoolOp) else ():
        yield from _leaves(value)
    yield test
