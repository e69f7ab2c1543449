"""The operations of terms: each name stands for one pure function of CPython.

Invariant: an operation is pure, ends, and is the very function that the Subject's code would
have run, so that evaluating a term and running the code cannot disagree.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import operator
import re
import struct
from collections.abc import Callable
from typing import Any, Final

#: Bits, characters or items of a result; an operation that would make more raises TooLargeError.
MAX_RESULT_SIZE: Final = 100_000

#: Fields of a date and of a moment in the order of their constructors.
MOMENT_FIELDS: Final = ("year", "month", "day", "hour", "minute", "second", "microsecond")

#: Names of the types that a document is made of; what has none of them is None.
DOCUMENT_KINDS: Final = ("dict", "list", "str", "int", "float", "bool")


class TooLargeError(OverflowError):
    """An operation of a term would make a huge value; the Subject's code itself would not mind."""


def same(first: Any, second: Any) -> bool:
    """Are both of one class and equal?  NaN is itself, 0.0 is not -0.0."""
    if first is second:
        return True
    kind = type(first)
    if kind is not type(second):
        return False
    if kind is float:
        return bool(first.hex() == second.hex())
    if kind is tuple or kind is list:
        return len(first) == len(second) and all(map(same, first, second))
    return bool(first == second)


def power(base: Any, exponent: Any, modulus: Any = None) -> Any:
    """``base ** exponent``; TooLargeError when the result would be huge."""
    whole = modulus is None and isinstance(base, int) and isinstance(exponent, int)
    if whole and base.bit_length() * max(exponent, 0) > MAX_RESULT_SIZE:
        raise TooLargeError("too large a power")
    return pow(base, exponent, modulus)


def times(first: Any, second: Any) -> Any:
    """``first * second``; TooLargeError when a text or a list would be huge."""
    for text, count in ((first, second), (second, first)):
        sized = isinstance(text, (str, bytes, list, tuple)) and isinstance(count, int)
        if sized and len(text) * count > MAX_RESULT_SIZE:
            raise TooLargeError("too long a repetition")
    return first * second


def shift_left(value: Any, places: Any) -> Any:
    """``value << places``; TooLargeError when the result would be huge."""
    if isinstance(places, int) and places > MAX_RESULT_SIZE:
        raise TooLargeError("too far a shift")
    return value << places


def factorial(number: Any) -> Any:
    """``math.factorial``; TooLargeError when the result would be huge."""
    if isinstance(number, int) and number > MAX_RESULT_SIZE // 10:
        raise TooLargeError("too large a factorial")
    return math.factorial(number)


def _pad(method: Callable[..., Any]) -> Callable[..., Any]:
    """``method(text, width, …)``; TooLargeError when the result would be huge."""

    def pad(text: Any, width: Any, *fill: Any) -> Any:
        if isinstance(width, int) and width > MAX_RESULT_SIZE:
            raise TooLargeError("too wide a text")
        return method(text, width, *fill)

    return pad


def expand_tabs(method: Callable[..., Any]) -> Callable[..., Any]:
    """``text.expandtabs(size)``; TooLargeError when the result would be huge."""

    def expand(text: Any, size: Any = 8) -> Any:
        if isinstance(size, int) and size * (len(text) + 1) > MAX_RESULT_SIZE:
            raise TooLargeError("too wide a tab")
        return method(text, size)

    return expand


_WIDTH: Final = re.compile(r"[0-9]{6,}")
_WIDE_FIELD: Final = re.compile(r"%[-+ #0]*[0-9.]*[0-9]{6,}|\{[^{}]*:[^{}]*[0-9]{6,}")
_INNER_FIELD: Final = re.compile(r"\{[^{}]*:[^{}]*\{")


def format_value(value: Any, spec: Any = "") -> Any:
    """``format(value, spec)``; TooLargeError when the result would be huge."""
    if isinstance(spec, str) and _WIDTH.search(spec):
        raise TooLargeError("too wide a format")
    return format(value, spec)


def remainder(first: Any, second: Any) -> Any:
    """``first % second``, which formats texts; TooLargeError when the result would be huge."""
    if isinstance(first, (str, bytes)):
        values = second if isinstance(second, tuple) else (second,)
        text = first if isinstance(first, str) else first.decode("latin-1")
        wide = any(isinstance(one, int) and abs(one) > MAX_RESULT_SIZE for one in values)
        if _WIDE_FIELD.search(text) or (wide and "*" in text):
            raise TooLargeError("too wide a format")
    return first % second


def fill_in(text: Any, args: Any, names: Any, values: Any) -> Any:
    """``text.format(*args, **dict(zip(names, values)))``."""
    wide = any(isinstance(one, int) and abs(one) > MAX_RESULT_SIZE for one in (*args, *values))
    if _WIDE_FIELD.search(text) or (wide and _INNER_FIELD.search(text)):
        raise TooLargeError("too wide a format")
    return text.format(*args, **dict(zip(names, values, strict=True)))


