"""Symbolic inputs: the constants of Calls that may be any value of their type.

Invariant: filling in the constants that the inputs replaced gives back the Calls.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Sequence
from typing import Any

from unitcraft.core.encoding import Plain, encode, encode_call
from unitcraft.core.sequences import Arg, Build, Call, Const, Display
from unitcraft.core.sequences import Sequence as Program
from unitcraft.symbolic.kinds.kinds import kind_of


def encode_with_inputs(call: Call, first: int = 0) -> tuple[Plain, tuple[Any, ...]]:
    """The encoded Call with a symbolic input for each constant number and text, and the constants.

    Inputs are numbered from ``first`` on, in source order.  Keys of dictionaries and members of
    sets are inputs too.
    """
    if call.kind in ("arrange", "define", "invoke"):
        return encode_call(call), ()
    values: list[Any] = []
    encoded = (
        call.kind,
        call.name,
        tuple([_encode(arg, first, values) for arg in call.args]),
        tuple([(name, _encode(arg, first, values)) for name, arg in call.kwargs]),
        call.then,
    )
    return encoded, tuple(values)


def pack_program(program: Program) -> tuple[tuple[bytes, ...], tuple[Any, ...]]:
    """The marshalled Calls of ``program`` with symbolic inputs, and the constants in their place.

    The inputs are numbered over the whole program.
    """
    calls: list[bytes] = []
    values: list[Any] = []
    for call in program.calls:
        encoded, found = encode_with_inputs(call, len(values))
        calls.append(marshal.dumps(encoded, 2))
        values += found
    return tuple(calls), tuple(values)


def _encode(arg: Arg, first: int, values: list[Any]) -> Plain:
    if isinstance(arg, Const) and kind_of(arg.value) is not None:
        values.append(arg.value)
        return ("x", first + len(values) - 1)
    if isinstance(arg, Display):
        return ("d", arg.kind, tuple([_encode(item, first, values) for item in arg.items]))
    if isinstance(arg, Build):
        args = tuple([_encode(item, first, values) for item in arg.args])
        kwargs = tuple([(name, _encode(item, first, values)) for name, item in arg.kwargs])
        return ("b", (arg.callee.module, arg.callee.qualname), args, kwargs)
    return encode(arg)


def fill_inputs(program: Program, values: Sequence[Any]) -> Program:
    """``program`` with ``values`` for its constants, in the order of their inputs."""
    rest = iter(values)
    return Program(tuple([_fill_call(call, rest) for call in program.calls]))


def _fill_call(call: Call, rest: Iterator[Any]) -> Call:
    if call.kind in ("arrange", "define", "invoke"):
        return call
    args = tuple([_fill(arg, rest) for arg in call.args])
    kwargs = tuple([(name, _fill(arg, rest)) for name, arg in call.kwargs])
    return Call(call.kind, call.name, args, kwargs, call.then)


def _fill(arg: Arg, rest: Iterator[Any]) -> Arg:
    if isinstance(arg, Const):
        return Const(next(rest)) if kind_of(arg.value) is not None else arg
    if isinstance(arg, Display):
        return Display(arg.kind, tuple([_fill(item, rest) for item in arg.items]))
    if isinstance(arg, Build):
        args = tuple([_fill(item, rest) for item in arg.args])
        kwargs = tuple([(name, _fill(item, rest)) for name, item in arg.kwargs])
        return Build(arg.callee, args, kwargs)
    return arg
