"""What the operations of terms do: each name stands for one pure function of CPython.

Invariant: an operation is pure, ends, and is the very function that the Subject's code would
have run, so that evaluating a term and running the code cannot disagree.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any, Final

#: Bits, characters or items that an operation may make; a larger result raises TooLarge.
LARGEST: Final = 100_000


class TooLarge(OverflowError):
    """An operation of a term would make a huge value; the Subject's code itself would not mind."""


def same(first: Any, second: Any) -> bool:
    """Are both of one class and equal?  NaN is itself, 0.0 is not -0.0."""
    if type(first) is not type(second):
        return False
    if type(first) is float:
        return first.hex() == second.hex()
    if type(first) is tuple or type(first) is list:
        return len(first) == len(second) and all(map(same, first, second))
    return bool(first == second)


def power(base: Any, exponent: Any, modulus: Any = None) -> Any:
    """``base ** exponent``; TooLarge when the result would be huge."""
    if modulus is None and isinstance(base, int) and isinstance(exponent, int):
        if base.bit_length() * max(exponent, 0) > LARGEST:
            raise TooLarge("too large a power")
    return pow(base, exponent, modulus)


def times(first: Any, second: Any) -> Any:
    """``first * second``; TooLarge when a text or a list would be huge."""
    for text, count in ((first, second), (second, first)):
        if isinstance(text, (str, bytes, list, tuple)) and isinstance(count, int):
            if len(text) * count > LARGEST:
                raise TooLarge("too long a repetition")
    return first * second


def shifted(value: Any, places: Any) -> Any:
    """``value << places``; TooLarge when the result would be huge."""
    if isinstance(places, int) and places > LARGEST:
        raise TooLarge("too far a shift")
    return value << places


def factorial(number: Any) -> Any:
    """``math.factorial``; TooLarge when the result would be huge."""
    if isinstance(number, int) and number > LARGEST // 10:
        raise TooLarge("too large a factorial")
    return math.factorial(number)


def _padded(method: Callable[..., Any]) -> Callable[..., Any]:
    """``method(text, width, …)``; TooLarge when the result would be huge."""

    def pad(text: Any, width: Any, *fill: Any) -> Any:
        if isinstance(width, int) and width > LARGEST:
            raise TooLarge("too wide a text")
        return method(text, width, *fill)

    return pad


def expanded(method: Callable[..., Any]) -> Callable[..., Any]:
    """``text.expandtabs(size)``; TooLarge when the result would be huge."""

    def expand(text: Any, size: Any = 8) -> Any:
        if isinstance(size, int) and size * (len(text) + 1) > LARGEST:
            raise TooLarge("too wide a tab")
        return method(text, size)

    return expand


_WIDTH: Final = re.compile(r"[0-9]{6,}")


def formatted(value: Any, spec: Any = "") -> Any:
    """``format(value, spec)``; TooLarge when the result would be huge."""
    if isinstance(spec, str) and _WIDTH.search(spec):
        raise TooLarge("too wide a format")
    return format(value, spec)


def remainder(first: Any, second: Any) -> Any:
    """``first % second``, which formats texts; TooLarge when the result would be huge."""
    if isinstance(first, (str, bytes)):
        values = second if isinstance(second, tuple) else (second,)
        wide = "*" if isinstance(first, str) else b"*"
        if _WIDTH.search(first if isinstance(first, str) else first.decode("latin-1")) or (
            wide in first and any(isinstance(one, int) and abs(one) > LARGEST for one in values)
        ):
            raise TooLarge("too wide a format")
    return first % second


def filled_in(text: Any, args: Any, names: Any, values: Any) -> Any:
    """``text.format(*args, **dict(zip(names, values)))``."""
    wide = any(isinstance(one, int) and abs(one) > LARGEST for one in (*args, *values))
    if _WIDTH.search(text) or (wide and ":" in text and text.count("{") > text.count("{{") + 1):
        raise TooLarge("too wide a format")
    return text.format(*args, **dict(zip(names, values, strict=True)))


