"""Args, Sequences and Outcomes as plain tuples that ``marshal`` can carry, and back.

Invariant: ``decode(encode(x)) == x`` with the class of every atom kept; the
decoder accepts only the tags below, so that a corrupted answer raises
ValueError instead of building something else.
"""

from __future__ import annotations

import marshal
from typing import Any, Final

from unitcraft.core.outcomes import (
    Exhausted,
    Opaque,
    Outcome,
    Raised,
    Rejected,
    ResultValue,
    Returned,
)
from unitcraft.core.sequences import (
    SHARING,
    Arg,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Source,
    Symbol,
    TempPath,
    shares_loop,
)

Plain = Any  # None, bool, int, float, complex, str, bytes, tuple, list, dict of Plain

#: Equal values have equal bytes: from 3 on it refers back to objects that it has met.
_MARSHAL_VERSION: Final = 2


def encode(arg: ResultValue) -> Plain:
    """``arg`` as a tuple; its first item is a one-letter tag."""
    match arg:
        case Const(value):
            return ("c", value)
        case Ref(index):
            return ("r", index)
        case Symbol(module, qualname):
            return ("y", module, qualname)
        case Display(kind, items):
            return ("d", kind, tuple([encode(item) for item in items]))
        case Source(text):
            return ("s", text)
        case Build(callee, args, kwargs):
            return (
                "b",
                (callee.module, callee.qualname),
                tuple([encode(item) for item in args]),
                tuple([(name, encode(item)) for name, item in kwargs]),
            )
        case TempPath(name, content, is_text):
            return ("p", name, None if content is None else encode(content), is_text)
        case Opaque(type_, equatable):
            return ("o", type_, equatable)


def decode(plain: Plain) -> ResultValue:
    """The inverse of ``encode``.  Raises ValueError on anything else."""
    match plain:
        case ("c", value):
            return Const(value)
        case ("r", int(index)):
            return Ref(index)
        case ("y", str(module), str(qualname)):
            return Symbol(module, qualname)
        case ("d", kind, items):
            return Display(kind, tuple([decode_arg(item) for item in items]))
        case ("s", str(text)):
            return Source(text)
        case ("b", (module, qualname), args, kwargs):
            return Build(
                Symbol(module, qualname),
                tuple([decode_arg(item) for item in args]),
                tuple([(name, decode_arg(item)) for name, item in kwargs]),
            )
        case ("p", str(name), content, is_text):
            return TempPath(name, None if content is None else decode_arg(content), bool(is_text))
        case ("o", str(type_), equatable):
            return Opaque(type_, bool(equatable))
    message = f"not an encoded term: {plain!r:.80}"
    raise ValueError(message)


def decode_arg(plain: Plain) -> Arg:
    """Like ``decode``, but raises ValueError on an Opaque, which cannot be an argument."""
    shown = decode(plain)
    if isinstance(shown, Opaque):
        message = f"an opaque value cannot be an argument: {shown.type}"
        raise ValueError(message)  # noqa: TRY004
    return shown


def encode_call(call: Call) -> Plain:
    """``call`` as the tuple (kind, name, args, kwargs, then)."""
    return (
        call.kind,
        call.name,
        tuple([encode(arg) for arg in call.args]),
        tuple([(name, encode(arg)) for name, arg in call.kwargs]),
        call.then,
    )


def decode_call(plain: Plain) -> Call:
    """The inverse of ``encode_call``."""
    kind, name, args, kwargs, then = plain
    return Call(
        kind,
        name,
        tuple([decode_arg(arg) for arg in args]),
        tuple([(key, decode_arg(arg)) for key, arg in kwargs]),
        then.removeprefix(SHARING),
    )


def pack_call(call: Call) -> bytes:
    """``call`` as marshalled bytes, by which agents know a Call again without decoding it."""
    return marshal.dumps(encode_call(call), _MARSHAL_VERSION)


def encode_sequence(sequence: Sequence) -> Plain:
    """``sequence`` as a tuple of encoded Calls; the first says if they share an event loop."""
    calls = [encode_call(call) for call in sequence.calls]
    if calls and shares_loop(sequence):
        *first, then = calls[0]
        calls[0] = (*first, SHARING + then)
    return tuple(calls)


def decode_sequence(plain: Plain) -> Sequence:
    """The inverse of ``encode_sequence``."""
    return Sequence(tuple([decode_call(call) for call in plain]))


def decode_outcome(plain: Plain) -> Outcome:
    """The Outcome of the tagged tuple that a worker sends.  Raises ValueError on anything else."""
    match plain:
        case ("ok", value):
            return Returned(None if value is None else decode(value))
        case ("raise", type_, message, inside, line):
            return Raised(type_, message, inside, line)
        case ("reject", event, where):
            return Rejected(event, where)
        case ("exhaust", reason, detail):
            return Exhausted(reason, detail)
    message = f"not an encoded outcome: {plain!r:.80}"
    raise ValueError(message)
