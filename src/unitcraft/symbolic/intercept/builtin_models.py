"""Models of builtin functions and classes, and of functions of C modules.

Invariant: the model of a function does what the function does and follows proxies; functions that
only apply operators, or ask a value for its special methods, need no model.  ``int``, ``float``,
``str``, ``bytes`` and ``range`` of a proxy give followed results; ``type`` of a proxy is the class
that the plain value has.
"""

from __future__ import annotations

import bisect
import collections
import functools
import heapq
import itertools
import math
import operator
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

from unitcraft.instrument import interception
from unitcraft.symbolic.containers import container_classes
from unitcraft.symbolic.containers.parsed_documents import ParsedDict
from unitcraft.symbolic.intercept import formatting, library_models
from unitcraft.symbolic.intercept.deep_concretization import call_concretely
from unitcraft.symbolic.proxies import int_float, regex_match, strings
from unitcraft.symbolic.proxies.moments import SymMoment, SymSpan
from unitcraft.symbolic.proxies.ranges import SymRange, sym_range
from unitcraft.symbolic.proxies.strings import can_be_term
from unitcraft.symbolic.proxies.trace import (
    PROXIES,
    apply_operation,
    concrete_value,
    concretize,
    is_instance,
    is_symbolic,
)
from unitcraft.symbolic.terms.operations import OPERATIONS

_COMPENSATED: Final = sys.version_info >= (3, 12)


def model_len(value: Any) -> Any:
    """``len(value)``."""
    if type(value) in PROXIES:
        return apply_operation("len", value)
    if type(value) is SymRange:
        return value.size()
    method = getattr(type(value), "__len__", None)
    if type(method) is FunctionType and interception.CALL in method.__globals__:
        size: Any = method(value)  # the C function would make a plain int of it
        if is_symbolic(size) and is_instance(size, int):
            return size if size >= 0 and size <= sys.maxsize else len(_Sized(concrete_value(size)))
        return len(_Sized(concretize(size)))
    return len(value)


class _Sized:
    """An object of a given size: ``len`` checks that it is one."""

    def __init__(self, size: Any) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size  # type: ignore[no-any-return]


def model_sum(items: Any, start: Any = 0) -> Any:
    """``sum(items, start)``; adding may fail before the iterator does, as in C."""
    listed: list[Any] = []
    failed: Exception | None = None
    try:
        for item in items:
            listed.append(item)  # noqa: PERF402 - kept when a later one fails
    except Exception as error:  # noqa: BLE001 - raised again below
        failed = error
    result = _add_up(listed, start)
    if failed is not None:
        raise failed
    return result


def _add_up(listed: list[Any], start: Any) -> Any:
    if not is_symbolic(listed) and not is_symbolic(start):
        return sum(listed, start)
    kinds = {type(concrete_value(item)) if type(item) in PROXIES else type(item) for item in listed}
    kinds.add(type(concrete_value(start)))
    if is_instance(start, (str, bytes)):
        sum((), start)
    if float in kinds and _COMPENSATED and kinds <= _NUMBERS:
        return apply_operation("sum", listed, start)
    for item in listed:
        start = start + item
    return start


_NUMBERS: Final = frozenset({int, float, bool})


def model_round(number: Any, *digits: Any, **named: Any) -> Any:
    """``round(number, ndigits)``."""
    digits = (*digits, *named.values())
    if digits and type(number) in (int, float, bool) and type(digits[0]) in PROXIES:
        return apply_operation("round", number, digits[0])
    return round(number, *digits)


def model_pow(base: Any, exponent: Any, *modulus: Any, **named: Any) -> Any:
    """``pow(base, exp, mod)``."""
    modulus = (*modulus, *named.values())
    if modulus and is_symbolic((base, exponent, *modulus)):
        if all(is_instance(each, int) for each in (base, exponent, *modulus)):
            return int_float.power(base, exponent, modulus[0])
        return pow(concretize(base), concretize(exponent), concretize(modulus[0]))
    return pow(base, exponent, *modulus)


def model_getattr(owner: Any, name: Any, *default: Any) -> Any:
    """``getattr(owner, name, default)``."""
    name = concretize(name)
    if type(owner) in PROXIES and not hasattr(type(concrete_value(owner)), name):
        return getattr(concrete_value(owner), name, *default)
    return getattr(owner, name, *default)


