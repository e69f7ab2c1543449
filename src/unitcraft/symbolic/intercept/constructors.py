"""Calls of builtin classes: conversions of proxies, and classes that want plain numbers.

Invariant: ``int``, ``float``, ``str``, ``bytes`` and ``range`` of a proxy give followed results;
``type`` of a proxy is the class that the plain value has.
"""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable
from typing import Any, Final

from unitcraft.symbolic.containers import container_classes
from unitcraft.symbolic.containers.parsed_documents import ParsedDict
from unitcraft.symbolic.intercept import formatting, library_models
from unitcraft.symbolic.intercept.deep_concretization import call_concretely
from unitcraft.symbolic.proxies import regex_match, strings
from unitcraft.symbolic.proxies.moments import SymMoment, SymSpan
from unitcraft.symbolic.proxies.ranges import SymRange, sym_range
from unitcraft.symbolic.proxies.trace import (
    PROXIES,
    apply_operation,
    concrete_value,
    concretize,
    is_instance,
    is_symbolic,
)


def _make_str(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``str(x)`` and ``str(data, encoding, errors)``."""
    if len(args) == 1 and not kwargs:
        return formatting.render("str", args[0])
    if args and is_instance(args[0], bytes) and is_symbolic(args):
        return strings.invoke_method(bytes, "decode", args[0], args[1:], kwargs)
    return call_concretely(cls, args, kwargs)


def _make_number(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``int(x)``, ``int(text, base)`` and ``float(x)``."""
    if kwargs and set(kwargs) <= {"base"}:
        args, kwargs = (*args, kwargs["base"]), {}
    if len(args) == 1 and type(args[0]) in PROXIES and type(concrete_value(args[0])) is cls:
        return args[0]
    if is_symbolic(args) and not kwargs:
        known = len(args) == 1 or is_instance(args[0], (str, bytes))
        if known and all(map(strings.can_be_term, args)):
            return apply_operation(cls.__name__, *args)
        args = concretize(args)  # a base for what is no text: the errors of both are no branches
    return cls(*args, **kwargs)


def _make_bytes(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``bytes(x)`` and ``bytes(text, encoding, errors)``."""
    first = args[0] if args else b""
    if len(args) == 1 and type(first) in PROXIES and isinstance(first, bytes):
        return first
    if len(args) == 1 and type(first) in (list, tuple) and strings.can_be_term(first):
        if is_symbolic(first) and all(is_instance(item, int) for item in first):
            return apply_operation("bytes", first)
        return cls(concretize(first))
    if is_instance(first, str) and is_symbolic(args) and (len(args) > 1 or kwargs):
        return strings.invoke_method(str, "encode", first, args[1:], kwargs)
    return call_concretely(cls, args, kwargs)


def _make_bool(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return cls(*args, **kwargs)


def _call_type(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if len(args) == 1 and (type(args[0]) in PROXIES or type(args[0]) in _DISGUISED):
        return args[0].__class__
    return cls(*args, **kwargs)


_DISGUISED: Final = frozenset(
    {SymRange, regex_match.SymMatch, SymMoment, SymSpan, ParsedDict, *container_classes.STANDS_FOR}
)


def _make_range(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return sym_range(*args) if is_symbolic(args) and not kwargs else cls(*args, **kwargs)


def _make_sized(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A class that wants a plain number after the items."""
    plainly = {key: concretize(value) for key, value in kwargs.items()}
    return cls(*args[:1], *map(concretize, args[1:]), **plainly)


#: How calls of builtin classes are made: each is given the class and both kinds of arguments.
CONVERSIONS: Final[dict[type, Callable[..., Any]]] = {
    itertools.permutations: _make_sized, itertools.combinations: _make_sized,
    collections.deque: _make_sized,
    int: _make_number, float: _make_number, str: _make_str, bytes: _make_bytes, bool: _make_bool,
    type: _call_type,
    range: _make_range, **library_models.LIBRARY_CLASSES, **container_classes.MAKERS,
}  # fmt: skip
