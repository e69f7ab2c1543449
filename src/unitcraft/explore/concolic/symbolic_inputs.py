"""Holes: the constants of Calls that may be any value of their type.

Invariant: filling the holes with the values that were there gives back the Calls.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.encoding import Plain, encode
from unitcraft.core.sequences import Arg, Build, Call, Const, Display
from unitcraft.core.sequences import Sequence as Program

if TYPE_CHECKING:
    from unitcraft.symbolic.terms.term import Kind

_KINDS: Final[dict[type, Kind]] = {int: "int", float: "float", str: "str", bytes: "bytes"}


def kind_of(value: Any) -> Kind | None:
    """The kind of a value that may be an input; None when it stays a constant."""
    return _KINDS.get(type(value))


def holed(call: Call, first: int = 0) -> tuple[Plain, tuple[Any, ...]]:
    """The encoded Call with a hole for each constant number and text, and what was there.

    Holes are numbered from ``first`` on, in source order.  Keys of dictionaries and members of
    sets are holes too.
    """
    values: list[Any] = []
    encoded = (
        call.kind,
        call.name,
        tuple([_holed(arg, first, values) for arg in call.args]),
        tuple([(name, _holed(arg, first, values)) for name, arg in call.kwargs]),
        call.then,
    )
    return encoded, tuple(values)


def packed(program: Program) -> tuple[tuple[bytes, ...], tuple[Any, ...]]:
    """The marshalled Calls of ``program`` with symbolic inputs, and the constants in their place.

    The inputs are numbered over the whole program.
    """
    calls: list[bytes] = []
    values: list[Any] = []
    for call in program.calls:
        encoded, found = holed(call, len(values))
        calls.append(marshal.dumps(encoded, 2))
        values += found
    return tuple(calls), tuple(values)


def _holed(arg: Arg, first: int, values: list[Any]) -> Plain:
    if isinstance(arg, Const) and kind_of(arg.value) is not None:
        values.append(arg.value)
        return ("x", first + len(values) - 1)
    if isinstance(arg, Display):
        return ("d", arg.kind, tuple([_holed(item, first, values) for item in arg.items]))
    if isinstance(arg, Build):
        args = tuple([_holed(item, first, values) for item in arg.args])
        kwargs = tuple([(name, _holed(item, first, values)) for name, item in arg.kwargs])
        return ("b", (arg.callee.module, arg.callee.qualname), args, kwargs)
    return encode(arg)


def filled(program: Program, values: Sequence[Any]) -> Program:
    """``program`` with ``values`` in place of its constants, in the order of ``holed``."""
    rest = iter(values)
    return Program(tuple([_filled_call(call, rest) for call in program.calls]))


def _filled_call(call: Call, rest: Iterator[Any]) -> Call:
    args = tuple([_filled(arg, rest) for arg in call.args])
    kwargs = tuple([(name, _filled(arg, rest)) for name, arg in call.kwargs])
    return Call(call.kind, call.name, args, kwargs, call.then)


def _filled(arg: Arg, rest: Iterator[Any]) -> Arg:
    if isinstance(arg, Const):
        return Const(next(rest)) if kind_of(arg.value) is not None else arg
    if isinstance(arg, Display):
        return Display(arg.kind, tuple([_filled(item, rest) for item in arg.items]))
    if isinstance(arg, Build):
        args = tuple([_filled(item, rest) for item in arg.args])
        kwargs = tuple([(name, _filled(item, rest)) for name, item in arg.kwargs])
        return Build(arg.callee, args, kwargs)
    return arg