def translate(text: Any, keys: Any, values: Any) -> Any:
    """``text.translate(dict(zip(keys, values)))``."""
    return text.translate(dict(zip(keys, values, strict=True)))


def to_bytes(value: Any, length: Any = 1, order: Any = "big", signed: Any = False) -> Any:  # noqa: FBT002
    """``value.to_bytes(length, order, signed=signed)``."""
    if isinstance(length, int) and length > MAX_RESULT_SIZE:
        raise TooLargeError("too many bytes")
    return value.to_bytes(length, order, signed=signed)


def from_bytes(data: Any, order: Any = "big", signed: Any = False) -> Any:  # noqa: FBT002
    """``int.from_bytes(data, order, signed=signed)``."""
    return int.from_bytes(data, order, signed=signed)


def get_slice(value: Any, start: Any, stop: Any, step: Any) -> Any:
    """``value[start:stop:step]``."""
    return value[start:stop:step]


def _matcher(name: str) -> Callable[..., Any]:
    def match(pattern: Any, flags: int, *args: Any) -> Any:
        return getattr(re.compile(pattern, flags), name)(*args)

    return match


def _methods(kind: type, names: str) -> dict[str, Callable[..., Any]]:
    return {f"{kind.__name__}.{name}": getattr(kind, name) for name in names.split()}


_TEXT: Final = (
    "capitalize center count endswith expandtabs find index isalnum isalpha isascii isdigit "
    "islower isspace istitle isupper join ljust lower lstrip partition removeprefix "
    "removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines "
    "startswith strip swapcase title translate upper zfill"
)


def _field(name: str) -> Callable[[Any], int]:
    def read(moment: Any) -> int:
        number: int = getattr(moment, name)
        return number

    return read


#: Functions of the standard library: struct, json and datetime.
_LIBRARY: Final[dict[str, Callable[..., Any]]] = {
    "struct.unpack": struct.unpack, "struct.unpack_from": struct.unpack_from,
    "struct.pack": struct.pack,
    "json.loads": json.loads,
    "is_kind": lambda value, name: type(value).__name__ == name,
    "has_key": lambda table, key: key in table,
    "keys": tuple,
    "datetime.date": dt.date, "datetime.datetime": dt.datetime,
    "date.fromisoformat": dt.date.fromisoformat,
    "datetime.fromisoformat": dt.datetime.fromisoformat,
    "datetime.strptime": dt.datetime.strptime,
    "date.weekday": dt.date.weekday, "date.isoweekday": dt.date.isoweekday,
    "date.toordinal": dt.date.toordinal,
    **{f"date.{name}": _field(name) for name in MOMENT_FIELDS},
}  # fmt: skip

OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "+": operator.add, "-": operator.sub, "*": times, "/": operator.truediv,
    "//": operator.floordiv, "%": remainder, "**": power, "&": operator.and_,
    "|": operator.or_, "^": operator.xor, "<<": shift_left, ">>": operator.rshift,
    "neg": operator.neg, "pos": operator.pos, "invert": operator.invert, "abs": abs,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne, "truth": bool, "same": same,
    "in": lambda item, container: item in container,
    "[]": operator.getitem, "[:]": get_slice,
    "range": range, "tuple": lambda *items: items, "list": lambda *items: list(items),
    "len": len, "sum": sum, "int": int, "float": float, "str": str, "repr": repr, "ascii": ascii,
    "bytes": bytes, "ord": ord, "chr": chr, "round": round, "format": format_value,
    "kind": lambda value: type(value).__name__, "str.filled_in": fill_in,
    "str.translated": translate, "int.to_bytes": to_bytes, "int.from_bytes": from_bytes,
    "bin": bin, "oct": oct, "hex": hex,
    **{f"re.{name}": _matcher(name) for name in (
        "match", "fullmatch", "search", "findall", "split", "sub",
    )},
    **{f"Match.{name}": getattr(re.Match, name) for name in (
        "group", "groups", "start", "end", "span",
    )},
    **_methods(str, _TEXT + " casefold encode format isdecimal isidentifier isnumeric isprintable"),
    **_methods(bytes, _TEXT + " decode hex"),
    **{
        f"{kind.__name__}.{name}": _pad(getattr(kind, name))
        for kind in (str, bytes)
        for name in ("center", "ljust", "rjust", "zfill")
    },
    "str.expandtabs": expand_tabs(str.expandtabs),
    "bytes.expandtabs": expand_tabs(bytes.expandtabs),
    **_methods(int, "bit_length bit_count conjugate"),
    **_methods(float, "is_integer hex conjugate as_integer_ratio"),
    **{f"math.{name}": getattr(math, name) for name in (
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign",
        "cos", "cosh", "degrees", "erf", "erfc", "exp", "expm1", "fabs", "floor", "fmod",
        "fsum", "gamma", "gcd", "hypot", "isclose", "isfinite", "isinf", "isnan", "isqrt", "lcm",
        "ldexp", "lgamma", "log", "log10", "log1p", "log2", "modf", "pow", "prod", "radians",
        "remainder", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
    )},
    "math.factorial": factorial,
    **_LIBRARY,
}  # fmt: skip

