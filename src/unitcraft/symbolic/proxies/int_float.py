"""Proxies of int and float.

Invariant: a proxy has the value that the plain number would have, and every operator gives the
result, the type and the error that it would give; comparisons and the conditions of errors
are recorded in the trace.

Proxies of numbers are no subclasses of int and float, although they say so: C code would take the
value of a subclass without asking (``1.5 < x``, ``True + x``).  As it is, it asks for
``__index__`` or ``__float__``, which concretize, or leaves the operation to the proxy.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from unitcraft.symbolic.proxies.trace import (
    PROXIES,
    PROXY_MAKERS,
    Proxied,
    apply_mixed,
    apply_operation,
    concrete_value,
    concretize,
    record,
    register_proxy,
    term_of,
)
from unitcraft.symbolic.terms.operations import MAX_RESULT_SIZE
from unitcraft.symbolic.terms.raise_conditions import may_exceed_float
from unitcraft.symbolic.terms.term import OK


class SymInt(Proxied):
    """An int that knows its term; ``concrete`` is its value."""

    __slots__ = ("concrete", "term")
    __class__ = property(lambda _: int)

    def __init__(self, concrete: int, term: Any) -> None:
        self.concrete = concrete
        self.term = term


class SymFloat(Proxied):
    """A float that knows its term; ``concrete`` is its value."""

    __slots__ = ("concrete", "term")
    __class__ = property(lambda _: float)

    def __init__(self, concrete: float, term: Any) -> None:
        self.concrete = concrete
        self.term = term


#: Functions of this module take proxies as they are, as rewritten code does.
__unitcraft_call__: Final = None
#: (value, term) -> the proxy of a value that the term computes.
sym_int: Final = SymInt
sym_float: Final = SymFloat

_WHOLE: Final = frozenset({int, bool, SymInt})
_REAL: Final = frozenset({float, SymFloat})
_NUMBERS: Final = _WHOLE | _REAL
#: The proxies of numbers.
NUMBER_PROXIES: Final = frozenset({SymInt, SymFloat})


# -- comparisons ------------------------------------------------------------------


def _comparison(op: str, function: Callable[[Any, Any], bool]) -> Callable[[Any, Any], Any]:
    def compare(self: Any, other: Any) -> Any:
        kind = type(other)
        if kind is int or kind is float or kind is bool:
            result = function(self.concrete, other)
            record(((op, self.term, other), result))
            return result
        if kind is SymInt or kind is SymFloat:
            result = function(self.concrete, other.concrete)
            record(((op, self.term, other.term), result))
            return result
        return apply_mixed(function, self, other)

    return compare


def _truth(self: Any) -> bool:
    result: bool = self.concrete != 0
    record((("!=", self.term, 0), result))
    return result


# -- arithmetic -------------------------------------------------------------------


def _operator(
    proxy: type[SymInt | SymFloat],
    op: str,
    function: Callable[[Any, Any], Any],
    *,
    swapped: bool,
) -> Callable[[Any, Any], Any]:
    """``+ - *`` and the like of two numbers of the kind of ``proxy``: one more, and no condition.

    Those of a float fail for an int too large for a float alone.
    """
    plain = _WHOLE - NUMBER_PROXIES if proxy is SymInt else _REAL - NUMBER_PROXIES

    def calculate(self: Any, other: Any) -> Any:
        kind = type(other)
        if kind in plain:
            return proxy(function(self.concrete, other), (op, self.term, other))
        if kind is proxy:
            return proxy(function(self.concrete, other.concrete), (op, self.term, other.term))
        return _mixed(op, function, self, other)

    def calculate_swapped(self: Any, other: Any) -> Any:
        if type(other) in plain:
            return proxy(function(other, self.concrete), (op, other, self.term))
        return _mixed(op, function, other, self)

    return calculate_swapped if swapped else calculate


_int_operator: Final = partial(_operator, SymInt)
_float_operator: Final = partial(_operator, SymFloat)


def _mixed(op: str, function: Callable[[Any, Any], Any], first: Any, second: Any) -> Any:
    """``first op second``, where at least one operand is a proxy of a number."""
    if type(first) in _NUMBERS and type(second) in _NUMBERS:
        return _compute(op, function, first, second)
    if op == "*" and type(first) in _TEXTS:
        return apply_operation("*", first, second)
    return apply_mixed(function, first, second)


_TEXTS: Final = frozenset({str, bytes})


def _compute(op: str, function: Callable[[Any, Any], Any], first: Any, second: Any) -> Any:
    known, term = (first.concrete, first.term) if type(first) in NUMBER_PROXIES else (first, first)
    if type(second) in NUMBER_PROXIES:
        other, term = second.concrete, (op, term, second.term)
    else:
        other, term = second, (op, term, second)
    try:
        result = function(known, other)
    except (ArithmeticError, ValueError):
        record(((OK, term), False))
        raise
    except TypeError:
        return NotImplemented
    if type(result) is float and _may_overflow(first, second):
        record(((OK, term), True))
    return PROXY_MAKERS[type(result)](result, term)


def _may_overflow(*operands: Any) -> bool:
    """May an operand be an int that is too large for a float?"""
    return any(type(one) is SymInt and may_exceed_float(one.term) for one in operands)


def _division(
    op: str, function: Callable[[Any, Any], Any], *, swapped: bool
) -> Callable[[Any, Any], Any]:
    """``/ // %``: records whether a symbolic divisor is zero."""

    def divide(first: Any, second: Any) -> Any:
        kind = type(second)
        if kind in NUMBER_PROXIES:
            record((("==", second.term, 0), second.concrete == 0))
            if not second.concrete:
                return function(concrete_value(first), second.concrete)
        elif kind not in _NUMBERS:
            return apply_mixed(function, first, second)
        elif not second:
            return function(concrete_value(first), second)
        return _compute(op, function, first, second)

    def divide_swapped(second: Any, first: Any) -> Any:
        if type(first) in _NUMBERS:
            return divide(first, second)
        return apply_mixed(function, first, second)

    return divide_swapped if swapped else divide