def translated(text: Any, keys: Any, values: Any) -> Any:
    """``text.translate(dict(zip(keys, values)))``."""
    return text.translate(dict(zip(keys, values, strict=True)))


def to_bytes(value: Any, length: Any = 1, order: Any = "big", signed: Any = False) -> Any:  # noqa: FBT002
    """``value.to_bytes(length, order, signed=signed)``."""
    if isinstance(length, int) and length > LARGEST:
        raise TooLarge("too many bytes")
    return value.to_bytes(length, order, signed=signed)


def from_bytes(data: Any, order: Any = "big", signed: Any = False) -> Any:  # noqa: FBT002
    """``int.from_bytes(data, order, signed=signed)``."""
    return int.from_bytes(data, order, signed=signed)


def sliced(value: Any, start: Any, stop: Any, step: Any) -> Any:
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

OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "+": operator.add, "-": operator.sub, "*": times, "/": operator.truediv,
    "//": operator.floordiv, "%": remainder, "**": power, "&": operator.and_,
    "|": operator.or_, "^": operator.xor, "<<": shifted, ">>": operator.rshift,
    "neg": operator.neg, "pos": operator.pos, "invert": operator.invert, "abs": abs,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne, "truth": bool, "same": same,
    "in": lambda item, container: item in container,
    "[]": operator.getitem, "[:]": sliced,
    "range": range, "tuple": lambda *items: items, "list": lambda *items: list(items),
    "len": len, "sum": sum, "int": int, "float": float, "str": str, "repr": repr, "ascii": ascii,
    "bytes": bytes, "ord": ord, "chr": chr, "round": round, "format": formatted,
    "kind": lambda value: type(value).__name__, "str.filled_in": filled_in,
    "str.translated": translated, "int.to_bytes": to_bytes, "int.from_bytes": from_bytes,
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
        f"{kind.__name__}.{name}": _padded(getattr(kind, name))
        for kind in (str, bytes)
        for name in ("center", "ljust", "rjust", "zfill")
    },
    "str.expandtabs": expanded(str.expandtabs), "bytes.expandtabs": expanded(bytes.expandtabs),
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
}  # fmt: skip

#: What the Subject's code runs in place of the operations that raise TooLarge.
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

_Rule = Callable[[tuple[Any, ...], tuple[Any, ...]], bool]


def _always(_values: tuple[Any, ...], _terms: tuple[Any, ...]) -> bool:
    return True


def _open(*places: int) -> _Rule:
    """May fail when one of the arguments at ``places`` is not a constant."""
    return lambda _, terms: any(type(terms[at]) is tuple for at in places if at < len(terms))


def _of_float(values: tuple[Any, ...], _: tuple[Any, ...]) -> bool:
    return isinstance(values[0], float)


def _of_text(values: tuple[Any, ...], terms: tuple[Any, ...]) -> bool:
    return isinstance(values[0], (str, bytes, float)) or _open(1)(values, terms)


def _to_float(values: tuple[Any, ...], _: tuple[Any, ...]) -> bool:
    return isinstance(values[0], (str, bytes))


def _rounding(values: tuple[Any, ...], _: tuple[Any, ...]) -> bool:
    return isinstance(values[0], float) and len(values) == 1


def _character(_: tuple[Any, ...], terms: tuple[Any, ...]) -> bool:
    """``ord`` of an element of a text cannot fail."""
    return not (type(terms[0]) is tuple and terms[0][0] == "[]")


def _byte(values: tuple[Any, ...], terms: tuple[Any, ...]) -> bool:
    """A symbolic number may be no byte."""
    return any(
        isinstance(value, int) and type(term) is tuple
        for value, term in zip(values[:2], terms[:2], strict=True)
    ) and any(isinstance(value, bytes) for value in values)


def _spec(_: tuple[Any, ...], terms: tuple[Any, ...]) -> bool:
    spec = terms[1] if len(terms) > 1 else ""
    return type(spec) is tuple or spec.endswith("c")


