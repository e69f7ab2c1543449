"""The kinds of parameters without an annotation by what stands in their place, or beside them.

``now = now or datetime.now()`` says that ``now`` is a datetime, ``now - moment`` then that so is
``moment``, and ``born > date.today()`` that ``born`` is a date.

Invariant: nothing is run; only a parameter that is named there itself has the kind, and none where
the other side is not certain.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.description.callee_types import kinds_of
from unitcraft.subject.model import PASSED, Parameter, ParameterUse, Subject
from unitcraft.subject.passing.called_invocables import invocables_by_line
from unitcraft.subject.passing.expression_kinds import ExpressionTypes
from unitcraft.subject.passing.name_bindings import Scope
from unitcraft.subject.source_files import first_line

#: Origins of types that the code may tell better: none, and the value that is there by default.
OPEN_ORIGINS: Final = ("", "default")
_ORDERS: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_SUMS: Final = (ast.Add, ast.Sub)
#: Classes from which another one of theirs, or a duration, is taken.
_MOMENTS: Final = ("datetime:datetime", "datetime:date")
#: The class of ``os.environ``, for which a test passes a dictionary of texts.
_ENVIRONMENT: Final = "os:_Environ"


def is_open(parameter: Parameter) -> bool:
    """May the code of a module say more of it than is declared?"""
    return parameter.origin in OPEN_ORIGINS and not parameter.kind.startswith("var_")


def implied_kinds(types: ExpressionTypes, subject: Subject) -> Iterator[ParameterUse]:
    """The uses that say so, function by function."""
    at_line = invocables_by_line(subject)
    for scope in types.scopes.scopes:
        invocables = at_line.get(first_line(scope.node), []) if scope.node is not None else []
        names = {part.name for one in invocables for part in one.parameters if is_open(part)}
        if names:
            rows = dict.fromkeys(_Reader(types, scope, names).rows())
            for one in invocables:
                for name, operation, kinds in rows:
                    yield ParameterUse(one.id, name, operation, kinds, certain=False)


class _Reader:
    """Reads one function (mutable: the types of what stands in place of a parameter)."""

    def __init__(self, types: ExpressionTypes, scope: Scope, names: set[str]) -> None:
        self._types = types
        self._scope = scope
        self._names = names
        self._instead: dict[str, TypeExpr] = {}

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """(parameter, operation, kinds): first of what stands instead, then of what is beside."""
        nodes = list(ast.walk(self._scope.node)) if self._scope.node is not None else []
        for node in nodes:
            for name, other in _instead(node):
                is_told = name in self._names and not _is_empty(other)
                type_ = self._type(other) if is_told else ANY
                if type_.cls == _ENVIRONMENT:
                    yield from ((name, PASSED, "dict"), (f"{name}[]", PASSED, "str"))
                elif kinds := _kinds(type_):
                    self._instead.setdefault(name, type_)
                    yield name, PASSED, kinds
        for node in nodes:
            for one, other, op in _beside(node):
                if isinstance(other, ast.Constant):
                    continue  # of those the flow of the parameter tells
                if isinstance(one, ast.Name) and one.id in self._names - self._instead.keys():
                    kinds = _kinds(self._type(other))
                    if kinds:
                        is_taken = isinstance(op, ast.Sub) and kinds in _MOMENTS
                        yield one.id, "argument", f"{kinds}|datetime:timedelta" * is_taken or kinds

    def _type(self, node: ast.expr) -> TypeExpr:
        match node:
            case ast.BoolOp(ast.Or(), [*_, last]):
                return self._type(last)
            case ast.Name(name) if name in self._instead:
                return self._instead[name]
        return self._types.type_of(node, self._scope)


def _kinds(type_: TypeExpr) -> str:
    found = kinds_of(type_) if type_ != ANY else ""
    return "" if {"", "NoneType"} & set(found.split("|")) else found


def _is_empty(node: ast.expr) -> bool:
    """Is it ``{}`` or the like, which says less than what is done with it?

    With these a program whose dictionaries hold functions lost 49 branches of 14 seeds, not 23.
    """
    match node:
        case ast.Dict([]) | ast.List([]) | ast.Tuple([]):
            return True
    return False


def _instead(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """(name, what stands in its place where it is None or empty)."""
    match node:
        case ast.BoolOp(ast.Or(), [ast.Name(name), *_, last]):
            yield name, last
        case ast.IfExp(test, ast.Name(name), other) if _asks_for(test, name, given=True):
            yield name, other
        case ast.IfExp(test, other, ast.Name(name)) if _asks_for(test, name, given=False):
            yield name, other
        case ast.If(test, [ast.Assign([ast.Name(name)], other)]) if _asks_for(
            test, name, given=False
        ):
            yield name, other


def _asks_for(test: ast.expr, name: str, *, given: bool) -> bool:
    """Does ``test`` ask whether the name is ``given``, or is None or empty?"""
    match test:
        case ast.Name(asked):
            return given and asked == name
        case ast.UnaryOp(ast.Not(), ast.Name(asked)):
            return not given and asked == name
        case ast.Compare(ast.Name(asked), [op], [ast.Constant(None)]):
            return asked == name and isinstance(op, ast.IsNot if given else ast.Is)
    return False


def _beside(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, ast.AST]]:
    """(one, the other, operator) of operands that have one type, both ways."""
    match node:
        case ast.BinOp(left, op, right) if isinstance(op, _SUMS):
            yield right, left, op
            yield left, right, ast.Add()
        case ast.Compare(left, [op], [right]) if isinstance(op, _ORDERS):
            yield right, left, op
            yield left, right, op
