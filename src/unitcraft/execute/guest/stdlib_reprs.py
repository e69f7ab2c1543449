"""How values of standard-library classes are written: one row for each class.

Invariant: for every row, calling ``symbol`` with ``parts(value)`` gives a value
equal to ``value`` and of the same class (``tests/execute/test_stdlib_reprs.py`` runs
each row's examples).
"""

from __future__ import annotations

import array
import collections
import datetime  # noqa: ICN001 - as the rows read
import decimal
import enum
import fractions
import ipaddress
import pathlib
import re
import types
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

from unitcraft.core.sequences import EITHER, Arg, Build, Symbol

Parts = tuple[tuple[Any, ...], tuple[tuple[str, Any], ...]]


@dataclass(frozen=True, slots=True)
class StdlibRepr:
    """``symbol`` is what to call; ``parts`` gives its arguments; ``examples`` test the row."""

    symbol: Symbol
    parts: Callable[[Any], Parts]
    examples: tuple[Any, ...]


def _only(*args: Any) -> Parts:
    return args, ()


def _timedelta(value: datetime.timedelta) -> Parts:
    units = (
        ("days", value.days), ("seconds", value.seconds), ("microseconds", value.microseconds),
    )  # fmt: skip
    return (), tuple((name, amount) for name, amount in units if amount)


def _datetime(value: datetime.datetime) -> Parts:
    return _of_clock(value, value.year, value.month, value.day)


def _time(value: datetime.time) -> Parts:
    return _of_clock(value)


def _of_clock(value: datetime.datetime | datetime.time, *date: int) -> Parts:
    """What comes behind ``date``: hours and minutes, and what is not zero of the rest."""
    parts: list[Any] = [*date, value.hour, value.minute]
    if value.second or value.microsecond:
        parts.append(value.second)
    if value.microsecond:
        parts.append(value.microsecond)
    zone = () if value.tzinfo is None else (("tzinfo", value.tzinfo),)
    return tuple(parts), zone


def _pattern(value: re.Pattern[Any]) -> Parts:
    flags = int(value.flags) & ~int(re.UNICODE)
    return _only(value.pattern, flags) if flags else _only(value.pattern)


def _range(value: range) -> Parts:
    if value.step != 1:
        return _only(value.start, value.stop, value.step)
    return _only(value.start, value.stop) if value.start else _only(value.stop)


def _deque(value: collections.deque[Any]) -> Parts:
    bound = () if value.maxlen is None else (("maxlen", value.maxlen),)
    return (list(value),), bound


def _row(module: str, name: str, parts: Callable[[Any], Parts], *examples: Any) -> StdlibRepr:
    return StdlibRepr(Symbol(module, name), parts, examples)


def _text(module: str, name: str, *examples: Any) -> StdlibRepr:
    return _row(module, name, lambda value: _only(str(value)), *examples)


_UTC = datetime.UTC
#: Class -> the row that writes its instances.
STDLIB_REPRS: Final[Mapping[type, StdlibRepr]] = types.MappingProxyType(
    {
        decimal.Decimal: _text("decimal", "Decimal", decimal.Decimal("1.50")),
        fractions.Fraction: _row(
            "fractions", "Fraction", lambda v: _only(v.numerator, v.denominator),
            fractions.Fraction(1, 2),
        ),
        datetime.datetime: _row(
            "datetime", "datetime", _datetime, datetime.datetime(2024, 1, 2, 3, 4),  # noqa: DTZ001
            datetime.datetime(2024, 1, 2, 3, 4, 5, 6, tzinfo=_UTC),
        ),
        datetime.date: _row(
            "datetime", "date", lambda v: _only(v.year, v.month, v.day), datetime.date(2024, 2, 29)
        ),
        datetime.time: _row(
            "datetime", "time", _time, datetime.time(1, 2, 3, 4), datetime.time(1, 0, tzinfo=_UTC)
        ),
        datetime.timedelta: _row(
            "datetime", "timedelta", _timedelta, datetime.timedelta(days=-1, seconds=3),
            datetime.timedelta(),
        ),
        datetime.timezone: _row(
            "datetime", "timezone", lambda v: _only(v.utcoffset(None)), _UTC,
            datetime.timezone(datetime.timedelta(hours=2)),
        ),
        type(pathlib.Path()): _text("pathlib", "Path", pathlib.Path("a/b")),
        pathlib.PurePosixPath: _text("pathlib", "PurePosixPath", pathlib.PurePosixPath("a")),
        pathlib.PureWindowsPath: _text("pathlib", "PureWindowsPath", pathlib.PureWindowsPath("a")),
        uuid.UUID: _text("uuid", "UUID", uuid.UUID(int=1)),
        ipaddress.IPv4Address: _text("ipaddress", "IPv4Address", ipaddress.IPv4Address(1)),
        ipaddress.IPv6Address: _text("ipaddress", "IPv6Address", ipaddress.IPv6Address(1)),
        ipaddress.IPv4Network: _text(
            "ipaddress", "IPv4Network", ipaddress.IPv4Network("10.0.0.0/8")
        ),
        re.Pattern: _row(
            "re", "compile", _pattern, re.compile("a+"), re.compile("a", re.IGNORECASE)
        ),
        range: _row("builtins", "range", _range, range(3), range(1, 3), range(5, 1, -2)),
        bytearray: _row("builtins", "bytearray", lambda v: _only(bytes(v)), bytearray(b"ab")),
        collections.deque: _row(
            "collections", "deque", _deque, collections.deque([1]),
            collections.deque([1], maxlen=2),
        ),
        collections.Counter: _row(
            "collections", "Counter", lambda v: _only(dict(v)), collections.Counter("aab")
        ),
        collections.OrderedDict: _row(
            "collections", "OrderedDict", lambda v: _only(dict(v)),
            collections.OrderedDict([(1, 2), (0, 3)]),
        ),
        collections.defaultdict: _row(
            "collections", "defaultdict", lambda v: _only(v.default_factory, dict(v)),
            collections.defaultdict(list, {1: [2]}),
        ),
        slice: _row(
            "builtins", "slice", lambda v: _only(v.start, v.stop, v.step), slice(1, None, 2)
        ),
        array.array: _row(
            "array", "array", lambda v: _only(v.typecode, v.tolist()), array.array("i", [1, 2])
        ),
        types.SimpleNamespace: _row(
            "types", "SimpleNamespace", lambda v: ((), tuple(vars(v).items())),
            types.SimpleNamespace(a=1),
        ),
    }
)  # fmt: skip


def flags_in(value: enum.Enum) -> list[enum.Flag]:
    """The members that joined give the Flag ``value``; [] where it is one, or nothing of them."""
    if not isinstance(value, enum.Flag) or value._value_ & (value._value_ - 1) == 0:
        return []
    single = [one for one in type(value) if one._value_ & value._value_ == one._value_]
    return single if sum(one._value_ for one in single) == value._value_ else []


def joined(flags: list[Arg]) -> Arg:
    """Two flags or more, joined."""
    return reduce(lambda one, other: Build(EITHER, (one, other)), flags)
