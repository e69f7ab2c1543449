"""Subjects as plain tuples that ``marshal`` can carry, and back.

Invariant: decoding an encoded Subject gives an equal one; the decoder makes instances of the
classes listed here only and raises ValueError on anything else.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from unitcraft.core import encoding
from unitcraft.core.outcomes import Opaque
from unitcraft.core.sequences import Build, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.core.types import TypeExpr
from unitcraft.subject.model import (
    CallerValue,
    CaughtError,
    ClassInfo,
    Command,
    CommandOption,
    Constant,
    Example,
    Invocable,
    Parameter,
    ParameterUse,
    Regex,
    Subject,
)

_ARGS: Final = (Const, Ref, Symbol, Display, Source, Build, Opaque)

_RECORDS: Final[dict[str, type]] = {
    cls.__name__: cls
    for cls in (
        CallerValue, CaughtError, ClassInfo, Command, CommandOption, Constant, Example, Invocable,
        Parameter, ParameterUse, Regex, Subject, TypeExpr,
    )
}  # fmt: skip


def encode_subject(subject: Subject) -> encoding.Plain:
    """``subject`` as nested tuples of atoms; a record is ('record', class name, fields)."""
    return encode_record(subject)


def decode_subject(plain: encoding.Plain) -> Subject:
    """The inverse of ``encode_subject``.  Raises ValueError on anything else."""
    found = decode_record(plain)
    if isinstance(found, Subject):
        return found
    message = f"not an encoded subject: {plain!r:.80}"
    raise ValueError(message)


def encode_record(value: Any) -> encoding.Plain:
    """A record, an Arg, a Sequence, a tuple of these, or an atom, as a tagged tuple."""
    if type(value).__name__ in _RECORDS:
        contents = tuple([encode_record(getattr(value, part.name)) for part in fields(value)])
        return ("record", type(value).__name__, contents)
    if isinstance(value, _ARGS):
        return ("arg", encoding.encode(value))
    if isinstance(value, Sequence):
        return ("sequence", encoding.encode_sequence(value))
    if type(value) is tuple:
        return ("tuple", tuple([encode_record(item) for item in value]))
    return ("atom", value)


def decode_record(plain: encoding.Plain) -> Any:
    """The inverse of ``encode_record``.  Raises ValueError on anything else."""
    match plain:
        case ("record", str(name), tuple(contents)) if name in _RECORDS:
            return _RECORDS[name](*[decode_record(item) for item in contents])
        case ("arg", encoded):
            return encoding.decode(encoded)
        case ("sequence", encoded):
            return encoding.decode_sequence(encoded)
        case ("tuple", tuple(items)):
            return tuple([decode_record(item) for item in items])
        case ("atom", atom):
            return atom
    message = f"not an encoded record: {plain!r:.80}"
    raise ValueError(message)