def model_hasattr(owner: Any, name: Any) -> bool:
    """``hasattr(owner, name)``."""
    if type(owner) in PROXIES:
        return hasattr(concrete_value(owner), concretize(name))
    return hasattr(owner, concretize(name))


def _model_setattr(owner: Any, name: Any, value: Any) -> None:
    setattr(owner, concretize(name), value)


def _model_delattr(owner: Any, name: Any) -> None:
    delattr(owner, concretize(name))


def _model_concat(first: Any, second: Any) -> Any:
    """``operator.concat``."""
    texts = is_instance(first, (str, bytes)) and is_instance(second, (str, bytes))
    return first + second if texts else operator.concat(first, second)


def _model_format(value: Any, spec: Any = "") -> Any:
    return formatting.format_field(value, "", spec)


def _model_rendering(name: str) -> Callable[[Any], Any]:
    return lambda value: formatting.render(name, value)


def _model_operation(name: str) -> Callable[..., Any]:
    """A function of numbers and texts that is an operation of terms."""
    function = _BY_NAME[name]

    def apply_if(*args: Any, **kwargs: Any) -> Any:
        if name in _ITERATING and args and type(args[0]) in PROXIES:
            args = (list(args[0]), *args[1:]) if hasattr(args[0], "__iter__") else args
        if is_symbolic(args) and not kwargs and all(map(can_be_term, args)):
            return apply_operation(name, *args)
        return function(
            *map(_concretize_argument, args),
            **{key: _concretize_argument(arg) for key, arg in kwargs.items()},
        )

    return apply_if


_ITERATING: Final = frozenset({"math.fsum", "math.prod"})


def _concretize_argument(value: Any) -> Any:
    """``value`` concretized: C code asks a number for ``__index__``, not those in a list."""
    return concretize(value) if is_symbolic(value) else value


def _from_math(name: str) -> Any:
    return getattr(math, name.partition(".")[2], None)


_BY_NAME: Final[dict[str, Any]] = {
    **{name: getattr(__import__("builtins"), name) for name in ("ord", "chr", "bin", "oct", "hex")},
    **{name: _from_math(name) for name in OPERATIONS if name.startswith("math.")},
}

_OPERATORS: Final = (
    "abs add and_ eq floordiv ge gt iadd iand ifloordiv ilshift imul index inv invert ior ipow "
    "irshift is_ is_not isub itruediv ixor le lshift lt mul ne neg not_ or_ pos pow rshift sub "
    "truediv truth xor"
)
#: Functions that apply operators and nothing else: each is its own model.
_TRANSPARENT: Final = (
    abs, all, any, callable, divmod, hash, id, isinstance, issubclass, iter, next,
    heapq.heappush, heapq.heapify, heapq.heappop, heapq.heapreplace, heapq.heappushpop,
    itertools.tee, math.ceil, math.floor, math.trunc,
    *[getattr(operator, name) for name in _OPERATORS.split()],
)  # fmt: skip

#: The models, by function.
MODELS: Final[dict[Any, Callable[..., Any]]] = {
    **{
        function: _model_operation(name)
        for name, function in _BY_NAME.items() if function is not None
    },
    len: model_len, sum: model_sum, round: model_round, pow: model_pow, getattr: model_getattr,
    hasattr: model_hasattr, setattr: _model_setattr, delattr: _model_delattr, format: _model_format,
    repr: _model_rendering("repr"), ascii: _model_rendering("ascii"),
    print: formatting.print_values,
    operator.mod: formatting.modulo,
    operator.concat: _model_concat,
    **{function: function for function in _TRANSPARENT},
}  # fmt: skip

#: Functions that take functions; those are called through ``call_dispatch``.
HIGHER_ORDER: Final = frozenset(
    {
        sorted, min, max, functools.reduce, bisect.bisect, bisect.bisect_left, bisect.bisect_right,
        bisect.insort, bisect.insort_left, bisect.insort_right, functools.cmp_to_key,
    }
)  # fmt: skip


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
        if known and all(map(can_be_term, args)):
            return apply_operation(cls.__name__, *args)
        args = concretize(args)  # a base for what is no text: the errors of both are no branches
    return cls(*args, **kwargs)


def _make_bytes(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``bytes(x)`` and ``bytes(text, encoding, errors)``."""
    first = args[0] if args else b""
    if len(args) == 1 and type(first) in PROXIES and isinstance(first, bytes):
        return first
    if len(args) == 1 and type(first) in (list, tuple) and can_be_term(first):
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