def _record_zero_divisor(number: Any) -> None:
    if type(number) in PROXIES:
        record((("==", number.term, 0), number.concrete == 0))


def _shift(
    op: str, function: Callable[[Any, Any], Any], *, swapped: bool
) -> Callable[[Any, Any], Any]:
    """``<< >>``: records whether a symbolic shift count is negative."""

    def shift(first: Any, second: Any) -> Any:
        if type(first) not in _WHOLE or type(second) not in _WHOLE:
            both = type(first) in _NUMBERS and type(second) in _NUMBERS
            return NotImplemented if both else apply_mixed(function, first, second)
        if type(second) in PROXIES:
            record((("<", second.term, 0), concrete_value(second) < 0))
        return (
            apply_operation(op, first, second)
            if concrete_value(second) >= 0
            else function(concrete_value(first), concrete_value(second))
        )

    if swapped:
        return lambda self, other: shift(other, self)
    return shift


def _unary(op: str, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda self: type(self)(function(self.concrete), (op, self.term))


# -- powers and divmod ------------------------------------------------------------


def power(base: Any, exponent: Any, modulus: Any = None) -> Any:
    """``pow(base, exponent, modulus)`` where one of the numbers is a proxy."""
    if not all(type(one) in _NUMBERS for one in (base, exponent)):
        return apply_mixed(operator.pow, base, exponent)
    if modulus is not None:
        return _modular_power(base, exponent, modulus)
    if type(base) in _WHOLE and type(exponent) in _WHOLE:
        return _whole_power(base, exponent)
    try:
        result = concrete_value(base) ** concrete_value(exponent)
    except ArithmeticError:
        return apply_operation("**", base, exponent)
    if type(exponent) in (int, float) and exponent >= 0 and exponent == exponent // 1:
        return apply_operation("**", base, exponent)
    term = ("**", term_of(base), term_of(exponent))
    record(((OK, term), True))
    record((("==", ("kind", term), "float"), type(result) is float))
    if type(result) is complex:
        return operator.pow(concretize(base), concretize(exponent))
    return SymFloat(result, term)


def _whole_power(base: Any, exponent: Any) -> Any:
    known = concrete_value(exponent)
    if type(exponent) in PROXIES:
        record((("<", exponent.term, 0), known < 0))
    if known < 0:
        _record_zero_divisor(base)
        return _compute("**", operator.pow, base, exponent) if concrete_value(base) else 0**known
    if type(exponent) in PROXIES or concrete_value(base).bit_length() * known > MAX_RESULT_SIZE:
        return apply_operation("**", base, exponent)
    return _compute("**", operator.pow, base, exponent)


def _modular_power(base: Any, exponent: Any, modulus: Any) -> Any:
    if not all(type(one) in _WHOLE for one in (base, exponent, modulus)):
        return pow(concretize(base), concretize(exponent), concretize(modulus))
    _record_zero_divisor(modulus)
    if type(exponent) in PROXIES:
        record((("<", exponent.term, 0), concrete_value(exponent) < 0))
    if concrete_value(modulus) == 0 or concrete_value(exponent) < 0:
        return apply_operation("**", base, exponent, modulus)
    term = ("**", term_of(base), term_of(exponent), term_of(modulus))
    return SymInt(
        pow(concrete_value(base), concrete_value(exponent), concrete_value(modulus)), term
    )


def divide_with_remainder(first: Any, second: Any) -> Any:
    """``divmod(first, second)`` where one of the numbers is a proxy."""
    if type(first) not in _NUMBERS or type(second) not in _NUMBERS:
        return apply_mixed(divmod, first, second)
    _record_zero_divisor(second)
    known, other = concrete_value(first), concrete_value(second)
    terms = (term_of(first), term_of(second))
    try:
        quotient, remainder = divmod(known, other)
    except OverflowError:
        record(((OK, ("//", *terms)), False))
        raise
    if type(remainder) is float and _may_overflow(first, second):
        record(((OK, ("//", *terms)), True))
    make = PROXY_MAKERS[type(remainder)]
    return (make(quotient, ("//", *terms)), make(remainder, ("%", *terms)))


def _round(self: Any, digits: Any = None) -> Any:
    if digits is None:
        return self if type(self) is SymInt else apply_operation("round", self)
    if type(digits) not in _WHOLE:
        return round(concretize(self), digits)
    return apply_operation("round", self, digits)


# -- the rest of what numbers can do -----------------------------------------------


def _as_operation(name: str) -> Callable[..., Any]:
    return lambda self, *args: apply_operation(name, self, *args)


def _format(self: Any, spec: Any) -> Any:
    return apply_operation("str", self) if spec == "" else apply_operation("format", self, spec)


def _to_bytes(self: Any, length: Any = 1, byteorder: Any = "big", *, signed: Any = False) -> Any:
    if type(length) in _WHOLE and isinstance(byteorder, str):
        return apply_operation("int.to_bytes", self, length, byteorder, bool(signed))
    return concretize(self).to_bytes(length, byteorder, signed=signed)


def _as_integer_ratio(self: Any) -> Any:
    return (self, 1)


_COMPARISONS: Final = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
_SHARED_OPERATORS: Final[dict[str, tuple[str, Callable[..., Any]]]] = {
    "+": ("add", _float_operator), "-": ("sub", _float_operator), "*": ("mul", _float_operator),
    "/": ("truediv", _division), "//": ("floordiv", _division), "%": ("mod", _division),
}  # fmt: skip
_INT_OPERATORS: Final[dict[str, tuple[str, Callable[..., Any]]]] = {
    "+": ("add", _int_operator), "-": ("sub", _int_operator), "*": ("mul", _int_operator),
    "&": ("and_", _int_operator),
    "|": ("or_", _int_operator), "^": ("xor", _int_operator), "<<": ("lshift", _shift),
    ">>": ("rshift", _shift),
}  # fmt: skip


def _same(self: Any, *_: Any) -> Any:
    return self


def _common_members(kind: type) -> dict[str, Any]:
    """The members that both proxies have."""
    made: dict[str, Any] = {
        f"__{name}__": _comparison(op, getattr(operator, name)) for op, name in _COMPARISONS.items()
    }
    for op, (name, family) in (_SHARED_OPERATORS | (_INT_OPERATORS if kind is int else {})).items():
        function, short = getattr(operator, name), name.strip("_")
        made[f"__{short}__"] = family(op, function, swapped=False)
        made[f"__r{short}__"] = family(op, function, swapped=True)
    return made | {
        "__neg__": _unary("neg", operator.neg), "__pos__": _unary("pos", operator.pos),
        "__abs__": _unary("abs", abs), "__bool__": _truth,
        "__hash__": lambda self: hash(concretize(self)),
        "__divmod__": divide_with_remainder, "__rdivmod__": lambda self,
        other: divide_with_remainder(other, self),
        "__pow__": power, "__rpow__": lambda self, other: power(other, self), "__round__": _round,
        "__str__": _as_operation("str"), "__repr__": _as_operation("repr"), "__format__": _format,
        "__trunc__": _same, "__floor__": _same, "__ceil__": _same,
        "__int__": lambda self: int(concretize(self)),
        "__float__": lambda self: float(concretize(self)),
        "__copy__": _same, "__deepcopy__": lambda self, _: self,
        "conjugate": lambda self: self,
        "__reduce_ex__": lambda self, _: (kind, (concretize(self),)),
        "real": property(_same), "imag": property(lambda _: kind(0)), "__doc__": kind.__doc__,
        "__name__": kind.__name__, "__qualname__": kind.__name__, "__module__": "builtins",
    }  # fmt: skip


_INT_MEMBERS: Final = {
    "__invert__": _unary("invert", operator.invert), "__index__": concretize,
    "numerator": property(concretize), "denominator": property(lambda _: 1),
    "as_integer_ratio": _as_integer_ratio,
    "bit_length": _as_operation("int.bit_length"), "bit_count": _as_operation("int.bit_count"),
    "to_bytes": _to_bytes, "from_bytes": staticmethod(int.from_bytes),
    "is_integer": lambda _: True,
}  # fmt: skip
_FLOAT_MEMBERS: Final = {
    "__trunc__": _as_operation("math.trunc"), "__floor__": _as_operation("math.floor"),
    "__ceil__": _as_operation("math.ceil"), "is_integer": _as_operation("float.is_integer"),
    "as_integer_ratio": _as_operation("float.as_integer_ratio"), "hex": _as_operation("float.hex"),
    "fromhex": staticmethod(float.fromhex),
}  # fmt: skip


def _add_members(cls: type, kind: type, own: dict[str, Any]) -> None:
    for name, member in (_common_members(kind) | own).items():
        if name.startswith("__") or hasattr(kind, name):
            setattr(cls, name, member)
    register_proxy(kind, cls, cls, operator.attrgetter("concrete"))


_add_members(SymInt, int, _INT_MEMBERS)
_add_members(SymFloat, float, _FLOAT_MEMBERS)
