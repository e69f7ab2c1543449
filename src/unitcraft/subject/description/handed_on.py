"""The function to which one hands on all that it is given, and that so says what it takes.

``__new__(cls, *args, **kwargs)`` that ends in ``instance.initialize(*args, **kwargs)`` takes what
``initialize`` does.

Invariant: nothing of the Subject runs; where calls hand on to several functions, none is found.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from types import FunctionType
from typing import Any, cast

from unitcraft.subject import static_lookup
from unitcraft.subject.decorators import function_behind
from unitcraft.subject.description.members import constructor_of
from unitcraft.subject.description_context import DescriptionContext

#: A function and the class whose receiver it takes; None of one that takes none.
Callee = tuple[FunctionType, type | None]


def callee_of(
    view: DescriptionContext, function: FunctionType, cls: type | None, base: type | None
) -> Callee | None:
    """The only function of the package that is given all of the ``*args`` of ``function``.

    ``cls`` is the class through which ``function`` is reached, ``base`` the one that defines it.
    """
    node, arguments = _source_of(view, function)
    rest = arguments.vararg.arg if arguments is not None and arguments.vararg else ""
    calls = [call for call in ast.walk(node) if isinstance(call, ast.Call)] if rest else []
    found = [
        _resolved(call.func, cls, base, _names_of(function))
        for call in calls
        if [_starred(arg) for arg in call.args] == [rest]
        and all(one.arg is None for one in call.keywords)
    ]
    return _only(view, function, found)


def keywords_of(
    view: DescriptionContext, function: FunctionType, cls: type | None, base: type | None
) -> tuple[Callee, int, frozenset[str]] | None:
    """The only function of the package that is given all of the ``**kwargs`` of ``function``.

    With it the number of arguments that it is given by place beside them, and the names of others.
    """
    node, arguments = _source_of(view, function)
    rest = arguments.kwarg.arg if arguments is not None and arguments.kwarg else ""
    calls = [
        call
        for call in (ast.walk(node) if rest else ())
        if isinstance(call, ast.Call)
        and not any(map(_starred, call.args))
        and any(one.arg is None and _name(one.value) == rest for one in call.keywords)
    ]
    found = _only(
        view, function, [_resolved(one.func, cls, base, _names_of(function)) for one in calls]
    )
    if found is None or len(calls) != 1:
        return None
    given = frozenset(one.arg for one in calls[0].keywords if one.arg)
    return found, len(calls[0].args), given


def _source_of(
    view: DescriptionContext, function: FunctionType
) -> tuple[ast.AST, ast.arguments | None]:
    node = view.sources.function(function.__code__)
    arguments = getattr(node, "args", None)
    return node or ast.Pass(), arguments if isinstance(arguments, ast.arguments) else None


def _names_of(function: FunctionType) -> dict[str, Any]:
    return static_lookup.module_dict(sys.modules.get(static_lookup.module_name(function)))


def _only(
    view: DescriptionContext, function: FunctionType, found: Iterable[Callee | None]
) -> Callee | None:
    """The one function of the package among ``found``, if it is one and another."""
    others = {
        callee[0].__code__: callee
        for callee in found
        if callee is not None and view.module_of(callee[0].__code__) and callee[0] is not function
    }
    return next(iter(others.values())) if len(others) == 1 else None


def _starred(arg: ast.expr) -> str:
    return _name(arg.value) if isinstance(arg, ast.Starred) else ""


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _resolved(
    called: ast.expr, cls: type | None, base: type | None, names: dict[str, Any]
) -> Callee | None:
    match called:
        case ast.Name(name):
            value = names.get(name)
            if static_lookup.is_class(value):
                return _function_of(constructor_of(cast("type", value)))
            return (value, None) if type(value) is FunctionType else None
        case ast.Attribute(ast.Call(ast.Name("super")), name) if cls is not None:
            order = static_lookup.mro(cls)
            later = order[order.index(base) + 1 :] if base in order else ()
            held = [(static_lookup.own_dict(one).get(name), one) for one in later]
            return _function_of(next((pair for pair in held if pair[0] is not None), None))
        case ast.Attribute(ast.Name(receiver), name) if cls is not None and receiver not in names:
            return _function_of(static_lookup.lookup(cls, name))
    return None


def _function_of(found: tuple[Any, type] | None) -> Callee | None:
    """The function of a member that takes a receiver."""
    if found is None or static_lookup.is_instance(found[0], staticmethod):
        return None
    function = function_behind(found[0])
    return (function, found[1]) if function is not None else None
