"""Proxies of int and float.

Invariant: a proxy has the value that the plain number would have, and every operator gives the
result, the type and the error that it would give; comparisons and the conditions of errors
are noted in the trace.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from unitcraft.symbolic.operations import LARGEST
from unitcraft.symbolic.terms import OK
from unitcraft.symbolic.trace import (
    Proxied,
    apply,
    note,
    pin,
    plain,
    proxy_class,
    term_of,
    wrapped,
)

_int_new = int.__new__
_float_new = float.__new__
_whole: Final[Callable[[int], int]] = int.__index__
_real: Final[Callable[[float], float]] = float.__pos__


class SymInt(int, Proxied):
    """An int that knows its term."""

    __class__ = property(lambda _: int)  # type: ignore[assignment]
    term: Any


class SymFloat(float, Proxied):
    """A float that knows its term."""

    __class__ = property(lambda _: float)  # type: ignore[assignment]
    term: Any


def sym_int(value: int, term: Any) -> SymInt:
    """The proxy of ``value``, which ``term`` computes."""
    made = _int_new(SymInt, value)
    made.term = term
    return made


def sym_float(value: float, term: Any) -> SymFloat:
    """The proxy of ``value``, which ``term`` computes."""
    made = _float_new(SymFloat, value)
    made.term = term
    return made


_NUMBERS: Final = frozenset({int, bool, float, SymInt, SymFloat})
_WHOLE: Final = frozenset({int, bool, SymInt})


def _foreign(function: Callable[..., Any], *args: Any) -> Any:
    """``function`` of operands of which one is no number: the proxies among them are pinned."""
    return function(*[pin(arg) for arg in args])


def _comparison(op: str, name: str) -> Callable[[Any, Any], Any]:
    function = getattr(operator, name)
    whole = getattr(int, f"__{name}__")

    def compare(self: Any, other: Any) -> Any:
        kind = type(other)
        if kind is SymInt and type(self) is SymInt:
            result = whole(self, other)
            note(((op, self.term, other.term), result))
            return result
        if kind is int and type(self) is SymInt:
            result = whole(self, other)
            note(((op, self.term, other), result))
            return result
        if kind not in _NUMBERS:
            return NotImplemented if _reflects(kind) else _foreign(function, self, other)
        result = function(plain(self), plain(other))
        note(((op, self.term, term_of(other)), result))
        return result

    return compare


def _reflects(kind: type) -> bool:
    """May the other operand take part, because its class is rewritten or no number at all?"""
    return kind is complex or kind.__module__ not in _FOREIGN_NUMBERS


_FOREIGN_NUMBERS: Final = frozenset({"decimal", "fractions", "datetime", "numpy"})


def _binary(op: str, name: str, *, swapped: bool) -> Callable[[Any, Any], Any]:
    function = getattr(operator, name)
    total = op in ("+", "-", "*", "&", "|", "^")
    whole = getattr(int, f"__{'r' if swapped else ''}{name.strip('_')}__")

    def calculate(self: Any, other: Any) -> Any:
        kind = type(other)
        if total and type(self) is SymInt:
            if kind is int:
                pair = (op, other, self.term) if swapped else (op, self.term, other)
                return sym_int(whole(self, other), pair)
            if kind is SymInt:
                pair = (op, other.term, self.term) if swapped else (op, self.term, other.term)
                return sym_int(whole(self, other), pair)
        if kind not in _NUMBERS:
            if _reflects(kind) and kind not in _SIZED:
                return NotImplemented
            return _foreign(function, *((other, self) if swapped else (self, other)))
        first, second = (other, self) if swapped else (self, other)
        return _guarded(op, first, second)

    return calculate


#: What a number may repeat.
_SIZED: Final = frozenset({list, tuple})


def _guarded(op: str, first: Any, second: Any) -> Any:
    """``first op second`` of two numbers, with the conditions of errors and of the result's type."""
    if op in ("//", "%", "/") and not isinstance(second, bool) and isinstance(second, Proxied):
        note((("==", second.term, 0), plain(second) == 0))
    elif op in ("<<", ">>") and isinstance(second, Proxied):
        note((("<", second.term, 0), plain(second) < 0))
    elif op == "**":
        return _power(first, second)
    if op in ("<<", ">>"):
        return apply(op, first, second)
    term = (op, term_of(first), term_of(second))
    try:
        return wrapped(_FUNCTIONS[op](plain(first), plain(second)), term)
    except (ArithmeticError, ValueError):
        note(((OK, term), False))
        raise


def _power(base: Any, exponent: Any) -> Any:
    if type(base) in _WHOLE and type(exponent) in _WHOLE:
        if isinstance(exponent, Proxied):
            note((("<", exponent.term, 0), plain(exponent) < 0))
        if plain(base).bit_length() * abs(plain(exponent)) > LARGEST:
            return _foreign(operator.pow, base, exponent)
        if plain(exponent) < 0 and isinstance(base, Proxied):
            note((("==", base.term, 0), plain(base) == 0))
        return apply("**", base, exponent)
    try:
        result = plain(base) ** plain(exponent)
    except (ZeroDivisionError, OverflowError):
        return apply("**", base, exponent)
    if type(result) is complex:
        return _foreign(operator.pow, base, exponent)
    return apply("**", base, exponent)


