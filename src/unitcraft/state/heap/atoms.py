"""Immutable values that count by content and never by identity.

Invariant: a leaf's token is a tuple that begins with the name of its class and holds
only atoms and leaf tokens; two leaves have the same token exactly when they are
of the same class and indistinguishable (``is`` apart).
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from marshal import dumps
from pathlib import PosixPath, PurePosixPath, PureWindowsPath
from re import Pattern
from types import EllipsisType, NotImplementedType
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Token = Any
Leaf = tuple[Token, ...]

#: Classes whose instances marshal writes exactly as they are, class included.
RAW: Final = frozenset({int, str, bool, type(None), EllipsisType})

#: Items of a tuple or frozenset that counts by content; a longer one is an object, because
#: writing it once for each mention would cost too much.
MAX_ATOM_ITEMS: Final = 32


class Absent:
    """The content of an empty slot."""


ABSENT: Final = Absent()


def token_of(value: object) -> Token | None:
    """The token of ``value`` wrapped in a tuple; None when it is an object with identity."""
    kind = type(value)
    if kind in RAW:
        return (value,)
    leaf = LEAVES.get(kind)
    token = leaf(value) if leaf is not None else None
    return None if token is None else (token,)


def order_atoms(values: Iterable[object]) -> tuple[list[Any], list[Any]]:
    """The leaves among ``values`` in canonical order, and the other values as they come."""
    leaves: list[tuple[tuple[str, bytes], Any]] = []
    objects: list[Any] = []
    for value in values:
        token = token_of(value)
        if token is None:
            objects.append(value)
        else:
            leaves.append(((type(value).__name__, dumps(token, 2)), value))
    leaves.sort(key=lambda pair: pair[0])
    return [value for _, value in leaves], objects


def _float(value: float) -> Token:
    return ("float", value.hex())


def _complex(value: complex) -> Leaf:
    return ("complex", value.real.hex(), value.imag.hex())


def _tuple(value: tuple[Any, ...]) -> Leaf | None:
    if len(value) > MAX_ATOM_ITEMS:
        return None
    tokens: list[Any] = ["tuple"]
    for item in value:
        kind = type(item)
        if kind in RAW:
            tokens.append(item)
        elif kind is tuple or kind not in LEAVES or (token := LEAVES[kind](item)) is None:
            return None
        else:
            tokens.append(token)
    return tuple(tokens)


def _frozenset(value: frozenset[Any]) -> Leaf | None:
    if len(value) > MAX_ATOM_ITEMS or any(type(item) is frozenset for item in value):
        return None
    leaves, objects = order_atoms(value)
    return None if objects else ("frozenset", *[token_of(item) for item in leaves])


def _datetime(value: Any) -> Leaf | None:
    state = value.__reduce_ex__(4)[1]
    if len(state) == 1:
        return (type(value).__name__, *state)
    zone = state[1]
    if type(zone) is not dt.timezone:
        return None
    return (type(value).__name__, state[0], _timedelta(zone.utcoffset(None)), zone.tzname(None))


def _timedelta(value: dt.timedelta) -> Leaf:
    return ("timedelta", value.days, value.seconds, value.microseconds)


def _range(value: range) -> Leaf | None:
    bounds = (value.start, value.stop, value.step)
    return ("range", *bounds) if all(type(bound) is int for bound in bounds) else None


def _fraction(value: Fraction) -> Leaf | None:
    return _tuple((value.numerator, value.denominator))


#: Class -> token of an instance, or None when this one must be read as an object.
LEAVES: Final[dict[type, Callable[[Any], Token | None]]] = {
    Absent: lambda _: ("absent",),
    NotImplementedType: lambda _: ("NotImplemented",),
    float: _float,
    complex: _complex,
    bytes: lambda value: ("bytes", value),
    tuple: _tuple,
    frozenset: _frozenset,
    range: _range,
    Decimal: lambda value: ("Decimal", str(value)),
    Fraction: lambda value: ("Fraction", _fraction(value)) if _fraction(value) else None,
    dt.date: _datetime,
    dt.time: _datetime,
    dt.datetime: _datetime,
    dt.timedelta: _timedelta,
    UUID: lambda value: ("UUID", value.int),
    Pattern: lambda value: ("Pattern", value.pattern, value.flags),
    **{
        kind: lambda value: (type(value).__name__, str(value))
        for kind in (PosixPath, PurePosixPath, PureWindowsPath)
    },
}
