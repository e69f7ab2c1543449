"""Mutants of data: tables and constants of modules and classes, and default values of parameters.

Such values are computed once, at import, so that a mutant replaces the value instead of code.

Invariant: a mutant replaces one value and ``restore`` puts the same object back; only expressions
without side effects are evaluated.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from unitcraft.suite.mutation.mutants.function_mutants import (
    MutantPlace,
    copy_tree,
    mutable_positions,
    outermost_functions,
)
from unitcraft.suite.mutation.mutants.mutation_operators import OPERATORS

#: Mutants of one value: those of a large table are sampled.
MAX_MUTANTS_PER_VALUE: Final = 24
#: Data mutants of a module: a larger set is sampled.
MAX_DATA_MUTANTS: Final = 240
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

    ``name`` is the variable or the parameter; ``users`` are the outermost functions that may
    read it, by qualname.
    """

    holder: str
    first: int
    name: str
    users: tuple[str, ...]
    tree: ast.expr


@dataclass(frozen=True, slots=True)
class DataMutant:
    """A mutant of ``value``; ``code`` evaluates to the new value."""

    value: DataValue
    place: MutantPlace
    code: CodeType


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
            yield DataValue(holder, 0, name, tuple(readers[name]), value)
    for qualname, function in outermost_functions(tree):
        first = min([function.lineno, *[one.lineno for one in function.decorator_list]])
        for name, default in _defaults(function.args):
            if _is_pure(default):
                yield DataValue(qualname, first, name, (qualname,), default)


def _assigned(node: ast.stmt) -> tuple[str, ast.expr | None]:
    """(variable, its value), or ("", None) for another statement."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or not isinstance(target, ast.Name):
        return "", None
    return ("", None) if target.id.startswith("__") else (target.id, node.value)


def _defaults(args: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    given = [*args.posonlyargs, *args.args]
    named = zip(given[len(given) - len(args.defaults) :], args.defaults, strict=True)
    for arg, default in [*named, *zip(args.kwonlyargs, args.kw_defaults, strict=True)]:
        if default is not None:
            yield arg.arg, default


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


def mutants_of_data(tree: ast.Module, file: str, rng: Random) -> list[DataMutant]:
    """The mutants of the values of ``tree``: a sample when there are too many."""
    made: list[DataMutant] = []
    for value in replaceable_values(tree):
        group = list(_variants(value, file))
        if len(group) > MAX_MUTANTS_PER_VALUE:
            group = [
                group[at] for at in sorted(rng.sample(range(len(group)), MAX_MUTANTS_PER_VALUE))
            ]
        made += group
    if len(made) > MAX_DATA_MUTANTS:
        made = [made[at] for at in sorted(rng.sample(range(len(made)), MAX_DATA_MUTANTS))]
    return made


def _variants(value: DataValue, file: str) -> Iterator[DataMutant]:
    whole = ast.Expression(value.tree)
    seen = {ast.dump(value.tree)}
    for parent, field, position, child in list(mutable_positions(whole)):
        number = 0
        for operator in OPERATORS:
            for variant in operator.apply(child):
                place = MutantPlace(value.holder, value.first, child.lineno, operator.name, number)  # type: ignore[attr-defined]
                number += 1
                ast.fix_missing_locations(ast.copy_location(variant, child))
                tree = _with(whole, parent, field, position, variant, child)
                mark = ast.dump(tree.body)
                if mark not in seen:
                    seen.add(mark)
                    yield DataMutant(value, place, compile(tree, file, "eval", dont_inherit=True))


def _with(
    whole: ast.Expression,
    parent: ast.AST,
    field: str,
    position: int | None,
    new: ast.AST,
    old: ast.AST,
) -> ast.Expression:
    """A copy of ``whole`` with ``new`` in the place of ``old``."""
    _put(parent, field, position, new)
    try:
        return copy_tree(whole)
    finally:
        _put(parent, field, position, old)


def _put(parent: ast.AST, field: str, position: int | None, node: ast.AST) -> None:
    if position is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[position] = node


class DataSwap:
    """Swaps new values in, and the old ones back (mutable).

    ``live`` are the functions of the module, by qualname and first line.
    """

    def __init__(
        self,
        found: list[DataMutant],
        module: ModuleType,
        live: Mapping[tuple[str, int], list[FunctionType]],
    ) -> None:
        self.found = found
        self._module = module
        self._live = live
        self._undo: list[tuple[Any, str, Any]] = []

    def apply(self, number: int) -> bool:
        """Swap value ``number`` in; False when that fails, or when it equals the old value."""
        mutant = self.found[number]
        try:
            new = eval(mutant.code, vars(self._module))  # noqa: S307 - an expression of the Subject
        except Exception:  # noqa: BLE001 - as the Subject would have failed
            return False
        value = mutant.value
        if value.first:
            changed = [self._default(one, value.name, new) for one in self._live_of(value)]
            return any(changed)
        holder: Any = self._module
        for name in value.holder.split(".") if value.holder else ():
            holder = vars(holder).get(name)
            if holder is None:
                return False
        return value.name in vars(holder) and self._set(holder, value.name, new)

    def _live_of(self, value: DataValue) -> list[FunctionType]:
        return self._live.get((value.holder, value.first), [])

    def _default(self, function: FunctionType, name: str, new: Any) -> bool:
        code = function.__code__
        given = code.co_varnames[: code.co_argcount]
        old = function.__defaults__ or ()
        if name in given[len(given) - len(old) :]:
            at = given.index(name) - (len(given) - len(old))
            return self._set(function, "__defaults__", (*old[:at], new, *old[at + 1 :]))
        named = function.__kwdefaults__ or {}
        return name in named and self._set(function, "__kwdefaults__", {**named, name: new})

    def _set(self, holder: Any, name: str, new: Any) -> bool:
        old = getattr(holder, name) if isinstance(holder, FunctionType) else vars(holder)[name]
        if repr(old) == repr(new):
            return False
        try:
            setattr(holder, name, new)
        except Exception:  # noqa: BLE001 - a class may refuse
            return False
        self._undo.append((holder, name, old))
        return True

    def restore(self) -> None:
        """Put every old value back."""
        while self._undo:
            setattr(*self._undo.pop())
