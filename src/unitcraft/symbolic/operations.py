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

#: Bits, characters or items that an operation may make; a larger result raises OverflowError.
LARGEST: Final = 100_000


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
    """``base ** exponent``; OverflowError when the result would be huge."""
    if modulus is None and isinstance(base, int) and isinstance(exponent, int):
        if base.bit_length() * max(exponent, 0) > LARGEST:
            raise OverflowError("too large a power")
    return pow(base, exponent, modulus)


def times(first: Any, second: Any) -> Any:
    """``first * second``; OverflowError when a text or a list would be huge."""
    for text, count in ((first, second), (second, first)):
        if isinstance(text, (str, bytes, list, tuple)) and isinstance(count, int):
            if len(text) * count > LARGEST:
                raise OverflowError("too long a repetition")
    return first * second


def shifted(value: Any, places: Any) -> Any:
    """``value << places``; OverflowError when the result would be huge."""
    if isinstance(places, int) and places > LARGEST:
        raise OverflowError("too far a shift")
    return value << places


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
    "//": operator.floordiv, "%": operator.mod, "**": power, "&": operator.and_,
    "|": operator.or_, "^": operator.xor, "<<": shifted, ">>": operator.rshift,
    "neg": operator.neg, "pos": operator.pos, "invert": operator.invert, "abs": abs,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne, "truth": bool, "same": same,
    "in": lambda item, container: item in container,
    "[]": operator.getitem, "[:]": sliced,
    "range": range, "tuple": lambda *items: items, "list": lambda *items: list(items),
    "len": len, "int": int, "float": float, "str": str, "repr": repr, "ascii": ascii,
    "bytes": bytes, "ord": ord, "chr": chr, "round": round, "format": format,
    "bin": bin, "oct": oct, "hex": hex,
    **{f"re.{name}": _matcher(name) for name in (
        "match", "fullmatch", "search", "findall", "split", "sub",
    )},
    **{f"Match.{name}": getattr(re.Match, name) for name in (
        "group", "groups", "start", "end", "span",
    )},
    **_methods(str, _TEXT + " casefold encode format isdecimal isidentifier isnumeric isprintable"),
    **_methods(bytes, _TEXT.replace(" casefold", "") + " decode hex"),
    **_methods(int, "bit_length bit_count conjugate"),
    **_methods(float, "is_integer hex conjugate"),
    **{f"math.{name}": getattr(math, name) for name in (
        "acos", "asin", "atan", "atan2", "ceil", "copysign", "cos", "degrees", "exp", "fabs",
        "floor", "fmod", "gcd", "hypot", "isclose", "isfinite", "isinf", "isnan", "isqrt", "lcm",
        "log", "log10", "log1p", "log2", "pow", "radians", "remainder", "sin", "sqrt", "tan",
        "trunc",
    )},
}  # fmt: skip
