"""Arithmetic, bits and comparisons of numbers for z3.

Invariant: ints are exact (floor division, modulo and shifts as in CPython), floats compare
exactly, NaN and the infinities included, and results of arithmetic are rounded (``z3_floats``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from unitcraft.solve.smt.z3_floats import (
    as_float,
    difference_of_infinities,
    float_comparison,
    float_operation,
    is_finite,
    product_of_infinities,
    sum_of_infinities,
    translate_division,
)
from unitcraft.solve.smt.z3_terms import Meaning, Translator
from unitcraft.solve.smt.z3_values import INFINITY, Untranslatable, Value

#: Runs of ones in a constant mask that is translated; each is a division and a modulo.
_MAX_RUNS: Final = 8

#: Bits of either operand of a bit operation when neither is a constant.
_MAX_BITS: Final = 16

#: The largest exponent that is translated, as a product.
_MAX_POWER: Final = 6

#: Bits of the longest shift that is translated, as a factor.
_MAX_SHIFT: Final = 256


def _of_ints(combine: Callable[[Any, Any], Any]) -> Meaning:
    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        first, second = args
        return Value("int", combine(t.integer(first), t.integer(second)))

    return meaning


def _floor_divide(t: Translator, first: Any, second: Any) -> Any:
    """``first // second`` of z3 Ints, ``second`` not 0; z3 itself rounds by the divisor's sign."""
    z3 = t.z3
    if z3.is_int_value(second):
        return first / second if second.as_long() > 0 else (-first) / (-second)
    return z3.If(second > 0, first / second, (-first) / (-second))


def _floor(t: Translator, args: Sequence[Value]) -> Value:
    first, second = (t.integer(arg) for arg in args)
    t.guard(second != 0)
    return Value("int", _floor_divide(t, first, second))


def _modulo(t: Translator, args: Sequence[Value]) -> Value:
    first, second = (t.integer(arg) for arg in args)
    t.guard(second != 0)
    if t.z3.is_int_value(second) and second.as_long() > 0:
        return Value("int", first % second)
    return Value("int", first - second * _floor_divide(t, first, second))


def _power(t: Translator, args: Sequence[Value]) -> Value:
    if len(args) != 2 or not args[1].const or not 0 <= args[1].const[0] <= _MAX_POWER:  # noqa: PLR2004
        raise Untranslatable("a power")
    t.unlimited()
    base, result = t.integer(args[0]), t.number(1)
    for _ in range(args[1].const[0]):
        result = result * base
    return Value("int", result)


def _shift(left: bool) -> Meaning:  # noqa: FBT001 - a direction
    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        places = args[1].const[0] if args[1].const else None
        if places is None or not 0 <= places <= _MAX_SHIFT:
            raise Untranslatable("a shift by an unknown distance")
        factor = t.number(1 << places)
        value = t.integer(args[0])
        return Value("int", value * factor if left else value / factor)

    return meaning


def _bits(combine: Callable[[Any, Any, Any], Any]) -> Meaning:
    """``&``, and by it ``|`` and ``^``: a + b == (a & b) + (a | b), a | b == (a & b) + (a ^ b)."""

    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        if all(arg.sort == "bool" for arg in args):
            raise Untranslatable("bit operations of bools")
        first, second = (t.integer(arg) for arg in args)
        return Value("int", combine(first, second, _and(t, args, first, second)))

    return meaning


def _and(t: Translator, args: Sequence[Value], first: Any, second: Any) -> Any:
    if args[1].const:
        return _mask(t, first, int(args[1].const[0]))
    if args[0].const:
        return _mask(t, second, int(args[0].const[0]))
    if t.wide:
        return _some_and(t, first, second)
    t.inexact()
    z3, most = t.z3, 1 << _MAX_BITS
    t.guard(z3.And(first >= 0, first < most, second >= 0, second < most))
    return z3.BV2Int(z3.Int2BV(first, _MAX_BITS) & z3.Int2BV(second, _MAX_BITS))


def _some_and(t: Translator, first: Any, second: Any) -> Any:
    """A number that ``first & second`` may be: no larger than either side that is not negative."""
    z3, held = t.z3, t.helper("Int")
    t.domain += [
        z3.Implies(first >= 0, z3.And(held >= 0, held <= first)),
        z3.Implies(second >= 0, z3.And(held >= 0, held <= second)),
        z3.Implies(z3.And(first < 0, second < 0), z3.And(held <= first, held <= second)),
    ]
    return held


def _mask(t: Translator, value: Any, mask: int) -> Any:
    """``value & mask`` of an unbounded int; x & ~m == x - (x & m)."""
    if mask < 0:
        return value - _mask(t, value, ~mask)
    runs = list(_runs(mask))
    if len(runs) > _MAX_RUNS:
        raise Untranslatable("a mask of many runs of bits")
    total = t.number(0)
    for low, length in runs:
        shifted = value / t.number(1 << low) if low else value
        total = total + shifted % t.number(1 << length) * t.number(1 << low)
    return total


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """The runs of ones in ``mask``: lowest bit and length."""
    at = 0
    while mask >> at:
        at += ((mask >> at) & -(mask >> at)).bit_length() - 1
        rest = mask >> at
        length = ((rest + 1) & -(rest + 1)).bit_length() - 1
        yield at, length
        at += length


