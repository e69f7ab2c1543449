"""Values of Python inside z3: a sort, an expression, and for floats the condition of being NaN.

Invariant: a float is a real number from -2**1024 to 2**1024 (the ends stand for the infinities)
or NaN, so comparisons mean what they mean in CPython; arithmetic does not, and says so
(``inexact``).  Ints are unbounded in both.
"""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

Sort = Literal[
    "int", "bool", "float", "str", "bytes", "none", "match", "items", "lowered", "uppered"
]

#: The real number that stands for infinity.
INFINITY: Final = 2**1024

#: The first code point that z3's strings may lack.
BEYOND_Z3: Final = 0x20000

#: Characters of a constant text that z3 is given.
MAX_CHARACTERS: Final = 10_000


class Untranslatable(Exception):  # noqa: N818
    """z3 is not given this term."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value: ``expr`` is a z3 expression of ``sort``; for floats ``nan`` is a z3 Bool.

    ``const`` is the value itself, in a tuple, when it is known.  ``items`` (a list or a tuple)
    has the tuple of its Values for ``expr``; a ``match`` has the Bool whether there is one; a
    ``lowered`` or ``uppered`` str has the text before its letters were changed.
    """

    sort: Sort
    expr: Any
    nan: Any = None
    const: tuple[Any, ...] = ()


def import_z3() -> Any:
    """The module z3.

    Raises:
        ImportError: z3 is not installed.
    """
    return importlib.import_module("z3")


def text_constant(z3: Any, value: str, context: Any) -> Any:
    """``value`` as a z3 string; everything but letters and digits is escaped."""
    if len(value) > MAX_CHARACTERS:
        raise Untranslatable("a long text")
    if any(ord(character) >= BEYOND_Z3 for character in value):
        raise Untranslatable("a character that z3 may not have")
    pieces = [
        character if character.isascii() and character.isalnum() else f"\\u{{{ord(character):x}}}"
        for character in value
    ]
    return z3.StringVal("".join(pieces), context)


def constant(z3: Any, value: Any, context: Any) -> Value:
    """A known ``value``; Untranslatable for other types than those of ``Sort``."""
    if value is None:
        return Value("none", None, const=(None,))
    if type(value) is bool:
        return Value("bool", z3.BoolVal(value, context), const=(value,))
    if type(value) is int:
        return Value("int", z3.IntVal(value, context), const=(value,))
    if type(value) is float:
        return Value("float", _real(z3, value, context), _nan(z3, value, context), (value,))
    if type(value) is str:
        return Value("str", text_constant(z3, value, context), const=(value,))
    if type(value) is bytes:
        expr = text_constant(z3, value.decode("latin-1"), context)
        return Value("bytes", expr, const=(value,))
    if type(value) in (list, tuple):
        return Value("items", tuple(constant(z3, one, context) for one in value), const=(value,))
    raise Untranslatable(type(value).__name__)


def _real(z3: Any, value: float, context: Any) -> Any:
    if math.isnan(value):
        return z3.RealVal(0, context)
    if math.isinf(value):
        return z3.RealVal(INFINITY if value > 0 else -INFINITY, context)
    exact = Fraction(value)
    return z3.RealVal(f"{exact.numerator}/{exact.denominator}", context)


def _nan(z3: Any, value: float, context: Any) -> Any:
    return z3.BoolVal(math.isnan(value), context)


def float_of(numerator: int, denominator: int) -> float:
    """The float nearest to a fraction; beyond the floats an infinity."""
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf if (numerator > 0) is (denominator > 0) else -math.inf
