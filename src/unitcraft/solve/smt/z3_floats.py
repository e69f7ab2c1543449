"""Arithmetic and comparison of floats for z3.

Invariant: comparisons are exact, NaN and the infinities included; results of arithmetic are
rounded, which a narrow translation leaves out and a wide one leaves open (``_round``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final

from unitcraft.solve.smt.z3_terms import Meaning, Translator
from unitcraft.solve.smt.z3_values import INFINITY, Untranslatable, Value

#: Greatest error of rounding to a double, relative to the number: half a unit of 53 bits.
_RELATIVE: Final = Fraction(1, 2**53)

#: Greatest absolute error of rounding among the subnormal doubles.
_ABSOLUTE: Final = Fraction(1, 2**1074)

#: (z3, operands), one of which is infinite: is the result NaN, and what is it if not?
_Infinite = Callable[[Any, Any, Any], tuple[Any, Any]]


def float_operation(combine: Callable[[Any, Any], Any], infinite: _Infinite) -> Meaning:
    """The operation of floats: ``combine`` on reals, then rounded."""

    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        first, second = (as_float(t, arg) for arg in args)
        extreme = infinite(t.z3, first.expr, second.expr)
        return _round(t, combine(first.expr, second.expr), (first, second), extreme)

    return meaning


def _round(
    t: Translator, real: Any, operands: tuple[Value, ...], extreme: tuple[Any, Any]
) -> Value:
    """The float nearest to ``real``: in a narrow translation ``real`` itself.

    In a wide one any number as near to it as rounding to 53 bits comes, where the operands are
    finite; an overflow is nearer than that to the number that stands for infinity.  Where an
    operand is infinite the result is ``extreme``: is it NaN, and what if not.
    """
    z3 = t.z3
    nan = z3.Or(*[one.nan for one in operands], t.fixed(value=False))
    if not t.wide:
        t.inexact()
        return Value("float", real, nan)
    held, unordered = t.helper("Real"), t.helper("Bool")
    slack = z3.If(real < 0, -real, real) * t.ratio(_RELATIVE) + t.ratio(_ABSOLUTE)
    near = z3.And(z3.Not(unordered), held >= real - slack, held <= real + slack)
    huge = z3.And(z3.Not(unordered), held == z3.If(real < 0, -INFINITY, INFINITY))
    beyond = z3.Or(real >= INFINITY, real <= -INFINITY)
    known = z3.And(unordered == extreme[0], z3.Or(unordered, held == extreme[1]))
    bounded = z3.And(*[is_finite(t, one) for one in operands], t.fixed(value=True))
    ordinary = z3.If(bounded, z3.If(beyond, huge, near), known)
    t.domain += [held >= -INFINITY, held <= INFINITY, z3.If(nan, unordered, ordinary)]
    return Value("float", held, unordered)


def _is_infinite(z3: Any, real: Any) -> Any:
    return z3.Or(real == INFINITY, real == -INFINITY)


def sum_of_infinities(z3: Any, first: Any, second: Any) -> tuple[Any, Any]:
    """Of infinity and another float: is the sum NaN, and what is it if not?"""
    return first == -second, z3.If(_is_infinite(z3, first), first, second)


def difference_of_infinities(z3: Any, first: Any, second: Any) -> tuple[Any, Any]:
    """As ``sum_of_infinities``."""
    return sum_of_infinities(z3, first, -second)


def product_of_infinities(z3: Any, first: Any, second: Any) -> tuple[Any, Any]:
    """As ``sum_of_infinities``."""
    alike = (first > 0) == (second > 0)
    return z3.Or(first == 0, second == 0), z3.If(alike, z3.RealVal(INFINITY, first.ctx), -INFINITY)


def _quotient_of_infinities(z3: Any, first: Any, second: Any) -> tuple[Any, Any]:
    both = z3.And(_is_infinite(z3, first), _is_infinite(z3, second))
    signed = product_of_infinities(z3, first, second)[1]
    return both, z3.If(_is_infinite(z3, first), signed, z3.RealVal(0, first.ctx))


def as_float(t: Translator, value: Value) -> Value:
    """``float(value)`` of a number, rounded; an int beyond the floats raises."""
    if value.sort == "float":
        return value
    if value.const:
        try:
            return t.known(float(value.const[0]))
        except OverflowError:
            raise Untranslatable("an int beyond the floats") from None
    number = t.integer(value)
    t.unlimited()
    t.guard(t.z3.And(number < INFINITY, number > -INFINITY))
    real = t.z3.ToReal(number)
    return _round(t, real, (), (t.fixed(value=False), real))


def translate_division(t: Translator, args: Sequence[Value]) -> Value:
    """The quotient of ints is rounded once; one that is too large raises."""
    first, second = (
        as_float(t, arg)
        if "float" in (args[0].sort, args[1].sort)
        else Value("float", t.z3.ToReal(t.integer(arg)), t.fixed(value=False))
        for arg in args
    )
    if "float" not in (args[0].sort, args[1].sort):
        t.unlimited()
    t.guard(t.z3.Or(second.nan, second.expr != 0))
    extreme = _quotient_of_infinities(t.z3, first.expr, second.expr)
    return _round(t, first.expr / second.expr, (first, second), extreme)


def float_comparison(compare: Callable[[Any, Any], Any]) -> Meaning:
    """Comparison of floats, or of a float and an int; false for a NaN."""

    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        first, second = (_exact_real(t, arg) for arg in args)
        ordered = t.z3.Not(t.z3.Or(first.nan, second.nan))
        return t.boolean(t.z3.And(ordered, compare(first.expr, second.expr)))

    return meaning


def _exact_real(t: Translator, value: Value) -> Value:
    """A number as the real that it is; ints beyond the floats stay short of the infinities."""
    if value.sort == "float":
        return value
    number, most = t.integer(value), t.number(INFINITY - 1)
    kept = t.z3.If(number > most, most, t.z3.If(number < -most, -most, number))
    return Value("float", t.z3.ToReal(kept), t.fixed(value=False))


def is_finite(t: Translator, value: Value) -> Any:
    """Is a float neither NaN nor infinite?"""
    real = value.expr
    return t.z3.And(t.z3.Not(value.nan), real < INFINITY, real > -INFINITY)