def _int_comparison(compare: Callable[[Any, Any], Any]) -> Meaning:
    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        return t.boolean(compare(t.integer(args[0]), t.integer(args[1])))

    return meaning


def _negate(t: Translator, args: Sequence[Value]) -> Value:
    if args[0].sort == "float":
        return Value("float", -args[0].expr, args[0].nan)
    return Value("int", -t.integer(args[0]))


def _absolute(t: Translator, args: Sequence[Value]) -> Value:
    value = args[0]
    if value.sort == "float":
        return Value("float", t.z3.If(value.expr < 0, -value.expr, value.expr), value.nan)
    number = t.integer(value)
    return Value("int", t.z3.If(number < 0, -number, number))


def _same_number(t: Translator, args: Sequence[Value]) -> Value:
    return args[0] if args[0].sort == "float" else Value("int", t.integer(args[0]))


def _invert(t: Translator, args: Sequence[Value]) -> Value:
    return Value("int", -t.integer(args[0]) - 1)


def _to_int(towards: Callable[[Translator, Any], Any]) -> Meaning:
    """A float as an int; NaN and the infinities raise."""

    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        if args[0].sort != "float":
            return _same_number(t, args)
        t.guard(is_finite(t, args[0]))
        return Value("int", towards(t, args[0].expr))

    return meaning


def _truncate(t: Translator, real: Any) -> Any:
    return t.z3.If(real >= 0, t.z3.ToInt(real), -t.z3.ToInt(-real))


def _round(t: Translator, args: Sequence[Value]) -> Value:
    if len(args) != 1:
        raise Untranslatable("rounding to digits")
    if args[0].sort != "float":
        return _same_number(t, args)
    t.guard(is_finite(t, args[0]))
    real, held, half = args[0].expr, t.helper("Int"), t.ratio(Fraction(1, 2))
    t.inexact_unless_wide()
    t.domain += [
        t.z3.Implies(is_finite(t, args[0]), t.z3.And(held <= real + half, held >= real - half))
    ]
    return Value("int", held)


def _float(t: Translator, args: Sequence[Value]) -> Value:
    return as_float(t, args[0])


def _predicate(holds: Callable[[Translator, Value], Any]) -> Meaning:
    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        return t.boolean(holds(t, as_float(t, args[0])))

    return meaning


def _infinite(t: Translator, value: Value) -> Any:
    infinite = t.z3.Or(value.expr == INFINITY, value.expr == -INFINITY)
    return t.z3.And(t.z3.Not(value.nan), infinite)


def _whole(t: Translator, value: Value) -> Any:
    return t.z3.And(is_finite(t, value), t.z3.IsInt(value.expr))


NUMBERS: Final[dict[str, dict[str, Meaning]]] = {
    "+": {
        "int": _of_ints(lambda a, b: a + b),
        "float": float_operation(lambda a, b: a + b, sum_of_infinities),
    },
    "-": {
        "int": _of_ints(lambda a, b: a - b),
        "float": float_operation(lambda a, b: a - b, difference_of_infinities),
    },
    "*": {
        "int": _of_ints(lambda a, b: a * b),
        "float": float_operation(lambda a, b: a * b, product_of_infinities),
    },
    "/": {"int": translate_division, "float": translate_division},
    "//": {"int": _floor}, "%": {"int": _modulo}, "**": {"int": _power},
    "<<": {"int": _shift(left=True)}, ">>": {"int": _shift(left=False)},
    "&": {"int": _bits(lambda _a, _b, both: both)},
    "|": {"int": _bits(lambda a, b, both: a + b - both)},
    "^": {"int": _bits(lambda a, b, both: a + b - 2 * both)},
    "neg": {"int": _negate, "float": _negate},
    "pos": {"int": _same_number, "float": _same_number},
    "abs": {"int": _absolute, "float": _absolute}, "math.fabs": {"float": _absolute},
    "invert": {"int": _invert},
    "<": {
        "int": _int_comparison(lambda a, b: a < b), "float": float_comparison(lambda a, b: a < b),
    },
    "<=": {
        "int": _int_comparison(lambda a, b: a <= b), "float": float_comparison(lambda a, b: a <= b),
    },
    ">": {
        "int": _int_comparison(lambda a, b: a > b), "float": float_comparison(lambda a, b: a > b),
    },
    ">=": {
        "int": _int_comparison(lambda a, b: a >= b), "float": float_comparison(lambda a, b: a >= b),
    },
    "int": {"int": _same_number, "float": _to_int(_truncate)},
    "math.trunc": {"int": _same_number, "float": _to_int(_truncate)},
    "math.floor": {"int": _same_number, "float": _to_int(lambda t, real: t.z3.ToInt(real))},
    "math.ceil": {"int": _same_number, "float": _to_int(lambda t, real: -t.z3.ToInt(-real))},
    "round": {"int": _round, "float": _round},
    "float": {"int": _float, "float": _float},
    "math.isnan": {"float": _predicate(lambda _t, value: value.nan)},
    "math.isinf": {"float": _predicate(_infinite)},
    "math.isfinite": {"float": _predicate(is_finite)},
    "float.is_integer": {"float": _predicate(_whole)},
    "int.conjugate": {"int": _same_number},
}  # fmt: skip
