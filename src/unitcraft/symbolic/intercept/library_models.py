"""Models of struct, json and datetime, and of ``inspect``: what they make of proxies is followed.

Invariant: a model does what the function does; without a proxy among the arguments, or with
arguments that it does not know, it is the function itself with concretized values.
"""

from __future__ import annotations

import datetime as dt
import inspect
import json
import struct
from collections.abc import Callable
from typing import Any, Final

from unitcraft.symbolic.containers.parsed_documents import follow_document
from unitcraft.symbolic.intercept.deep_concretization import call_concretely
from unitcraft.symbolic.proxies.moments import SymMoment, span_of
from unitcraft.symbolic.proxies.strings import can_be_term
from unitcraft.symbolic.proxies.trace import (
    PROXIES,
    apply_operation,
    concrete_value,
    concretize,
    is_instance,
    is_symbolic,
    record,
    record_failure,
    term_of,
    wrap,
)
from unitcraft.symbolic.terms.operations import MOMENT_FIELDS, OPERATIONS
from unitcraft.symbolic.terms.term import OK, Term

_Args = tuple[Any, ...]
_Named = dict[str, Any]
_Model = Callable[[Any, _Args, _Named], Any]


def run_operation(name: str, term: Term, values: _Args) -> Any:
    """The value of ``term``, an operation that may raise; an event says whether it does."""
    try:
        result = OPERATIONS[name](*values)
    except Exception as error:
        record_failure(name, term, error)
        raise
    record(((OK, term), True))
    return result


# -- struct ---------------------------------------------------------------------------


def _unpack(name: str, layout: Any, args: _Args) -> Any:
    """``struct.unpack`` and ``unpack_from``: a layout tells how many values there are."""
    args = (args[0], *map(concretize, args[1:]))
    if type(args[0]) not in PROXIES or not is_instance(args[0], bytes):
        return getattr(struct, name)(layout, *map(concretize, args))
    term = (f"struct.{name}", layout, args[0].term, *args[1:])
    found = run_operation(term[0], term, (layout, concrete_value(args[0]), *args[1:]))
    return tuple([wrap(item, ("[]", term, place)) for place, item in enumerate(found)])


def _model_struct(function: Any, args: _Args, kwargs: _Named) -> Any:
    """A function of ``struct``."""
    if kwargs or not args or not is_symbolic(args):
        return call_concretely(function, args, kwargs)
    return _apply_layout(function.__name__, concretize(args[0]), args[1:], function)


def call_struct_method(function: Any, owner: Any, args: _Args, kwargs: _Named) -> Any:
    """A method of a ``struct.Struct``."""
    if kwargs or not is_symbolic(args) or function.__name__ not in _LAYOUT_METHODS:
        return call_concretely(function, args, kwargs)
    return _apply_layout(function.__name__, owner.format, args, getattr(struct, function.__name__))


_LAYOUT_METHODS: Final = frozenset({"pack", "unpack", "unpack_from"})


def _apply_layout(name: str, layout: Any, args: _Args, function: Any) -> Any:
    if name != "pack" and args:
        return _unpack(name, layout, args)
    if name == "pack" and all(map(can_be_term, args)):
        return apply_operation("struct.pack", layout, *args)
    return call_concretely(function, (layout, *args), {})


# -- json -----------------------------------------------------------------------------


def _model_loads(function: Any, args: _Args, kwargs: _Named) -> Any:
    """``json.loads(text)``."""
    text = args[0] if args else None
    if kwargs or type(text) not in PROXIES or not is_instance(text, (str, bytes)):
        return call_concretely(function, args, kwargs)
    term = ("json.loads", text.term)
    return follow_document(run_operation("json.loads", term, (concrete_value(text),)), term)


# -- datetime -------------------------------------------------------------------------

#: The least and greatest value of each field of a moment; days have more to them.
_RANGES: Final = {
    "year": (dt.MINYEAR, dt.MAXYEAR), "month": (1, 12), "day": (1, 31),
    "hour": (0, 23), "minute": (0, 59), "second": (0, 59), "microsecond": (0, 999_999),
}  # fmt: skip
#: Every month has as many days.
_SAFE_DAYS: Final = 28


