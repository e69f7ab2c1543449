"""Calls of code that is not rewritten: C functions, classes, functions of other packages.

Invariant: a proxy is handed on only to code that treats it through operators (containers,
``sorted``, ``isinstance``, …); a pure function of the table of operations gives a followed result;
everything else gets concretized values.
"""

from __future__ import annotations

import collections
import functools
import itertools
import operator
import re
import struct
import types
import typing
import weakref
from collections.abc import Callable
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, Final

from unitcraft.instrument import interception
from unitcraft.symbolic.containers import container_methods
from unitcraft.symbolic.intercept import builtin_models, formatting, library_models
from unitcraft.symbolic.intercept.builtin_models import CONVERSIONS
from unitcraft.symbolic.intercept.deep_concretization import call_concretely
from unitcraft.symbolic.proxies import regex_match, strings
from unitcraft.symbolic.proxies.trace import (
    PROXIES,
    apply_operation,
    concrete_value,
    is_instance,
    is_symbolic,
)


def call_any(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """``function(*args, **kwargs)`` for any function."""
    return function(*args, **kwargs) if _is_rewritten(function) else enter(function, args, kwargs)


def _is_rewritten(function: Any) -> bool:
    if type(function) is MethodType:
        function = function.__func__
    return type(function) is FunctionType and interception.CALL in function.__globals__


def enter(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``function(*args, **kwargs)`` for a function that may not be rewritten."""
    handler = HANDLERS.get(type(function))
    if handler is not None:
        return handler(function, args, kwargs)
    if is_instance(function, type):
        return _call_class(function, args, kwargs)
    kind = type(function)
    call = getattr(kind, "__call__", None)  # noqa: B004 - the method is looked at, not its presence
    if type(call) is FunctionType and interception.CALL in call.__globals__:
        return function(*args, **kwargs)
    return call_concretely(function, args, kwargs)


def _call_as_is(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Hand the arguments on as they are."""
    return function(*args, **kwargs)


def intercept_calls_of(function: Any) -> Any:
    """``function`` for C code to call, through ``call_any`` if it is not rewritten."""
    if function is None or _is_rewritten(function) or not callable(function):
        return function
    return functools.partial(call_any, function)


def _call_higher_order(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function that is given functions: the first argument, or ``key`` and ``func``."""
    made = tuple([intercept_calls_of(arg) if type(arg) in _CALLABLE else arg for arg in args])
    named = {key: intercept_calls_of(arg) if key in _KEYS else arg for key, arg in kwargs.items()}
    return function(*made, **named)


_KEYS: Final = frozenset({"key", "func"})
_CALLABLE: Final = frozenset(
    {
        BuiltinFunctionType, MethodDescriptorType, MethodType, FunctionType, type, type(abs),
        WrapperDescriptorType, MethodWrapperType, functools.partial, operator.itemgetter,
        operator.attrgetter, operator.methodcaller,
    }
)  # fmt: skip


# -- Python functions -----------------------------------------------------------------


def _call_function(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A Python function, or a method whose function is one."""
    inner = getattr(function, "__func__", function)
    if type(inner) is not FunctionType:
        return enter(inner, (function.__self__, *args), kwargs)
    if inner in regex_match.REGEX_FUNCTIONS:
        return regex_match.REGEX_FUNCTIONS[inner](*args, **kwargs)
    if inner in library_models.LIBRARY_FUNCTIONS:
        return library_models.LIBRARY_FUNCTIONS[inner](function, args, kwargs)
    home = inner.__globals__.get("__name__", "")
    if (
        home.startswith(_HANDING_PREFIXES)
        or home in _HANDING
        or interception.CALL in inner.__globals__
    ):
        return function(*args, **kwargs)
    return call_concretely(function, args, kwargs)


_HANDING_PREFIXES: Final = ("unitcraft.symbolic.", "namedtuple_")
#: Modules of the standard library whose Python functions only hand values on.
_HANDING: Final = frozenset(
    {"functools", "contextlib", "dataclasses", "abc", "typing", "collections.abc",
     "_collections_abc", "collections", "copy", "heapq", "bisect", "operator", "weakref",
     "_weakrefset", "enum"}
)  # fmt: skip


def _call_partial(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if function.func is call_any:
        return function(*args, **kwargs)
    return call_any(function.func, *function.args, *args, **{**function.keywords, **kwargs})


def _call_alias(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``Stack[int](…)``."""
    origin = function.__origin__
    return (
        function(*args, **kwargs)
        if _has_followable_constructor(origin)
        else enter(origin, args, kwargs)
    )


# -- classes ----------------------------------------------------------------------------


def _call_class(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    made = _MAKER_OF.get(cls)
    if made is None:
        if len(_MAKER_OF) > _MAX_CLASSES:
            _MAKER_OF.clear()
        made = _MAKER_OF[cls] = _maker(cls)
    return made(cls, args, kwargs)


_Handler = Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
#: The handler of every class that was called.
_MAKER_OF: Final[dict[type, _Handler]] = {}
#: Classes kept there; a Subject that makes more of them empties it.
_MAX_CLASSES: Final = 4000


def _maker(cls: type) -> _Handler:
    if cls in CONVERSIONS:
        return CONVERSIONS[cls]
    if cls in _HIGHER_CLASSES:
        return _call_higher_order
    if (
        cls in _TRANSPARENT_CLASSES
        or issubclass(cls, BaseException)
        or _has_followable_constructor(cls)
    ):
        return _call_as_is
    return call_concretely


def _has_followable_constructor(cls: type) -> bool:
    """Is the constructor rewritten code, or does it only store its arguments?"""
    for base in cls.__mro__:
        for name in ("__init__", "__new__"):
            method = vars(base).get(name)
            method = getattr(method, "__func__", method)
            if type(method) is FunctionType:
                space = method.__globals__
                home = space.get("__name__", "")
                return (
                    interception.CALL in space or home in _HANDING or home.startswith("namedtuple_")
                )
            if method is not None:
                return base in _STORING
    return False


#: Classes whose subclasses store what they are given.
_STORING: Final = frozenset({list, tuple, object, collections.deque})


_HIGHER_CLASSES: Final = frozenset(
    {
        map, filter, itertools.accumulate, itertools.starmap, itertools.takewhile,
        itertools.dropwhile, itertools.filterfalse, itertools.groupby,
    }
)  # fmt: skip
_TRANSPARENT_CLASSES: Final = frozenset(
    {
        list, tuple, enumerate, zip, reversed, object, property, staticmethod, classmethod, super,
        functools.partial, itertools.chain, itertools.zip_longest, itertools.count,
        itertools.cycle, itertools.product,
        itertools.combinations_with_replacement, itertools.compress, itertools.islice,
        itertools.pairwise, itertools.repeat, weakref.ref, types.MappingProxyType,
        types.SimpleNamespace, operator.attrgetter,
    }
)  # fmt: skip


# -- C functions ------------------------------------------------------------------------


def _call_builtin(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A C function, or a method of a C object bound to it."""
    owner = function.__self__
    kind = type(owner)
    if kind is ModuleType or owner is None:
        return _call_module_function(function, args, kwargs)
    if is_instance(owner, (list, collections.deque)):
        if "key" in kwargs:
            kwargs = {**kwargs, "key": intercept_calls_of(kwargs["key"])}
        return container_methods.list_method(function, args, kwargs)
    if is_instance(owner, (dict, set, frozenset)):
        return container_methods.table_method(function, owner, args, kwargs)
    if kind is re.Pattern:
        return regex_match.pattern_method(function, owner, args, kwargs)
    if kind is struct.Struct:
        return library_models.call_struct_method(function, owner, args, kwargs)
    if kind is str or kind is bytes:
        return _call_text_method(function, owner, args, kwargs)
    if is_instance(owner, type):
        return _call_class_method(function, owner, args, kwargs)
    if kind in _HANDING_ON:
        return function(*args, **kwargs)
    return call_concretely(function, args, kwargs)


#: Classes whose methods compare or hand on what they are given.
_HANDING_ON: Final = frozenset(
    {tuple, types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType}
)


def _call_module_function(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    instead = builtin_models.MODELS.get(function)
    if instead is not None:
        return instead(*args, **kwargs)
    if function in library_models.LIBRARY_FUNCTIONS:
        return library_models.LIBRARY_FUNCTIONS[function](function, args, kwargs)
    if function in builtin_models.HIGHER_ORDER:
        return _call_higher_order(function, args, kwargs)
    return call_concretely(function, args, kwargs)


def _call_text_method(
    function: Any, owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A method of a plain text."""
    name = function.__name__
    if name == "format" and type(owner) is str:
        return formatting.fill_in(owner, args, kwargs)
    if name == "join" and len(args) == 1:
        args = (strings.as_list(args[0]),)
    if is_symbolic(args) or is_symbolic(tuple(kwargs.values())):
        return strings.invoke_method(type(owner), name, owner, args, kwargs)
    return function(*args, **kwargs) if name == "join" else call_concretely(function, args, kwargs)


def _call_class_method(
    function: Any, owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    name = function.__name__
    if name == "__new__" and (owner in _NEW or issubclass(owner, BaseException)):
        return function(*args, **kwargs)
    if owner is int and name == "from_bytes" and args and type(args[0]) in PROXIES:
        order = args[1] if len(args) > 1 else kwargs.get("byteorder", "big")
        return apply_operation("int.from_bytes", args[0], order, bool(kwargs.get("signed", False)))
    if name in library_models.PARSERS.get(owner, ()):
        return library_models.parse_moment(owner, name, args, kwargs, function)
    if owner is dict and name == "fromkeys" and args and not kwargs:
        value = args[1] if len(args) > 1 else None
        return container_methods.make_dict(dict, ([(key, value) for key in args[0]],), {})
    return call_concretely(function, args, kwargs)


_NEW: Final = frozenset({object, tuple, list, dict, set, collections.deque})


# -- descriptors and bound methods of C -----------------------------------------------------


def _call_descriptor(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``str.lower(x)``, ``list.append(xs, x)``, ``object.__setattr__(self, name, x)``."""
    if not args:
        return function(*args, **kwargs)
    owner, first = function.__objclass__, args[0]
    if type(first) in PROXIES and issubclass(type(concrete_value(first)), owner):
        bound = getattr(first, function.__name__, None)
        if bound is None:
            return call_concretely(function, args, kwargs)
        return enter(bound, args[1:], kwargs)
    if is_instance(first, owner) and not is_instance(first, type):
        return enter(function.__get__(first), args[1:], kwargs)
    return call_concretely(function, args, kwargs)


def _call_wrapper(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A special method of C code, bound: ``super().__init__(x)``, ``super().__setitem__(k, x)``."""
    owner = function.__self__
    if is_instance(owner, (dict, set, frozenset)):
        return container_methods.table_method(function, owner, args, kwargs)
    if is_instance(owner, (list, tuple, collections.deque)) and len(args) == 1:
        return function(*args, **kwargs)
    if function.__name__ in _PLAIN_WRAPPERS:
        return function(*args, **kwargs)
    return call_concretely(function, args, kwargs)


_PLAIN_WRAPPERS: Final = frozenset(
    {"__init__", "__setattr__", "__delattr__", "__getattribute__", "__setitem__", "__delitem__",
     "__get__", "__set__", "__init_subclass__"}
)  # fmt: skip

#: The class of bound methods of C code that are told the class that defines them, as those of
#: compiled patterns are; a subclass of BuiltinFunctionType that no module names.
_DEFINED_METHOD: Final[type] = type(re.compile("").match)

#: The function that calls a callable, by the class of the callable.
HANDLERS: Final[dict[type, _Handler]] = {
    FunctionType: _call_function, MethodType: _call_function, BuiltinFunctionType: _call_builtin,
    _DEFINED_METHOD: _call_builtin,
    type: _call_class,
    MethodDescriptorType: _call_descriptor, WrapperDescriptorType: _call_descriptor,
    types.ClassMethodDescriptorType: call_concretely, MethodWrapperType: _call_wrapper,
    functools.partial: _call_partial, types.GenericAlias: _call_alias,
    type(typing.List[int]): _call_alias,  # noqa: UP006 - the class of generics that were subscribed
    operator.itemgetter: _call_as_is, operator.attrgetter: _call_as_is,
    operator.methodcaller: _call_as_is,
}  # fmt: skip