def _unary(op: str, name: str) -> Callable[[Any], Any]:
    function = getattr(operator, name)

    def calculate(self: Any) -> Any:
        result = function(plain(self))
        term = (op, self.term)
        return sym_int(result, term) if type(result) is int else sym_float(result, term)

    return calculate


def _truth(self: Any) -> bool:
    result = bool(plain(self))
    note((("!=", self.term, 0), result))
    return result


def _through(name: str) -> Callable[..., Any]:
    return lambda self, *args: apply(name, self, *args)


def _divmod(self: Any, other: Any) -> Any:
    if type(other) not in _NUMBERS:
        return NotImplemented if _reflects(type(other)) else _foreign(divmod, self, other)
    return (self // other, self % other)


def _rdivmod(self: Any, other: Any) -> Any:
    if type(other) not in _NUMBERS:
        return NotImplemented if _reflects(type(other)) else _foreign(divmod, other, self)
    return (other // self, other % self)


def _pow(self: Any, other: Any, modulus: Any = None) -> Any:
    if modulus is not None:
        return _foreign(pow, self, other, modulus)
    if type(other) not in _NUMBERS:
        return NotImplemented if _reflects(type(other)) else _foreign(operator.pow, self, other)
    return _power(self, other)


def _round(self: Any, digits: Any = None) -> Any:
    if digits is None:
        return self if type(self) is SymInt else apply("round", self)
    return apply("round", self, digits)


def _pinned_method(kind: type, name: str) -> Callable[..., Any]:
    function = getattr(kind, name)
    return lambda self, *args, **kwargs: function(
        pin(self), *map(pin, args), **{key: pin(value) for key, value in kwargs.items()}
    )


def _hash(self: Any) -> int:
    return hash(pin(self))


_COMPARISONS: Final = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
_ARITHMETIC: Final = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod",
}  # fmt: skip
_FUNCTIONS: Final = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod,
}  # fmt: skip
_BITWISE: Final = {"&": "and_", "|": "or_", "^": "xor", "<<": "lshift", ">>": "rshift"}


def _common(cls: type, kind: type) -> None:
    """What both proxies have."""
    for op, name in _COMPARISONS.items():
        setattr(cls, f"__{name}__", _comparison(op, name))
    for op, name in {"neg": "neg", "pos": "pos", "abs": "abs"}.items():
        setattr(cls, f"__{name}__", _unary(op, name))
    for name, method in {
        "__bool__": _truth, "__hash__": _hash, "__divmod__": _divmod, "__rdivmod__": _rdivmod,
        "__pow__": _pow, "__rpow__": lambda self, other: _pow_swapped(self, other),
        "__round__": _round, "__str__": _through("str"), "__repr__": _through("repr"),
        "__format__": _through("format"), "__trunc__": _through("math.trunc"),
        "__floor__": _through("math.floor"), "__ceil__": _through("math.ceil"),
        "__copy__": lambda self: self, "__deepcopy__": lambda self, _: self,
        "__reduce_ex__": lambda self, _: (kind, (pin(self),)),
        "__getnewargs__": lambda self: (pin(self),),
        "real": property(lambda self: self),
        "conjugate": lambda self: self, "as_integer_ratio": _pinned_method(kind, "as_integer_ratio"),
    }.items():  # fmt: skip
        setattr(cls, name, method)


def _pow_swapped(self: Any, other: Any) -> Any:
    if type(other) not in _NUMBERS:
        return NotImplemented if _reflects(type(other)) else _foreign(operator.pow, other, self)
    return _power(other, self)


def _equip() -> None:
    for cls, kind in ((SymInt, int), (SymFloat, float)):
        _common(cls, kind)
        table = _ARITHMETIC | (_BITWISE if kind is int else {})
        for op, name in table.items():
            short = name.strip("_")
            setattr(cls, f"__{short}__", _binary(op, name, swapped=False))
            setattr(cls, f"__r{short}__", _binary(op, name, swapped=True))
    for name, method in {
        "__invert__": _unary("invert", "invert"), "__int__": lambda self: pin(self),
        "__float__": lambda self: float(pin(self)), "numerator": property(lambda self: self),
        "imag": property(lambda _: 0), "denominator": property(lambda _: 1),
        "bit_length": _through("int.bit_length"), "bit_count": _through("int.bit_count"),
        "to_bytes": _pinned_method(int, "to_bytes"), "is_integer": lambda _: True,
    }.items():  # fmt: skip
        setattr(SymInt, name, method)
    for name, method in {
        "__float__": lambda self: pin(self), "__int__": lambda self: int(pin(self)),
        "imag": property(lambda _: 0.0), "is_integer": _through("float.is_integer"),
        "hex": _through("float.hex"),
    }.items():  # fmt: skip
        setattr(SymFloat, name, method)
    proxy_class(int, SymInt, sym_int, _whole)
    proxy_class(float, SymFloat, sym_float, _real)


_equip()
