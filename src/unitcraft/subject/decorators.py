"""Finds the Python function inside decorators, partials, caches and descriptors.

Invariant: wrappers are followed through their data (``__wrapped__``, ``func``, closure
cells) and never called; at most ``MAX_LAYERS`` of them.
"""

from __future__ import annotations

import functools
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_VARARGS, CO_VARKEYWORDS
from types import CodeType, FunctionType
from typing import Any, Final, NamedTuple

from unitcraft.subject import static_lookup

MAX_LAYERS: Final = 12  # wrappers around one function; ends the walk over cyclic ``__wrapped__``

_CACHE_WRAPPER: Final = type(functools.lru_cache(len))


def function_behind(value: Any, name: str = "") -> FunctionType | None:
    """The innermost Python function of ``value``, or None (C code, or not a function)."""
    found: FunctionType | None = None
    for _ in range(MAX_LAYERS):
        if static_lookup.is_instance(value, FunctionType):
            found = value
        value = _next_layer(value, name)
        if value is None:
            return found
    return found


def _next_layer(value: Any, name: str) -> Any:
    if static_lookup.is_instance(value, (staticmethod, classmethod)):
        return value.__func__
    if static_lookup.is_instance(value, property):
        return property.__dict__["fget"].__get__(value)
    if static_lookup.is_instance(value, functools.partial):
        return functools.partial.__dict__["func"].__get__(value)
    if static_lookup.is_instance(value, FunctionType):
        return static_lookup.own_dict(value).get("__wrapped__") or _enclosed_function(value, name)
    for attribute in ("__wrapped__", "func", "fget", "_func", "function"):
        inner = static_lookup.own_dict(value).get(attribute)
        if inner is not None:
            return inner
    return None


def _enclosed_function(function: FunctionType, name: str) -> FunctionType | None:
    """The decorated function inside a wrapper made without ``functools.wraps``."""
    if not name or function.__name__ == name:
        return None
    for cell in function.__closure__ or ():
        try:
            inner = cell.cell_contents
        except ValueError:
            continue
        if static_lookup.is_instance(inner, FunctionType) and inner.__name__ == name:
            return inner  # type: ignore[no-any-return]
    return None


def outer_code(value: Any) -> CodeType | None:
    """The code of the outermost function of ``value``, or None."""
    if static_lookup.is_instance(value, (staticmethod, classmethod)):
        value = value.__func__
    return value.__code__ if static_lookup.is_instance(value, FunctionType) else None


def takes_arguments_by_place(value: Any, function: FunctionType) -> bool:
    """Is ``function`` behind a wrapper that hands on ``*args`` and knows no names?"""
    outer = outer_code(value)
    if outer is None or outer is function.__code__:
        return False
    return outer.co_flags & (CO_VARARGS | CO_VARKEYWORDS) == CO_VARARGS


def is_callable_wrapper(value: Any) -> bool:
    """Is it a Python function, or a partial, cached or single-dispatch one?"""
    kinds = (FunctionType, functools.partial, _CACHE_WRAPPER)
    return static_lookup.is_instance(value, kinds) or type(value).__name__ in (
        "singledispatchmethod",
        "partialmethod",
    )


class Nature(NamedTuple):
    """Is it asynchronous, a generator of any kind, one that was made into a context manager?"""

    is_async: bool = False
    generates: bool = False
    manages: bool = False


def nature_of(value: Any, function: FunctionType | None) -> Nature:
    """The nature of ``value``, whose code is that of ``function``."""
    outer = outer_code(value)
    if function is None:
        return Nature()
    flags = function.__code__.co_flags
    if outer is not None and outer.co_filename.endswith("contextlib.py"):
        manages = bool(flags & (CO_GENERATOR | CO_ASYNC_GENERATOR)) and outer.co_name == "helper"
        return Nature(manages and bool(flags & CO_ASYNC_GENERATOR), manages=manages)
    generates = bool(flags & (CO_GENERATOR | CO_ASYNC_GENERATOR))
    return Nature(bool(flags & (CO_COROUTINE | CO_ASYNC_GENERATOR)), generates)
