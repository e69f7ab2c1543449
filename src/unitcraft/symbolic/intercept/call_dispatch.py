"""Calls of code that is not rewritten: C functions, classes, functions of other packages.

Invariant: a proxy is handed on only to what treats it through operators (containers, ``sorted``,
``isinstance``, …); a pure function of the table of operations gives a followed result; whatever
else is called gets plain values, and the trace says so.
"""

from __future__ import annotations

import collections
import functools
import itertools
import operator
import re
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
from unitcraft.symbolic.containers import container_classes, container_methods
from unitcraft.symbolic.intercept import builtin_models, formatting
from unitcraft.symbolic.intercept.deep_concretization import revealed
from unitcraft.symbolic.proxies import regex_match, strings
from unitcraft.symbolic.proxies.ranges import SymRange, sym_range
from unitcraft.symbolic.proxies.trace import Proxied, apply, pin, plain, symbolic


def through(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """``function(*args, **kwargs)`` for any function."""
    return function(*args, **kwargs) if _rewritten(function) else enter(function, args, kwargs)


def _rewritten(function: Any) -> bool:
    if type(function) is MethodType:
        function = function.__func__
    return type(function) is FunctionType and interception.CALL in function.__globals__


def enter(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``function(*args, **kwargs)`` for a function that may not be rewritten."""
    handler = HANDLERS.get(type(function))
    if handler is not None:
        return handler(function, args, kwargs)
    if isinstance(function, type):
        return _class(function, args, kwargs)
    kind = type(function)
    call = getattr(kind, "__call__", None)  # noqa: B004 - the method is looked at, not its presence
    if type(call) is FunctionType and interception.CALL in call.__globals__:
        return function(*args, **kwargs)
    return _foreign(function, args, kwargs)


def _foreign(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call with plain values; what hides deeper in the arguments is pinned where it is."""
    known = [revealed(arg) for arg in args]
    return function(*known, **{key: revealed(value) for key, value in kwargs.items()})


def _plainly(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Hand the arguments on as they are."""
    return function(*args, **kwargs)


def followed(function: Any) -> Any:
    """``function`` to be called by C code: one that is not rewritten is called through probes."""
    if function is None or _rewritten(function) or not callable(function):
        return function
    return functools.partial(through, function)


def _higher(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function that is given functions: the first argument, or ``key`` and ``func``."""
    made = tuple([followed(arg) if type(arg) in _CALLABLE else arg for arg in args])
    named = {key: followed(arg) if key in _KEYS else arg for key, arg in kwargs.items()}
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


def _function(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A Python function, or a method whose function is one."""
    inner = getattr(function, "__func__", function)
    if type(inner) is not FunctionType:
        return enter(inner, (function.__self__, *args), kwargs)
    if inner in regex_match.FUNCTIONS:
        return regex_match.FUNCTIONS[inner](*args, **kwargs)
    home = inner.__globals__.get("__name__", "")
    if (
        home.startswith(_HANDING_PREFIXES)
        or home in _HANDING
        or interception.CALL in inner.__globals__
    ):
        return function(*args, **kwargs)
    return _foreign(function, args, kwargs)


_HANDING_PREFIXES: Final = ("unitcraft.symbolic.", "namedtuple_")
#: Modules of the standard library whose Python functions only hand values on.
_HANDING: Final = frozenset(
    {"functools", "contextlib", "dataclasses", "abc", "typing", "collections.abc",
     "_collections_abc", "collections", "copy", "heapq", "bisect", "operator", "weakref",
     "_weakrefset", "enum"}
)  # fmt: skip


def _partial(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if function.func is through:
        return function(*args, **kwargs)
    return through(function.func, *function.args, *args, **{**function.keywords, **kwargs})


def _alias(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``Stack[int](…)``."""
    origin = function.__origin__
    return function(*args, **kwargs) if _own(origin) else enter(origin, args, kwargs)


# -- classes ----------------------------------------------------------------------------


def _class(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    made = _MADE.get(cls)
    if made is None:
        if len(_MADE) > _MOST_CLASSES:
            _MADE.clear()
        made = _MADE[cls] = _maker(cls)
    return made(cls, args, kwargs)


_Handler = Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
#: How instances of a class that was called are made; classes kept.
_MADE: Final[dict[type, _Handler]] = {}
_MOST_CLASSES: Final = 4000


def _maker(cls: type) -> _Handler:
    if cls in _CONVERSIONS:
        return _CONVERSIONS[cls]
    if cls in _HIGHER_CLASSES:
        return _higher
    if cls in _TRANSPARENT_CLASSES or issubclass(cls, BaseException) or _own(cls):
        return _plainly
    return _foreign


def _own(cls: type) -> bool:
    """Is making an instance rewritten code, or nothing but the storing of what is given?"""
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


def _text(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``str(x)`` and ``str(data, encoding, errors)``."""
    if len(args) == 1 and not kwargs:
        return formatting.rendered("str", args[0])
    if args and isinstance(args[0], bytes) and symbolic(args):
        return strings.invoke(bytes, "decode", args[0], args[1:], kwargs)
    return _foreign(cls, args, kwargs)


def _number(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``int(x)``, ``int(text, base)`` and ``float(x)``."""
    if kwargs and set(kwargs) <= {"base"}:
        args, kwargs = (*args, kwargs["base"]), {}
    if len(args) == 1 and isinstance(args[0], Proxied) and type(plain(args[0])) is cls:
        return args[0]
    if symbolic(args) and not kwargs:
        known = len(args) == 1 or isinstance(args[0], (str, bytes))
        if known and all(map(strings.followable, args)):
            return apply(cls.__name__, *args)
        args = pin(args)  # a base for what is no text: the errors of both are no branches
    return cls(*args, **kwargs)


def _bytes(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``bytes(x)`` and ``bytes(text, encoding, errors)``."""
    first = args[0] if args else b""
    if len(args) == 1 and isinstance(first, Proxied) and isinstance(first, bytes):
        return first
    if len(args) == 1 and type(first) in (list, tuple) and strings.followable(first):
        if symbolic(first) and all(isinstance(item, int) for item in first):
            return apply("bytes", first)
        return cls(pin(first))
    if isinstance(first, str) and symbolic(args) and (len(args) > 1 or kwargs):
        return strings.invoke(str, "encode", first, args[1:], kwargs)
    return _foreign(cls, args, kwargs)


def _truth(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return cls(*args, **kwargs)


def _type(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if len(args) == 1 and (isinstance(args[0], Proxied) or type(args[0]) in _DISGUISED):
        return args[0].__class__
    return cls(*args, **kwargs)


_DISGUISED: Final = frozenset({SymRange, regex_match.SymMatch, *container_classes.STANDS_FOR})


def _range(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return sym_range(*args) if symbolic(args) and not kwargs else cls(*args, **kwargs)


def _sized(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A class that wants a plain number after the items."""
    plainly = {key: pin(value) for key, value in kwargs.items()}
    return cls(*args[:1], *map(pin, args[1:]), **plainly)


_CONVERSIONS: Final[dict[type, Callable[..., Any]]] = {
    itertools.permutations: _sized, itertools.combinations: _sized, collections.deque: _sized,
    int: _number, float: _number, str: _text, bytes: _bytes, bool: _truth, type: _type,
    range: _range, **container_classes.MAKERS,
}  # fmt: skip
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


def _builtin(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A C function, or a method of a C object bound to it."""
    owner = function.__self__
    kind = type(owner)
    if kind is ModuleType or owner is None:
        return _module_function(function, args, kwargs)
    if isinstance(owner, (list, collections.deque)):
        if "key" in kwargs:
            kwargs = {**kwargs, "key": followed(kwargs["key"])}
        return container_methods.list_method(function, args, kwargs)
    if isinstance(owner, (dict, set, frozenset)):
        return container_methods.table_method(function, owner, args, kwargs)
    if kind is re.Pattern:
        return regex_match.pattern_method(function, owner, args, kwargs)
    if kind is str or kind is bytes:
        return _text_method(function, owner, args, kwargs)
    if isinstance(owner, type):
        return _class_method(function, owner, args, kwargs)
    if kind in _HANDING_ON:
        return function(*args, **kwargs)
    return _foreign(function, args, kwargs)


#: Classes whose methods compare or hand on what they are given.
_HANDING_ON: Final = frozenset(
    {tuple, types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType}
)


def _module_function(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if function in builtin_models.TRANSPARENT:
        return function(*args, **kwargs)
    instead = builtin_models.STANDING_IN.get(function)
    if instead is not None:
        return instead(*args, **kwargs)
    if function in builtin_models.HIGHER:
        return _higher(function, args, kwargs)
    return _foreign(function, args, kwargs)


def _text_method(function: Any, owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of a plain text."""
    name = function.__name__
    if name == "format" and type(owner) is str:
        return formatting.filled_in(owner, args, kwargs)
    if name == "join" and len(args) == 1:
        args = (strings.listed(args[0]),)
    if symbolic(args) or symbolic(tuple(kwargs.values())):
        return strings.invoke(type(owner), name, owner, args, kwargs)
    return function(*args, **kwargs) if name == "join" else _foreign(function, args, kwargs)


def _class_method(function: Any, owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    name = function.__name__
    if name == "__new__" and (owner in _NEW or issubclass(owner, BaseException)):
        return function(*args, **kwargs)
    if owner is int and name == "from_bytes" and args and isinstance(args[0], Proxied):
        order = args[1] if len(args) > 1 else kwargs.get("byteorder", "big")
        return apply("int.from_bytes", args[0], order, bool(kwargs.get("signed", False)))
    if owner is dict and name == "fromkeys" and args and not kwargs:
        value = args[1] if len(args) > 1 else None
        return container_methods.make_dict(dict, ([(key, value) for key in args[0]],), {})
    return _foreign(function, args, kwargs)


_NEW: Final = frozenset({object, tuple, list, dict, set, collections.deque})


# -- descriptors and what they bind -------------------------------------------------------


def _descriptor(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``str.lower(x)``, ``list.append(xs, x)``, ``object.__setattr__(self, name, x)``."""
    if not args:
        return function(*args, **kwargs)
    owner, first = function.__objclass__, args[0]
    if isinstance(first, Proxied) and issubclass(type(plain(first)), owner):
        bound = getattr(first, function.__name__, None)
        if bound is None:
            return _foreign(function, args, kwargs)
        return enter(bound, args[1:], kwargs)
    if isinstance(first, owner) and not isinstance(first, type):
        return enter(function.__get__(first), args[1:], kwargs)
    return _foreign(function, args, kwargs)


def _wrapper(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A special method of C code, bound: ``super().__init__(x)``, ``super().__setitem__(k, x)``."""
    owner = function.__self__
    if isinstance(owner, (dict, set, frozenset)):
        return container_methods.table_method(function, owner, args, kwargs)
    if isinstance(owner, (list, tuple, collections.deque)) and len(args) == 1:
        return function(*args, **kwargs)
    if function.__name__ in _PLAIN_WRAPPERS:
        return function(*args, **kwargs)
    return _foreign(function, args, kwargs)


_PLAIN_WRAPPERS: Final = frozenset(
    {"__init__", "__setattr__", "__delattr__", "__getattribute__", "__setitem__", "__delitem__",
     "__get__", "__set__", "__init_subclass__"}
)  # fmt: skip

#: What calls a callable, by its class.
HANDLERS: Final[dict[type, _Handler]] = {
    FunctionType: _function, MethodType: _function, BuiltinFunctionType: _builtin, type: _class,
    MethodDescriptorType: _descriptor, WrapperDescriptorType: _descriptor,
    types.ClassMethodDescriptorType: _foreign, MethodWrapperType: _wrapper,
    functools.partial: _partial, types.GenericAlias: _alias,
    type(typing.List[int]): _alias,  # noqa: UP006 - the class of generics that were subscribed
    operator.itemgetter: _plainly, operator.attrgetter: _plainly,
    operator.methodcaller: _plainly,
}  # fmt: skip
