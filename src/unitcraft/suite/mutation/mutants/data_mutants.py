"""Mutants of data: tables and constants of modules and classes, and default values of parameters.

Invariant: which mutants exist follows from the source text alone; only expressions whose second
evaluation has no side effects are mutated.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Final

from unitcraft.suite.mutation.mutants.function_mutants import (
    MutantPlace,
    TreeChange,
    TreeSlot,
    mutable_positions,
    outermost_functions,
)
from unitcraft.suite.mutation.mutants.mutation_operators import OPERATORS

#: Nodes of which a mutated expression may consist.
_PURE_NODES: Final = (
    ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp, ast.Name,
    ast.Attribute, ast.operator, ast.unaryop, ast.expr_context, ast.keyword,
)  # fmt: skip
#: Functions that it may call.
_PURE_CALLS: Final = frozenset({"frozenset", "set", "tuple", "list", "dict", "compile"})


@dataclass(frozen=True, slots=True)
class DataValue:
    """A value of ``holder``: a module (""), a class, or a function that has it as a default.

    ``name`` is the variable or the parameter; ``first`` is the first line of the function, 0 for
    other holders.  ``users`` are the outermost functions that may read it, by qualname.
    ``statement`` is the assignment or the function, ``slot`` the place of the expression in it.
    """

    holder: str
    first: int
    name: str
    users: tuple[str, ...]
    statement: ast.stmt
    slot: TreeSlot

    @property
    def label(self) -> str:
        """``name``, ``Class.name`` or ``function(parameter)``."""
        if self.first:
            return f"{self.holder}({self.name})"
        return f"{self.holder}.{self.name}" if self.holder else self.name

    @property
    def is_swappable(self) -> bool:
        """Does a swap after import reach every reader?

        A default of a function without decorators is read at each call; any other value may have
        been copied while the module was imported.
        """
        return bool(self.first) and not getattr(self.statement, "decorator_list", ())


@dataclass(frozen=True, slots=True)
class DataChange(TreeChange):
    """A change of the expression of ``value``."""

    value: DataValue

    def expression(self, file: str) -> CodeType:
        """Code that evaluates to the new value.  Raises SyntaxError or ValueError."""
        with self.in_place():
            return compile(_whole(self.value), file, "eval", dont_inherit=True)


def _whole(value: DataValue) -> ast.Expression:
    tree = value.slot.get()
    assert isinstance(tree, ast.expr)  # noqa: S101 - a slot of a value holds an expression
    return ast.Expression(tree)


def replaceable_values(tree: ast.Module) -> Iterator[DataValue]:
    """The values of a module that can be replaced, in source order: those that a function reads."""
    readers = _readers(tree)
    stack: list[tuple[str, ast.stmt]] = [("", node) for node in reversed(tree.body)]
    while stack:
        holder, node = stack.pop()
        if isinstance(node, ast.ClassDef):
            inner = f"{holder}.{node.name}" if holder else node.name
            stack.extend((inner, child) for child in reversed(node.body))
        name, value = _assigned(node)
        if value is not None and name in readers and _is_pure(value):
            slot = TreeSlot(node, "value", None)
            yield DataValue(holder, 0, name, tuple(readers[name]), node, slot)
    for qualname, function in outermost_functions(tree):
        first = min([function.lineno, *[one.lineno for one in function.decorator_list]])
        for name, slot in _defaults(function.args):
            default = slot.get()
            if isinstance(default, ast.expr) and _is_pure(default):
                yield DataValue(qualname, first, name, (qualname,), function, slot)


def _assigned(node: ast.stmt) -> tuple[str, ast.expr | None]:
    """(variable, its value), or ("", None) for another statement."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or not isinstance(target, ast.Name):
        return "", None
    return ("", None) if target.id.startswith("__") else (target.id, node.value)


def _defaults(args: ast.arguments) -> Iterator[tuple[str, TreeSlot]]:
    """The parameters that have a default, and where it is."""
    given = [*args.posonlyargs, *args.args]
    for number, arg in enumerate(given[len(given) - len(args.defaults) :]):
        yield arg.arg, TreeSlot(args, "defaults", number)
    for number, (arg, default) in enumerate(zip(args.kwonlyargs, args.kw_defaults, strict=True)):
        if default is not None:
            yield arg.arg, TreeSlot(args, "kw_defaults", number)


def _readers(tree: ast.Module) -> dict[str, list[str]]:
    """Name or attribute -> the outermost functions that read it, in source order."""
    found: dict[str, dict[str, None]] = {}
    for qualname, function in outermost_functions(tree):
        for node in ast.walk(function):
            name = getattr(node, "id", getattr(node, "attr", None))
            if isinstance(name, str):
                found.setdefault(name, {})[qualname] = None
    return {name: list(readers) for name, readers in found.items()}


def _is_pure(tree: ast.expr) -> bool:
    """Is a second evaluation of ``tree`` without side effects?"""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            if getattr(called, "id", getattr(called, "attr", "")) not in _PURE_CALLS:
                return False
        elif not isinstance(node, _PURE_NODES):
            return False
    return True


def mutants_of_value(value: DataValue) -> Iterator[tuple[MutantPlace, DataChange]]:
    """The place and the change of each mutant of ``value``, in source order, without duplicates."""
    whole = _whole(value)
    seen = {ast.dump(whole.body)}
    for parent, field, position, child in list(mutable_positions(whole)):
        slot = value.slot if parent is whole else TreeSlot(parent, field, position)
        number = 0
        for operator in OPERATORS:
            for variant in operator.apply(child):
                line: int = getattr(child, "lineno", value.statement.lineno)
                place = MutantPlace(value.holder, value.first, line, operator.name, number)
                number += 1
                ast.fix_missing_locations(ast.copy_location(variant, child))
                change = DataChange(slot, variant, child, value)
                with change.in_place():
                    mark = ast.dump(value.slot.get())
                if mark not in seen:
                    seen.add(mark)
                    yield place, change