#: Operations that answer as many items whatever their operands are.
OF_FIXED_SIZE: Final = frozenset(
    {"str.partition", "str.rpartition", "bytes.partition", "bytes.rpartition",
     "float.as_integer_ratio"}
)  # fmt: skip
#: The functions without a limit that the Subject's code runs where TooLargeError was raised.
UNLIMITED: Final[dict[str, Callable[..., Any]]] = {
    "*": operator.mul, "**": pow, "<<": operator.lshift, "%": operator.mod, "format": format,
    "math.factorial": math.factorial,
    "int.to_bytes": lambda value, length=1, order="big", signed=False: value.to_bytes(
        length, order, signed=signed
    ),
    "str.filled_in": lambda text, args, names, values: text.format(
        *args, **dict(zip(names, values, strict=True))
    ),
    **{
        f"{kind.__name__}.{name}": getattr(kind, name)
        for kind in (str, bytes)
        for name in ("center", "ljust", "rjust", "zfill", "expandtabs")
    },
}  # fmt: skip


#: Bits of an int that evaluation makes; the ones that a solver tries have a tenth of them.
MAX_BITS: Final = 20_000


def _product(first: Any, second: Any) -> Any:
    if isinstance(first, int) and isinstance(second, int):
        _allow(first.bit_length() + second.bit_length(), MAX_BITS)
    return times(first, second)


def _product_of_all(items: Any, **start: Any) -> Any:
    _allow(len(items))
    _allow(sum(item.bit_length() for item in items if isinstance(item, int)), MAX_BITS)
    return math.prod(items, **start)


def _power(base: Any, exponent: Any, modulus: Any = None) -> Any:
    if isinstance(base, int) and isinstance(exponent, int):
        _allow(exponent.bit_length(), MAX_BITS // 10)
        if modulus is None:
            _allow(base.bit_length() * exponent, MAX_BITS)
        elif isinstance(modulus, int):
            steps = exponent.bit_length() if exponent > 0 else modulus.bit_length()
            _allow(steps * modulus.bit_length() ** 2, MAX_BITS**2 // 16)
    return power(base, exponent, modulus)


def _shifted(value: Any, places: Any) -> Any:
    if isinstance(places, int):
        _allow(places, MAX_BITS)
    return shift_left(value, places)


def _factorial(number: Any) -> Any:
    if isinstance(number, int):
        _allow(number, MAX_BITS // 10)
    return factorial(number)


def _divided(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def divide(first: Any, second: Any) -> Any:
        if isinstance(first, int) and isinstance(second, int):
            _allow(first.bit_length() * second.bit_length(), MAX_BITS**2)
        return operation(first, second)

    return divide


def _replacing(kind: Any) -> Callable[..., Any]:
    def replace(text: Any, old: Any, new: Any, *count: Any) -> Any:
        if len(text) * len(new) > MAX_RESULT_SIZE:
            _allow(len(text) + text.count(old) * len(new))
        return kind.replace(text, old, new, *count)

    return replace


def _joining(kind: Any) -> Callable[..., Any]:
    def join(separator: Any, items: Any) -> Any:
        _allow(max(len(separator), 1) * len(items))
        return kind.join(separator, items)

    return join


def _octets(source: Any, *encoding: Any) -> Any:
    if isinstance(source, (int, range)):
        _allow(source if isinstance(source, int) else len(source))
    return bytes(source, *encoding)


def _totalling(total: Callable[..., Any]) -> Callable[..., Any]:
    def add_up(items: Any, *start: Any) -> Any:
        _allow(len(items))
        return total(items, *start)

    return add_up


def _contains(item: Any, container: Any) -> Any:
    if type(container) is range and not isinstance(item, int):
        _allow(len(container))
    return item in container


def _rounded(value: Any, *digits: Any) -> Any:
    if digits and isinstance(value, int) and isinstance(digits[0], int):
        _allow(-digits[0], MAX_BITS // 4)
    return round(value, *digits)


def _allow(size: int, most: int = MAX_RESULT_SIZE) -> None:
    """TooLargeError if ``size`` is greater than ``most``."""
    if size > most:
        raise TooLargeError("too large a value")


#: The operations that ``evaluate`` runs: those whose work may be vast are limited here, because
#: evaluation tries values that the Subject's code never had.
EVALUATED: Final[dict[str, Callable[..., Any]]] = {
    **OPERATIONS,
    "*": _product, "math.prod": _product_of_all, "**": _power, "<<": _shifted,
    "math.factorial": _factorial, "//": _divided(operator.floordiv), "%": _divided(remainder),
    "bytes": _octets, "sum": _totalling(sum), "math.fsum": _totalling(math.fsum),
    "in": _contains, "round": _rounded,
    **{f"{kind.__name__}.replace": _replacing(kind) for kind in (str, bytes)},
    **{f"{kind.__name__}.join": _joining(kind) for kind in (str, bytes)},
}  # fmt: skip
