"""The functions that functions return, as Invocables: a decorator's wrapper, a factory's closure.

Calls of what was returned are judged and proposed like any other, by the annotations and the code
of the inner function.

Invariant: read from the source alone; the id of what ``m:f`` returns is ``m:f()``, of what that
returns ``m:f()()``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from unitcraft.core.types import ANY
from unitcraft.subject.annotations import AnnotationReader
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.literal_args import literal_in
from unitcraft.subject.model import Invocable, Parameter, ParameterKind
from unitcraft.subject.source_files import FunctionSource, first_line

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
#: Functions in functions that are followed: a decorator with options returns one that returns one.
MAX_DEPTH: Final = 3
#: Decorators that keep the parameters of what they decorate.
_TRANSPARENT: Final = ("wraps",)


def returned_functions(
    view: DescriptionContext, functions: Iterable[FunctionSource], homes: Iterable[Invocable]
) -> Iterator[tuple[Invocable, FunctionSource]]:
    """What each of ``functions`` returns, where that is a function that it defines."""
    modules = {one.id: one.module for one in homes}
    functions = list(functions)
    known = {(one.owner, one.node.name): one.node for one in functions}
    for function in functions:
        module, made, node = modules.get(function.id, ""), function.id, function.node
        hints = view.hints(module, function.owner)
        for _ in range(MAX_DEPTH):
            inner = _returned(node) or _returned_by_callee(function, node, known)
            if inner is None:
                break
            made, node = f"{made}()", inner
            parameters = tuple(_parameters(inner, hints))
            names = tuple([one.name for one in parameters if not one.kind.startswith("var_")])
            invocable = Invocable(
                made, "function", inner.name, parameters=parameters, module=module,
                first=first_line(inner), last=inner.end_lineno or inner.lineno,
                is_async=isinstance(inner, ast.AsyncFunctionDef), public=False,
            )  # fmt: skip
            yield invocable, FunctionSource(made, names, inner)


def _returned(node: _Function) -> _Function | None:
    """The function defined in ``node`` whose name it returns, or None."""
    inner = {one.name: one for one in _own_nodes(node) if isinstance(one, _FUNCTIONS)}
    for one in _own_nodes(node):
        if isinstance(one, (ast.Yield, ast.YieldFrom)):
            return None
        if isinstance(one, ast.Return) and isinstance(one.value, ast.Name):
            found = inner.get(one.value.id)
            if found is not None and all(map(_is_transparent, found.decorator_list)):
                return found
    return None


def _returned_by_callee(
    function: FunctionSource, node: _Function, known: Mapping[tuple[str, str], _Function]
) -> _Function | None:
    """The function that another one returns, of which ``node`` returns the answer.

    Of a method that is one of its own class, as in ``return self.route(path, ["GET"])``; ``known``
    are functions by class and name.
    """
    called = [one.value.func for one in _own_nodes(node)
              if isinstance(one, ast.Return) and isinstance(one.value, ast.Call)]  # fmt: skip
    receiver = next((one.arg for one in node.args.args), "") if function.owner else ""
    match called:
        case [ast.Attribute(value=ast.Name(id=owner), attr=name)] if owner == receiver:
            other = known.get((function.owner, name))
        case [ast.Name(id=name)]:
            other = known.get(("", name))
        case _:
            other = None
    return None if other is None or other is node else _returned(other)


def _own_nodes(node: _Function) -> Iterator[ast.AST]:
    """The nodes of the body in source order, inner functions without what is in them."""
    waiting: list[ast.AST] = list(reversed(node.body))
    while waiting:
        one = waiting.pop()
        yield one
        if not isinstance(one, (*_FUNCTIONS, ast.Lambda, ast.ClassDef)):
            waiting += reversed(list(ast.iter_child_nodes(one)))


def _is_transparent(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in _TRANSPARENT


def _parameters(node: _Function, hints: AnnotationReader) -> Iterator[Parameter]:
    """The parameters in the order of a signature."""
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    without = len(plain) - len(given.defaults)
    for at, one in enumerate(plain):
        kind: ParameterKind = "positional_only" if at < len(given.posonlyargs) else "positional"
        yield _parameter(one, kind, given.defaults[at - without] if at >= without else None, hints)
    if given.vararg is not None:
        yield _parameter(given.vararg, "var_positional", None, hints)
    for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        yield _parameter(one, "keyword", default, hints)
    if given.kwarg is not None:
        yield _parameter(given.kwarg, "var_keyword", None, hints)


def _parameter(
    one: ast.arg, kind: ParameterKind, default: ast.expr | None, hints: AnnotationReader
) -> Parameter:
    type_ = hints.type_of(one.annotation) if one.annotation is not None else ANY
    required = default is None and not kind.startswith("var_")
    value = literal_in(default) if default is not None else None
    return Parameter(one.arg, kind, type_, required, value, "annotation" if type_ != ANY else "")
