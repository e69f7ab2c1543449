"""Inversion of arithmetic, of comparisons of numbers and of truth.

Invariant: as for every rule, suggestions only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, Final

from unitcraft.solve.inversion.inversion_rules import MISSING, Rule, check_size, inverse_of


def below(value: Any) -> list[Any]:
    """Numbers less than ``value``, the nearest first (for floats the nearest round one)."""
    if isinstance(value, int):
        return [value - 1, value - 2, value - 10]
    return [value - 1.0, value - 0.5, math.nextafter(value, -math.inf), -math.inf]


def above(value: Any) -> list[Any]:
    """Numbers greater than ``value``, the nearest first (for floats the nearest round one)."""
    if isinstance(value, int):
        return [value + 1, value + 2, value + 10]
    return [value + 1.0, value + 0.5, math.nextafter(value, math.inf), math.inf]


def ordered(position: int, args: list[Any], relation: str) -> Iterable[Any]:
    """Numbers in ``relation`` to the other argument, seen from ``position``."""
    other = args[1 - position]
    if not isinstance(other, (int, float)):
        return []
    if relation == "==":
        return [other]
    if relation == "!=":
        return [*above(other)[:2], *below(other)[:2]]
    strictly = above(other) if (relation[0] == ">") is (position == 0) else below(other)
    return [other, *strictly] if relation[1:] else strictly


NEGATED: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def comparison_rule(name: str, by: Callable[[int, list[Any], str], Iterable[Any]]) -> Rule:
    """The rule of comparison ``name``; ``by`` lists the values that are in a relation."""

    def rule(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
        return by(position, args, name if wanted else NEGATED[name])

    return rule


def _plus(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    return [wanted - args[1 - position]]


def _minus(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    return [wanted + args[1]] if position == 0 else [args[0] - wanted]


def _times(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    other = args[1 - position]
    if not other:
        return []
    if isinstance(other, int) and isinstance(wanted, int):
        whole, rest = divmod(wanted, other)
        return [whole, whole + 1] if rest else [whole]
    return [wanted / other]


def _check_numbers(*values: Any) -> None:
    """TypeError unless ``values`` are numbers: a text would be repeated or formatted."""
    if not all(isinstance(value, (int, float)) for value in values):
        raise TypeError("this rule is about numbers")


def _over(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    _check_numbers(wanted, args[1 - position])
    if position == 0:
        return [wanted * args[1]]
    return [args[0] / wanted] if wanted else [args[0] * 2 + 1, math.inf]


def _floor_over(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    _check_numbers(wanted, args[1 - position])
    if position == 0:
        divisor = args[1]
        return [wanted * divisor, wanted * divisor + (divisor - (1 if divisor > 0 else -1))]
    if not wanted:
        return [args[0] + 1, -args[0] + 1]
    quotient = args[0] // wanted
    return [quotient, quotient + 1, quotient - 1]


def _modulo(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    first, second = args
    if position == 0:
        if first is MISSING or not second:
            return [wanted]
        _check_numbers(first, second)
        base = first - first % second + wanted
        return [base, base - second, base + second, wanted, wanted + second, base + 10 * second]
    return [first - wanted, wanted + 1, *_divisors(first - wanted)]


def _divisors(value: Any) -> list[int]:
    if not isinstance(value, int) or not value:
        return []
    return [n for n in range(2, 20) if value % n == 0]


def _power(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    if position == 0:
        exponent = args[1]
        if isinstance(wanted, int) and exponent == 2 and wanted >= 0:  # noqa: PLR2004 - a square
            return [math.isqrt(wanted), -math.isqrt(wanted), math.isqrt(wanted) + 1]
        root = math.copysign(abs(wanted) ** (1 / exponent), wanted)
        return [round(root), root, -root]
    return [math.log(wanted, args[0])]


def _and(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    present, other = args[position], args[1 - position]
    return [(present & ~other) | wanted, wanted, wanted | ~other]


def _or(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    return [wanted, wanted & ~args[1 - position]]


def _xor(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    return [wanted ^ args[1 - position]]


def _left(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    if position == 0:
        return [wanted >> args[1], (wanted >> args[1]) + 1]
    places = wanted.bit_length() - args[0].bit_length()
    return [places, places + 1, places - 1]


def _right(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    if position == 0:
        return [wanted << check_size(args[1])]
    places = args[0].bit_length() - wanted.bit_length()
    return [places, places + 1]


def _near(_position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    """For rounding: the wanted number, and some that are rounded to it."""
    return [wanted, wanted + 0.25, wanted - 0.25, wanted + 0.5, wanted - 0.5, wanted + 0.75]


def _truth(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    present = args[position]
    if isinstance(present, float):
        return [0.5, 1.0, -1.0] if wanted else [0.0]
    if present is not MISSING and not isinstance(present, int):
        return []
    return [1, -1, 2, 3, 255] if wanted else [0]


def _same(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    return ordered(position, args, "==" if wanted else "!=")


NUMBERS: Final[dict[str, Rule]] = {
    "+": _plus, "-": _minus, "*": _times, "/": _over, "//": _floor_over, "%": _modulo,
    "**": _power, "math.pow": _power, "&": _and, "|": _or, "^": _xor, "<<": _left, ">>": _right,
    "neg": inverse_of(lambda wanted: [-wanted]), "pos": inverse_of(lambda wanted: [wanted]),
    "invert": inverse_of(lambda wanted: [~wanted]),
    "abs": inverse_of(lambda wanted: [wanted, -wanted]),
    "math.fabs": inverse_of(lambda wanted: [wanted, -wanted]),
    "truth": _truth, "same": _same,
    "round": _near, "math.floor": _near, "math.ceil": _near, "math.trunc": _near,
    "math.sqrt": inverse_of(lambda wanted: [wanted * wanted]),
    "math.isqrt": inverse_of(lambda wanted: [wanted * wanted, wanted * wanted + 1]),
    "math.exp": inverse_of(lambda wanted: [math.log(wanted)]),
    "math.log": inverse_of(lambda wanted: [math.exp(wanted)]),
    "math.log2": inverse_of(lambda wanted: [2.0**wanted]),
    "math.log10": inverse_of(lambda wanted: [10.0**wanted]),
    "math.degrees": inverse_of(lambda wanted: [math.radians(wanted)]),
    "math.radians": inverse_of(lambda wanted: [math.degrees(wanted)]),
    "math.isnan": inverse_of(lambda wanted: [math.nan] if wanted else [0.5]),
    "math.isinf": inverse_of(lambda wanted: [math.inf, -math.inf] if wanted else [0.5]),
    "math.isfinite": inverse_of(lambda wanted: [0.5] if wanted else [math.nan, math.inf]),
    "float.is_integer": inverse_of(lambda wanted: [1.0, 2.0] if wanted else [0.5]),
    "int.bit_length": inverse_of(lambda wanted: [1 << (check_size(wanted) - 1)] if wanted else [0]),
    "int.bit_count": inverse_of(lambda wanted: [(1 << check_size(wanted)) - 1]),
    "int.conjugate": inverse_of(lambda wanted: [wanted]),
    **{name: comparison_rule(name, ordered) for name in NEGATED},
}  # fmt: skip
