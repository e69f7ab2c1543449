"""The function to which one hands on all that it is given, and that so says what it takes.

``__new__(cls, *args, **kwargs)`` that ends in ``instance.initialize(*args, **kwargs)`` takes what
``initialize`` does.

Invariant: nothing of the Subject runs; where calls hand on to several functions, none is found.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
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
    node = view.sources.function(function.__code__)
    arguments = getattr(node, "args", None)
    if node is None or not isinstance(arguments, ast.arguments) or arguments.vararg is None:
        return None
    names = static_lookup.module_dict(sys.modules.get(static_lookup.module_name(function)))
    found = {
        callee[0].__code__: callee
        for called in _given_all(node, arguments.vararg.arg)
        if (callee := _resolved(called, cls, base, names)) is not None
        and view.module_of(callee[0].__code__)
        and callee[0] is not function
    }
    return next(iter(found.values())) if len(found) == 1 else None


def _given_all(node: ast.AST, rest: str) -> Iterator[ast.expr]:
    """What the code calls with ``*rest`` and nothing else by place or by name."""
    for call in ast.walk(node):
        match call:
            case ast.Call(func, [ast.Starred(ast.Name(name))], keywords) if name == rest:
                if all(one.arg is None for one in keywords):
                    yield func


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