#: Conversions of ``%`` that take any value of the type they were once given.
_EASY: Final = re.compile(r"(?:[^%]|%%|%[-+ #0]*\d*(?:\.\d+)?[sradioxXeEfFgGu])*")


def _percent(values: tuple[Any, ...], terms: tuple[Any, ...]) -> bool:
    text = terms[0]
    if type(text) is bytes:
        text = text.decode("latin-1")
    if type(text) is not str:
        return isinstance(values[0], (str, bytes))
    others = values[1] if isinstance(values[1], tuple) else (values[1],)
    floats = any(isinstance(value, float) for value in others)
    return floats or not _EASY.fullmatch(text)


def _filling(_: tuple[Any, ...], terms: tuple[Any, ...]) -> bool:
    text = terms[0]
    return type(text) is tuple or "[" in text or "c}" in text


#: Operations that may fail for operands of the types that they once took: when just.
#: Sizes do not count: what follows from a result that would be too large cannot hold.
_FALLIBLE: Final[dict[str, _Rule]] = {
    "[]": _always, "chr": _always, "bytes": _always, "[:]": _open(3),
    "**": _always, "int": _of_text, "float": _to_float, "ord": _character, "round": _rounding,
    "format": _spec, "in": _byte, "%": _percent, "str.filled_in": _filling,
    "str.format": _filling, "int.to_bytes": _always, "int.from_bytes": _open(1),
    "float.as_integer_ratio": _always, "re.sub": _open(2), "bytes.hex": _open(1),
    **{
        f"{kind}.{name}": rule
        for kind in ("str", "bytes")
        for name, rule in {
            "index": _always, "rindex": _always, "split": _open(1), "rsplit": _open(1),
            "partition": _open(1), "rpartition": _open(1), "center": _open(2), "ljust": _open(2),
            "rjust": _open(2), "encode": _always, "decode": _always, "count": _byte,
            "find": _byte, "rfind": _byte, "translate": _open(1),
        }.items()
    },
    **{f"math.{name}": _always for name in (
        "acos", "acosh", "asin", "atanh", "cos", "cosh", "exp", "expm1", "fmod", "fsum", "gamma",
        "isqrt", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "pow", "prod", "remainder",
        "sin", "sinh", "sqrt", "tan", "factorial", "isclose",
    )},
    **{f"math.{name}": _of_float for name in ("ceil", "floor", "trunc")},
}  # fmt: skip


def fallible(name: str, values: tuple[Any, ...], terms: tuple[Any, ...]) -> bool:
    """May ``name``, which gave a result for ``values``, raise for others of the same types?

    Arguments whose term is no tuple are constants.
    """
    rule = _FALLIBLE.get(name)
    return rule is not None and rule(values, terms)


#: Operations that fail in more than one way, and those for which TypeError depends on values.
_MANY_WAYS: Final = frozenset(
    {
        "int", "round", "math.ceil", "math.floor", "math.trunc", "math.gamma", "math.lgamma",
        "math.log", "math.pow", "math.ldexp", "math.fmod", "math.remainder", "**", "bytes", "chr",
        "int.to_bytes", "float.as_integer_ratio", "format", "%", "str.filled_in", "str.encode",
        "bytes.decode", "math.factorial", "math.exp", "math.sinh", "math.cosh", "math.tanh",
    }
)  # fmt: skip
_TYPED: Final = frozenset(
    {"ord", "%", "str.filled_in", "in", "bytes.translate"}
    | {f"{kind}.{name}" for kind in ("str", "bytes") for name in ("center", "ljust", "rjust")}
)


def many_ways(name: str) -> bool:
    """May ``name`` raise errors of several classes for operands of the same types?"""
    return name in _MANY_WAYS


def typed(name: str) -> bool:
    """Does it depend on more than the types of operands whether ``name`` raises TypeError?"""
    return name in _TYPED
