"""The mutants of a module's functions, as changes of its syntax tree.

Invariant: the order of the mutants of a function follows from the source text alone; a change
leaves the tree as it was.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any, Final, TypeVar

from unitcraft.suite.mutation.mutants.mutation_operators import OPERATORS

#: Calls that are not mutated: a test should not assert typing, nor what is logged.
IGNORED: Final = frozenset({"warn", "getLogger", "TypeVar", "cast", "overload"})
#: Methods of loggers, which other objects have too: ``math.log`` computes.
_OF_LOGGERS: Final = frozenset({"debug", "info", "warning", "log"})
#: Built-in functions whose arguments are not mutated: None is certain to raise.
_CRASHING: Final = frozenset({"isinstance", "issubclass", "len", "range", "iter", "next", "super",
                              "getattr", "setattr", "hasattr", "zip", "enumerate", "sorted", "map",
                              "filter", "int", "float", "type", "reversed", "sum", "min",
                              "max", "any", "all"})  # fmt: skip
#: Fields of nodes that are not mutated; ``args`` are parameters, except those of a call.
_SKIPPED_FIELDS: Final = frozenset({"annotation", "returns", "decorator_list", "type_comment",
                                    "ctx", "args", "format_spec"})  # fmt: skip


Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class MutantPlace:
    """Where a mutant is: the outermost function (qualname and first line), line and operator."""

    function: str
    first: int
    line: int
    operator: str
    variant: int


def outermost_functions(
    tree: ast.Module,
) -> Iterator[tuple[str, Function]]:
    """The outermost functions of a module with their qualnames, in source order."""
    stack: list[tuple[str, ast.stmt]] = [("", node) for node in reversed(tree.body)]
    while stack:
        prefix, node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            inner = [(f"{prefix}{node.name}.", child) for child in reversed(node.body)]
            stack.extend(inner)
        elif isinstance(node, (ast.If, ast.Try)):
            stack.extend((prefix, child) for child in reversed([*node.body, *node.orelse]))


def mutable_positions(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """(parent, field, index, child) of each node below ``node`` that may be mutated, in order."""
    for field, value in ast.iter_fields(node):
        if field in _SKIPPED_FIELDS and not (field == "args" and isinstance(node, ast.Call)):
            continue
        children = value if isinstance(value, list) else [value]
        for position, child in enumerate(children):
            if isinstance(child, ast.AST) and not _is_ignored(child):
                yield node, field, position if isinstance(value, list) else None, child
                yield from mutable_positions(child)
            elif isinstance(child, ast.Expr) and _warns(child.value):
                yield node, field, position if isinstance(value, list) else None, child


def _is_ignored(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        node = node.value
        if isinstance(node, ast.Constant):  # a docstring
            return True
    return isinstance(node, ast.Call) and (_name(node) in IGNORED or _logs(node))


def _logs(call: ast.Call) -> bool:
    """Is it a method of what is named as a logger is, or a function that bears such a name?"""
    if _name(call) not in _OF_LOGGERS:
        return False
    return not isinstance(call.func, ast.Attribute) or "log" in ast.unparse(call.func.value).lower()


def _warns(node: ast.AST) -> bool:
    """Is it ``warnings.warn(...)``?  That it warns is behaviour, its words are not."""
    called = node.func if isinstance(node, ast.Call) else None
    home = called.value if isinstance(called, ast.Attribute) and called.attr == "warn" else None
    return isinstance(home, ast.Name) and home.id == "warnings"


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


@dataclass(frozen=True, slots=True)
class TreeSlot:
    """A place in a syntax tree: a field of ``parent``, and the position in it if it is a list."""

    parent: ast.AST
    field: str
    position: int | None

    def get(self) -> ast.AST:
        """The node that is there now."""
        found: Any = getattr(self.parent, self.field)
        node: ast.AST = found if self.position is None else found[self.position]
        return node

    def put(self, node: ast.AST) -> None:
        """Put another node there."""
        if self.position is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.position] = node


@dataclass(frozen=True, slots=True)
class TreeChange:
    """A change of a syntax tree: ``made`` in the place of ``old``."""

    slot: TreeSlot
    made: ast.AST
    old: ast.AST

    @contextlib.contextmanager
    def in_place(self) -> Iterator[None]:
        """Apply the change to the tree itself while the block runs."""
        self.slot.put(self.made)
        try:
            yield
        finally:
            self.slot.put(self.old)


@dataclass(frozen=True, slots=True)
class CodeChange(TreeChange):
    """A change of the code of ``function``."""

    function: Function

    def __call__(self) -> Function:
        """A copy of the function with the change."""
        with self.in_place():
            return copy_tree(self.function)


def mutants_of_function(name: str, function: Function) -> Iterator[tuple[MutantPlace, CodeChange]]:
    """The place and the change of each mutant of ``function``, in source order."""
    outer, again = _outer_names(function), _reassignments(function)
    for parent, field, position, child in list(mutable_positions(function)):
        number = 0
        for operator in OPERATORS:
            found = list(operator.apply(child))
            if operator.name == "call" and isinstance(child, ast.Call):
                found = [one for one in found if not _is_sure_to_raise(child, one)]
            if operator.name == "statement" and not found:
                found = [ast.Pass()] if child in again or _rebinds(child, outer) else []
            for made in found:
                line = getattr(child, "lineno", getattr(parent, "lineno", function.lineno))
                place = MutantPlace(name, function.lineno, line, operator.name, number)
                number += 1
                ast.fix_missing_locations(ast.copy_location(made, child))
                slot = TreeSlot(parent, field, position)
                yield place, CodeChange(slot, made, child, function)


def _is_sure_to_raise(call: ast.Call, made: ast.AST) -> bool:
    """Is ``made`` a call of a built-in function that refuses the arguments which it changes?

    Without a keyword argument it may answer something else.
    """
    same = isinstance(made, ast.Call) and len(made.keywords) == len(call.keywords)
    return _name(call) in _CRASHING and same


def _reassignments(function: Function) -> frozenset[ast.AST]:
    """The assignments to names that all have a value further up in the same function.

    Without such an assignment they keep that.
    """
    scopes = [one for one in ast.walk(function) if isinstance(one, Function)]
    return frozenset(node for scope in scopes for node in _reassigned_in(scope))


def _reassigned_in(scope: Function) -> Iterator[ast.AST]:
    """The same of one function, without the functions and classes in it."""
    first = {arg.arg: 0 for arg in ast.walk(scope.args) if isinstance(arg, ast.arg)}
    own = list(_own_nodes(scope))
    for node in own:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            first[node.id] = min(node.lineno, first.get(node.id, node.lineno))
    for node in own:
        if isinstance(node, ast.Assign) or (isinstance(node, ast.AnnAssign) and node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [_names_in(target) for target in targets]
            if all(found and all(first[one] < node.lineno for one in found) for found in names):
                yield node


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, Function | ast.Lambda | ast.ClassDef):
            yield child
            yield from _own_nodes(child)


def _names_in(target: ast.expr) -> list[str]:
    """The names that a target binds; none where it stores elsewhere too."""
    found = target.elts if isinstance(target, ast.Tuple) else [target]
    names = [one.id for one in found if isinstance(one, ast.Name)]
    return names if len(names) == len(found) else []


def _outer_names(function: Function) -> frozenset[str]:
    """The names of a module or an outer function that ``function`` gives another value."""
    found = [one for one in ast.walk(function) if isinstance(one, (ast.Global, ast.Nonlocal))]
    return frozenset(name for one in found for name in one.names)


def _rebinds(node: ast.AST, outer: frozenset[str]) -> bool:
    """Is it an assignment to such a name, which has a value without it too?"""
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    return isinstance(target, ast.Name) and target.id in outer


Node = TypeVar("Node", bound=ast.AST)


def copy_tree(node: Node) -> Node:
    """A deep copy of ``node``; operators and contexts, which hold nothing, are shared."""
    if not node._fields:
        return node
    kind = type(node)
    made = kind.__new__(kind)
    for name, value in vars(node).items():
        if isinstance(value, list):
            found = [copy_tree(item) if isinstance(item, ast.AST) else item for item in value]
            setattr(made, name, found)
        else:
            setattr(made, name, copy_tree(value) if isinstance(value, ast.AST) else value)
    return made


def fingerprint(code: CodeType) -> tuple[object, ...]:
    """A comparable value of the byte code, constants and names, without line numbers."""
    inner = tuple(
        fingerprint(item) if isinstance(item, CodeType) else (type(item).__name__, repr(item))
        for item in code.co_consts
    )
    return (code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
            code.co_exceptiontable, inner)  # fmt: skip
