"""Dates, moments and spans of time that were made of symbolic numbers or texts.

A moment is compared field by field, a span by its microseconds, so that the conditions are those of
whole numbers.

Invariant: each behaves as the object of ``datetime`` would; fields and comparisons are followed,
everything else is asked of that object, after events that fix it.
"""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable
from typing import Any, Final

from unitcraft.symbolic.proxies.trace import concrete_value, concretize, wrap
from unitcraft.symbolic.terms.operations import MOMENT_FIELDS, OPERATIONS
from unitcraft.symbolic.terms.term import Term

MICROSECONDS_OF_SECOND: Final = 10**6
MICROSECONDS_OF_DAY: Final = 24 * 3600 * MICROSECONDS_OF_SECOND
_MADE: Final = ("datetime.date", "datetime.datetime")
_DATE_FIELDS: Final = 3


class _StandIn:
    """What the proxies here answer by the object that they stand for."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(as_object(self))

    def __repr__(self) -> str:
        return repr(as_object(self))

    def __str__(self) -> str:
        return str(as_object(self))


class SymMoment(_StandIn):
    """A date or datetime without a time zone; ``term`` computes it."""

    __slots__ = ("moment", "term")
    __class__ = property(lambda self: type(self.moment))

    def __init__(self, moment: dt.date, term: Term) -> None:
        self.moment = moment
        self.term = term

    def concretized(self) -> Any:
        """The moment itself, after events about its fields."""
        for name in self.names():
            concretize(self.field(name))
        return self.moment

    def names(self) -> tuple[str, ...]:
        """The names of its fields."""
        whole = type(self.moment) is dt.datetime
        return MOMENT_FIELDS if whole else MOMENT_FIELDS[:_DATE_FIELDS]

    def field(self, name: str) -> Any:
        """The number in a field, followed."""
        number = getattr(self.moment, name)
        if self.term[0] not in _MADE:
            return wrap(number, (f"date.{name}", self.term))
        place = 1 + MOMENT_FIELDS.index(name)
        part = self.term[place] if place < len(self.term) else 0
        return wrap(number, part) if type(part) is tuple else number

    def _fields(self) -> tuple[Any, ...]:
        return tuple([self.field(name) for name in self.names()])

    def _compare(self, other: Any, compare: Callable[[Any, Any], Any]) -> Any:
        kind = type(self.moment)
        if type(other) is SymMoment and type(other.moment) is kind:
            return compare(self._fields(), other._fields())
        if type(other) is kind and getattr(other, "tzinfo", None) is None:
            return compare(self._fields(), tuple([getattr(other, name) for name in self.names()]))
        return compare(self.concretized(), as_object(other))

    def __sub__(self, other: Any) -> Any:
        days = type(self.moment) is dt.date
        if days and type(as_plain(other)) is dt.date:
            return span_of((self.toordinal() - other.toordinal()) * MICROSECONDS_OF_DAY)
        return self.concretized() - as_object(other)

    def __rsub__(self, other: Any) -> Any:
        if type(self.moment) is dt.date and type(other) is dt.date:
            return span_of((other.toordinal() - self.toordinal()) * MICROSECONDS_OF_DAY)
        return other - self.concretized()

    def __add__(self, other: Any) -> Any:
        return self.concretized() + as_object(other)

    __radd__ = __add__

    def __format__(self, spec: str) -> str:
        return format(self.concretized(), concretize(spec))

    def _number(self, name: str) -> Any:
        operation = f"date.{name}"
        return wrap(OPERATIONS[operation](self.moment), (operation, self.term))

    def weekday(self) -> Any:
        """As ``date.weekday``."""
        return self._number("weekday")

    def isoweekday(self) -> Any:
        """As ``date.isoweekday``."""
        return self._number("isoweekday")

    def toordinal(self) -> Any:
        """As ``date.toordinal``."""
        return self._number("toordinal")

    def __getattr__(self, name: str) -> Any:
        if name in MOMENT_FIELDS and name in self.names():
            return self.field(name)
        return getattr(self.concretized(), name)


class SymSpan(_StandIn):
    """A timedelta; ``total`` are its microseconds, a proxy of an int."""

    __slots__ = ("total",)
    __class__ = property(lambda _: dt.timedelta)

    def __init__(self, total: Any) -> None:
        self.total = total

    def concretized(self) -> dt.timedelta:
        """The span itself, after an event about it."""
        return dt.timedelta(microseconds=concretize(self.total))

    @property
    def days(self) -> Any:
        """As ``timedelta.days``."""
        return self.total // MICROSECONDS_OF_DAY

    @property
    def seconds(self) -> Any:
        """As ``timedelta.seconds``."""
        return self.total % MICROSECONDS_OF_DAY // MICROSECONDS_OF_SECOND

    @property
    def microseconds(self) -> Any:
        """As ``timedelta.microseconds``."""
        return self.total % MICROSECONDS_OF_SECOND

    def total_seconds(self) -> Any:
        """As ``timedelta.total_seconds``."""
        return self.total / MICROSECONDS_OF_SECOND

    def _compare(self, other: Any, compare: Callable[[Any, Any], Any]) -> Any:
        if type(other) is SymSpan:
            return compare(self.total, other.total)
        if type(other) is dt.timedelta:
            return compare(self.total, microseconds_of(other))
        return compare(self.concretized(), as_object(other))

    def __bool__(self) -> bool:
        return bool(self.total != 0)

    def __neg__(self) -> Any:
        return -self.concretized()

    def __abs__(self) -> Any:
        return abs(self.concretized())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.concretized(), name)


def _comparison(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda self, other: self._compare(other, compare)


def _on_objects(apply: Callable[[Any, Any], Any]) -> tuple[Callable[[Any, Any], Any], ...]:
    """An operator of spans and its swapped form, on the spans themselves."""
    return (
        lambda self, other: apply(self.concretized(), as_object(other)),
        lambda self, other: apply(as_object(other), self.concretized()),
    )


for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    for _kind in (SymMoment, SymSpan):
        setattr(_kind, f"__{_name}__", _comparison(getattr(operator, _name)))
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    _plain, _swapped = _on_objects(getattr(operator, _name))
    setattr(SymSpan, f"__{_name}__", _plain)
    setattr(SymSpan, f"__r{_name}__", _swapped)
for _kind, _known in ((SymMoment, "date"), (SymSpan, "timedelta")):
    _kind.__name__ = _kind.__qualname__ = _known
    _kind.__module__ = "datetime"


def as_object(value: Any) -> Any:
    """``value``, or the object of ``datetime`` that it stands for, or a concretized proxy."""
    return value.concretized() if type(value) in (SymMoment, SymSpan) else concretize(value)


def as_plain(value: Any) -> Any:
    """As ``as_object``, without events."""
    return value.moment if type(value) is SymMoment else value


def microseconds_of(span: dt.timedelta) -> int:
    """The length of a span."""
    seconds = span.days * 86_400 + span.seconds
    return seconds * MICROSECONDS_OF_SECOND + span.microseconds


_LEAST: Final = microseconds_of(dt.timedelta.min)
_MOST: Final = microseconds_of(dt.timedelta.max)


def span_of(total: Any) -> Any:
    """The span of ``total`` microseconds.  Raises OverflowError."""
    if type(total) is int:
        return dt.timedelta(microseconds=total)
    if not (total >= _LEAST and total <= _MOST):
        return dt.timedelta(microseconds=concrete_value(total))
    return SymSpan(total)
