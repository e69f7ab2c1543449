"""Calls of code that is not rewritten: C functions, classes, functions of other packages.

Invariant: a proxy is handed on only to what treats it through operators (containers, ``sorted``,
``isinstance``, …); a pure function of the table of operations gives a followed result; whatever
else is called gets plain values, and the trace says so.
"""

from __future__ import annotations

import collections
import functools
import heapq
import itertools
import operator
import re
from collections.abc import Callable
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, Final

from unitcraft.instrument import blind
from unitcraft.symbolic import patterns, tablecalls
from unitcraft.symbolic.numbers import SymFloat, SymInt
from unitcraft.symbolic.operations import OPERATIONS
from unitcraft.symbolic.ranges import sym_range
from unitcraft.symbolic.texts import SymBytes, SymStr
from unitcraft.symbolic.trace import Proxied, apply, pin, plain, symbolic

#: Objects that a search for proxies looks at in one argument.
MOST_LOOKS: Final = 400
_ATOMS: Final = frozenset({int, float, str, bytes, bool, type(None)})
_CONTAINERS: Final = (list, tuple, dict, set, frozenset, collections.deque)


def enter(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``function(*args, **kwargs)`` for a function that may not be rewritten."""
    kind = type(function)
    if kind is BuiltinFunctionType:
        return _builtin(function, args, kwargs)
    if isinstance(function, type):
        return _class(function, args, kwargs)
    if kind is FunctionType or kind is MethodType:
        return _function(function, args, kwargs)
    if kind is MethodDescriptorType or kind is WrapperDescriptorType:
        return _descriptor(function, args, kwargs)
    call = getattr(kind, "__call__", None)  # noqa: B004 - the method is looked at, not its presence
    if type(call) is FunctionType and blind.CALL in call.__globals__:
        return function(*args, **kwargs)
    if kind in _HOLDERS:
        return function(*args, **kwargs)
    return _foreign(function, args, kwargs)


#: Callables that only hand their arguments on (a cache hashes them, which pins).
_HOLDERS: Final = frozenset(
    {functools.partial, operator.itemgetter, operator.attrgetter, operator.methodcaller}
)


def _foreign(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call with plain values; what hides deeper in the arguments is pinned where it is."""
    if not args and not kwargs:
        return function()
    plainly = [_given(arg) for arg in args]
    return function(*plainly, **{key: _given(value) for key, value in kwargs.items()})


def _given(value: Any) -> Any:
    kind = type(value)
    if kind in _ATOMS:
        return value
    if issubclass(kind, Proxied):
        return pin(value)
    if kind is tuple and symbolic(value):
        return pin(value)
    pin_inside(value)
    return value


def pin_inside(value: Any) -> None:
    """Pin every proxy in the containers and objects that ``value`` holds."""
    waiting, seen = [value], 0
    met: set[int] = set()
    while waiting and seen < MOST_LOOKS:
        item = waiting.pop()
        kind = type(item)
        if kind in _ATOMS:
            continue
        seen += 1
        if issubclass(kind, Proxied):
            pin(item)
        elif id(item) in met:
            continue
        elif isinstance(item, dict):
            met.add(id(item))
            waiting += [part for pair in dict.items(item) for part in pair]
        elif isinstance(item, _CONTAINERS):
            met.add(id(item))
            waiting += list(item)
        elif not isinstance(item, (type, ModuleType, FunctionType)):
            met.add(id(item))
            waiting += list(getattr(item, "__dict__", {}).values())


def _function(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A Python function of another module, or a method whose function is one."""
    inner = getattr(function, "__func__", function)
    if inner in patterns.FUNCTIONS:
        return patterns.FUNCTIONS[inner](*args, **kwargs)
    module = getattr(inner, "__module__", None) or ""
    generated = getattr(inner, "__globals__", {}).get("__name__", "")
    if module.startswith(_ENGINE) or module in _HANDING or generated.startswith("namedtuple_"):
        return function(*args, **kwargs)
    return _foreign(function, args, kwargs)


_ENGINE: Final = "unitcraft."
#: Modules of the standard library whose Python functions only hand values on.
_HANDING: Final = frozenset(
    {"functools", "contextlib", "dataclasses", "abc", "typing", "collections.abc", "_collections_abc",
     "copy", "heapq", "bisect", "operator", "weakref", "enum"}
)  # fmt: skip


def _class(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    made = _CONVERSIONS.get(cls)
    if made is not None:
        return made(cls, args, kwargs)
    if cls in _TRANSPARENT_CLASSES or issubclass(cls, BaseException) or _own(cls):
        return cls(*args, **kwargs)
    return _foreign(cls, args, kwargs)


def _own(cls: type) -> bool:
    """Is making an instance rewritten code, or nothing but the storing of fields?"""
    for base in cls.__mro__:
        for name in ("__init__", "__new__"):
            method = vars(base).get(name)
            method = getattr(method, "__func__", method)
            if type(method) is FunctionType:
                space = method.__globals__
                return blind.CALL in space or space.get("__name__", "").startswith("namedtuple_")
    return False


def _convert(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``int(x)``, ``float(x)``, ``str(x)``, ``bytes(x)`` and ``bool(x)``."""
    if len(args) == 1 and not kwargs and isinstance(args[0], Proxied):
        value = args[0]
        if cls is bool:
            return bool(value)
        if type(plain(value)) is cls:
            return value
        if cls in (int, float, str):
            return apply(cls.__name__, value)
    if symbolic(args):
        if cls is int and not kwargs:
            return apply("int", *args)
        return cls(*[pin(arg) for arg in args], **kwargs)
    return cls(*args, **kwargs)


def _type(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if len(args) == 1 and isinstance(args[0], Proxied):
        return type(plain(args[0]))
    return cls(*args, **kwargs)


def _range(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return sym_range(*args) if symbolic(args) and not kwargs else cls(*args, **kwargs)


_CONVERSIONS: Final[dict[type, Callable[..., Any]]] = {
    int: _convert, float: _convert, str: _convert, bytes: _convert, bool: _convert,
    type: _type, range: _range, set: tablecalls.make_set, frozenset: tablecalls.make_set,
    dict: tablecalls.make_dict,
}  # fmt: skip
_TRANSPARENT_CLASSES: Final = frozenset(
    {
        list, tuple, enumerate, zip, map, filter, reversed, object, property, staticmethod,
        classmethod, super, collections.deque, functools.partial, itertools.chain,
        itertools.accumulate, itertools.zip_longest, itertools.count, itertools.cycle,
        itertools.starmap, itertools.takewhile, itertools.dropwhile, itertools.filterfalse,
        itertools.groupby, itertools.product, itertools.permutations, itertools.combinations,
        itertools.pairwise,
    }
)  # fmt: skip


def _builtin(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A C function, or a method of a C object bound to it."""
    owner = function.__self__
    if owner is None or isinstance(owner, ModuleType):
        return _module_function(function, args, kwargs)
    kind = type(owner)
    if kind in (list, collections.deque):
        return tablecalls.list_method(function, args, kwargs)
    if isinstance(owner, (dict, set, frozenset)):
        return tablecalls.table_method(function, owner, args, kwargs)
    if kind is re.Pattern:
        return patterns.pattern_method(function, owner, args, kwargs)
    if kind in (str, bytes) and symbolic(args) and not kwargs:
        name = f"{kind.__name__}.{function.__name__}"
        values = tuple([_listed(arg) for arg in args])
        if name in OPERATIONS and all(type(plain(value)) in _OPERANDS for value in values):
            return apply(name, owner, *values)
    if kind in _ATOMS or isinstance(owner, type) or symbolic(args):
        return _foreign(function, args, kwargs)
    return function(*args, **kwargs) if _iterates(kind) else _foreign(function, args, kwargs)


_OPERANDS: Final = frozenset({str, bytes, int, float, bool, type(None), tuple, list})


def _listed(value: Any) -> Any:
    """An iterable as a list, so that ``join`` can be followed."""
    if type(value) in _OPERANDS or isinstance(value, (Proxied, dict)) or not hasattr(value, "__iter__"):
        return value
    return list(value)


def _iterates(kind: type) -> bool:
    """Is it a generator or an iterator, whose methods only hand values on?"""
    return hasattr(kind, "__next__")


def _module_function(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if function in _TRANSPARENT:
        return function(*args, **kwargs)
    special = _SPECIAL.get(function)
    if special is not None and not kwargs:
        return special(*args)
    if symbolic(args):
        name = _NAMES.get(function)
        if name is not None and not kwargs and all(
            type(plain(arg)) in _OPERANDS for arg in args
        ):  # fmt: skip
            return apply(name, *args)
    return _foreign(function, args, kwargs)


def _length(value: Any) -> Any:
    if isinstance(value, Proxied):
        return apply("len", value)
    return len(value)


def _sum(items: Any, start: Any = 0) -> Any:
    for item in items:
        start = start + item
    return start


def _own_sum(items: Any, start: Any = 0) -> Any:
    listed = list(items)
    return _sum(listed, start) if symbolic(listed) or symbolic(start) else sum(listed, start)


def _repr(value: Any) -> Any:
    return apply("repr", value) if isinstance(value, Proxied) else repr(value)


_SPECIAL: Final[dict[Any, Callable[..., Any]]] = {len: _length, sum: _own_sum, repr: _repr}
_NAMES: Final[dict[Any, str]] = {
    **{function: function.__name__ for function in (ord, chr, ascii, bin, oct, hex, format)},
    **{
        getattr(__import__("math"), name.partition(".")[2]): name
        for name in OPERATIONS
        if name.startswith("math.")
    },
    operator.add: "+", operator.sub: "-",
}  # fmt: skip
_TRANSPARENT: Final = frozenset(
    {
        abs, all, any, callable, delattr, divmod, getattr, hasattr, hash, id, isinstance,
        issubclass, iter, max, min, next, pow, round, setattr, sorted,
        heapq.heappush, heapq.heappop, heapq.heapify, heapq.heapreplace, heapq.heappushpop,
        functools.reduce, operator.eq, operator.ne, operator.lt, operator.le, operator.gt,
        operator.ge, operator.mul, operator.neg, operator.not_, operator.truth,
        itertools.tee,
    }
    | {getattr(__import__("bisect"), name) for name in (
        "bisect", "bisect_left", "bisect_right", "insort", "insort_left", "insort_right",
    )}
)  # fmt: skip


def _descriptor(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``str.lower(x)``: the method of the proxy, if the first argument is one."""
    if args and isinstance(args[0], (Proxied, *_CONTAINERS)):
        bound = getattr(args[0], function.__name__, None)
        owner = function.__objclass__
        if bound is not None and type(args[0]) in (owner, *_PROXIES.get(owner, ())):
            return enter(bound, args[1:], kwargs)
    if isinstance(getattr(function, "__objclass__", None), type) and not symbolic(args):
        return function(*args, **kwargs)
    if function.__name__ in ("__init__", "__new__", "__setattr__", "__getattribute__", "__eq__"):
        return function(*args, **kwargs)
    return _foreign(function, args, kwargs)


#: The proxy of each class of atoms.
_PROXIES: Final[dict[type, tuple[type, ...]]] = {
    int: (SymInt,), float: (SymFloat,), str: (SymStr,), bytes: (SymBytes,),
}  # fmt: skip