def make_moment(cls: Any, args: _Args, kwargs: _Named) -> Any:
    """``date(year, month, day)`` and ``datetime(year, month, day, …)``.

    Which fields are in their ranges are conditions on numbers; whether a month has more than 28
    days is one on the whole.
    """
    names = MOMENT_FIELDS if cls is dt.datetime else MOMENT_FIELDS[:3]
    fields = (*args, *[kwargs[name] for name in names[len(args) :] if name in kwargs])
    known = len(fields) == len(args) + len(kwargs) <= len(names)
    whole = all(type(concrete_value(field)) is int for field in fields)
    in_order = tuple(kwargs) == names[len(args) : len(fields)] or not kwargs
    if not (known and whole and in_order and is_symbolic(fields)) or len(fields) < _LEAST_FIELDS:
        return call_concretely(cls, args, kwargs)
    name = f"datetime.{cls.__name__}"
    term = (name, *map(term_of, fields))
    values = tuple(map(concrete_value, fields))
    if _are_in_range(dict(zip(names, fields, strict=False))):
        return SymMoment(cls(*values), term)
    return SymMoment(run_operation(name, term, values), term)


_LEAST_FIELDS: Final = 3


def _are_in_range(fields: dict[str, Any]) -> bool:
    """Do conditions on single fields say that they make a moment?"""
    for name, number in fields.items():
        least, most = _RANGES[name]
        if not (number >= least and number <= most):
            return False
    return bool(fields["day"] <= _SAFE_DAYS)


def parse_moment(cls: Any, name: str, args: _Args, kwargs: _Named, function: Any) -> Any:
    """``date.fromisoformat(text)`` and ``datetime.strptime(text, format)``."""
    if kwargs or not args or type(args[0]) not in PROXIES:
        return call_concretely(function, args, kwargs)
    operation = f"{cls.__name__}.{name}"
    term = (operation, args[0].term, *map(concretize, args[1:]))
    moment = run_operation(operation, term, (concrete_value(args[0]), *term[2:]))
    if getattr(moment, "tzinfo", None) is not None:
        concretize(args[0])
        return moment
    return SymMoment(moment, term)


#: The classes of moments and the methods that make one of a text.
PARSERS: Final = {
    dt.date: frozenset({"fromisoformat"}),
    dt.datetime: frozenset({"fromisoformat", "strptime"}),
}

_SPAN_FIELDS: Final = (
    "days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks",
)  # fmt: skip
_LENGTHS: Final = {
    name: dt.timedelta(**{name: 1}) // dt.timedelta(microseconds=1) for name in _SPAN_FIELDS
}


def make_span(cls: Any, args: _Args, kwargs: _Named) -> Any:
    """``timedelta(days, seconds, …)`` of whole numbers."""
    given = {**dict(zip(_SPAN_FIELDS, args, strict=False)), **kwargs}
    whole = all(type(concrete_value(number)) is int for number in given.values())
    known = set(given) <= set(_SPAN_FIELDS) and len(given) == len(args) + len(kwargs)
    if not (known and whole and is_symbolic(tuple(given.values()))):
        return call_concretely(cls, args, kwargs)
    total: Any = 0
    for name, number in given.items():
        total = total + number * _LENGTHS[name]
    try:
        return span_of(total)
    except OverflowError:
        return call_concretely(cls, args, kwargs)


def _model_kind_test(function: Any, args: _Args, kwargs: _Named) -> Any:
    """A function that asks only which object it has, or of which kind: its value may be any."""
    return function(*map(concrete_value, args), **kwargs)


#: They ask ``isinstance`` of a class that no input has.
_KIND_TESTS: Final = (
    id, inspect.ismodule, inspect.isclass, inspect.ismethod, inspect.isfunction, inspect.isbuiltin,
    inspect.isroutine, inspect.isgenerator, inspect.iscoroutine, inspect.isawaitable,
    inspect.isasyncgen, inspect.isgeneratorfunction, inspect.iscoroutinefunction,
    inspect.isasyncgenfunction, inspect.istraceback, inspect.isframe, inspect.iscode,
)  # fmt: skip

#: Functions of these modules, each with its model.
LIBRARY_FUNCTIONS: Final[dict[Any, _Model]] = {
    json.loads: _model_loads,
    **dict.fromkeys(_KIND_TESTS, _model_kind_test),
    **dict.fromkeys((struct.pack, struct.unpack, struct.unpack_from), _model_struct),
}

#: Classes of these modules, each with the function that makes an object.
LIBRARY_CLASSES: Final[dict[type, _Model]] = {
    dt.date: make_moment, dt.datetime: make_moment, dt.timedelta: make_span,
}  # fmt: skip
