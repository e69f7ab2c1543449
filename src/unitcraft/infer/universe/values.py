"""Values by number: arguments and results of calls, exceptions among them.

Invariant: two values have one number only if they have the same class and are equal; a value
that holds a NaN has a number of its own each time, so that it equals nothing.
"""

from __future__ import annotations

import marshal
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from unitcraft.core.call_text import arg_text
from unitcraft.core.encoding import decode, encode
from unitcraft.core.outcomes import Opaque, ResultValue
from unitcraft.core.sequences import Arg, Build, Const, Display, Symbol, children
from unitcraft.execute.guest.stdlib_reprs import STDLIB_REPRS

#: Items of a container from which on it stands for nothing: more than the longest history makes.
MAX_ITEMS: Final = 150
#: The value of a term is missing: a call inside it raised, or its value cannot be compared.
UNDEFINED: Final = -1
#: The value of a term is not known: its run was ended, or was not meant.
UNKNOWN: Final = -2
#: The outcome of a call that raised nothing, among the names of exceptions.
RETURNED: Final = "nothing"


class NoPlainValue(Exception):  # noqa: N818 - a signal, not an error
    """The Arg stands for no value of builtin types."""


class Values:
    """Numbers of values (mutable: it grows)."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._args: list[Arg | None] = []
        self._raised: dict[int, str] = {}
        self._scalars: dict[object, int] = {}
        #: What was computed of two values by an operator.
        self.computed: dict[tuple[str, int, int], int] = {}
        self._plain: dict[int, tuple[Any, ...]] = {}

    def of_arg(self, arg: ResultValue) -> int:
        """The number of ``arg``; UNDEFINED for an Opaque or a container that may be cut off."""
        if isinstance(arg, Opaque) or (isinstance(arg, Display) and len(arg.items) >= MAX_ITEMS):
            return UNDEFINED
        if _holds_nan(arg):
            return self._new(arg)
        key = marshal.dumps(encode(_canonical(arg)), 2)
        if key not in self._numbers:
            self._numbers[key] = self._new(arg)
        return self._numbers[key]

    def of_encoded(self, plain: Any) -> int:
        """The number of an encoded value."""
        return self.of_arg(decode(plain))

    def of_raise(self, name: str) -> int:
        """The number of the outcome that an exception of class ``name`` was raised."""
        key = b"raised " + name.encode()
        if key not in self._numbers:
            number = self._numbers[key] = self._new(None)
            self._raised[number] = name
        return self._numbers[key]

    def of_plain(self, value: Any) -> int:
        """The number of a value of builtin types; UNDEFINED for any other."""
        scalar = (type(value), value) if type(value) in _SCALARS else None
        if scalar is None and type(value) in _CONTAINERS and not value:
            scalar = (type(value), None)
        number = self._scalars.get(scalar)
        if number is None:
            try:
                number = self.of_arg(arg_of_plain(value))
            except NoPlainValue:
                return UNDEFINED
            if scalar is not None:
                self._scalars[scalar] = number
        return number

    def arg(self, number: int) -> Arg:
        """The Arg of a value that is no exception."""
        found = self._args[number]
        if found is None:
            message = f"value {number} is an exception"
            raise LookupError(message)
        return found

    def raised(self, number: int) -> str:
        """The class of the exception that ``number`` stands for; '' for a value."""
        return self._raised.get(number, "")

    def raised_as(self, name: str) -> int:
        """The number of the exception of a class of that name, with or without its module."""
        for number, cls in self._raised.items():
            if name in (cls, cls.rpartition(":")[2]):
                return number
        return self.of_raise(name)

    def kind(self, number: int) -> object:
        """What kind of value it is: a builtin class, or how it is made."""
        arg = self._args[number]
        if isinstance(arg, Const):
            return type(arg.value)
        if isinstance(arg, Symbol):
            return (arg.module, arg.qualname.rpartition(".")[0])
        if isinstance(arg, Build) and (known := _number_of(arg)) is not None:
            return type(known)
        return arg.kind if isinstance(arg, Display) else getattr(arg, "callee", arg)

    def is_name(self, number: int) -> bool:
        """Is it a member of an enumeration, or another value that is written as its name?"""
        return number >= 0 and isinstance(self._args[number], Symbol)

    def named(self, text: str) -> int | None:
        """The number of the value that is written as ``text``: a name, or a number that is made.

        None if none was seen.
        """
        return next(
            (number for number, arg in enumerate(self._args)
             if (isinstance(arg, Symbol) and arg.qualname == text)
             or (isinstance(arg, Build) and _number_of(arg) is not None and arg_text(arg) == text)),
            None,
        )  # fmt: skip

    def is_integer(self, number: int) -> bool:
        """Is the value an integer, and no truth value?"""
        return type(getattr(self._args[number], "value", None)) is int

    def is_nan(self, number: int) -> bool:
        """Does the value hold a NaN?"""
        arg = self._args[number] if number >= 0 else None
        return arg is not None and _holds_nan(arg)

    def plain(self, number: int) -> Any:
        """The value itself.  Raises NoPlainValue when it is not of builtin types."""
        known = self._plain.get(number)
        if known is None:
            arg = self._args[number] if number >= 0 else None
            try:
                known = (plain_of_arg(arg),) if arg is not None else ()
            except NoPlainValue:
                known = ()
            self._plain[number] = known
        if not known:
            raise NoPlainValue
        return known[0]

    def _new(self, arg: Arg | None) -> int:
        self._args.append(arg)
        return len(self._args) - 1


def plain_of_arg(arg: Arg) -> Any:
    """The value of a Const, a number of the standard library, or a Display of such.

    Raises NoPlainValue on others.
    """
    if isinstance(arg, Build) and (known := _number_of(arg)) is not None:
        return known
    if isinstance(arg, Const):
        return arg.value
    if isinstance(arg, Display):
        items = [plain_of_arg(item) for item in arg.items]
        try:
            if arg.kind == "dict":
                return dict(zip(items[::2], items[1::2], strict=True))
            return _BUILTINS[arg.kind](items)
        except TypeError:
            raise NoPlainValue from None
    raise NoPlainValue


def _number_of(arg: Build) -> Any:
    """The Decimal, Fraction or timedelta that ``arg`` makes; None for any other object."""
    cls = _STDLIB_NUMBERS.get((arg.callee.module, arg.callee.qualname))
    args = [one.value for one in arg.args if isinstance(one, Const)]
    kwargs = {name: one.value for name, one in arg.kwargs if isinstance(one, Const)}
    if cls is None or len(args) + len(kwargs) < len(arg.args) + len(arg.kwargs):
        return None
    try:
        return cls(*args, **kwargs)
    except (ArithmeticError, TypeError, ValueError):
        return None


def is_signal(arg: Arg) -> bool:
    """Is it a Decimal that is no number?  Even to compare it raises."""
    number = _number_of(arg) if isinstance(arg, Build) else None
    return isinstance(number, Decimal) and not number.is_finite()


def _canonical(arg: ResultValue) -> ResultValue:
    """Equal numbers of one class, which may be written in several ways, as one."""
    number = _number_of(arg) if isinstance(arg, Build) else None
    if isinstance(number, Decimal):
        number = number.normalize() if number else Decimal(0)
    return arg if number is None else arg_of_plain(number)


#: Numbers of the standard library, by where they are: what is computed of them is exact.
_STDLIB_NUMBERS: Final[dict[tuple[str, str], Any]] = {
    (cls.__module__, cls.__qualname__): cls for cls in (Decimal, Fraction, timedelta)
}
#: Classes of numbers, which have an order and sums.
NUMBERS: Final[frozenset[type]] = frozenset({int, float, Decimal, Fraction, timedelta})

#: Types of values that are looked up most; of floats some are equal that are written differently.
_SCALARS: Final = frozenset({bool, int, str, type(None)})
_BUILTINS: Final[dict[str, Any]] = {
    "list": list, "tuple": tuple, "set": set, "frozenset": frozenset
}  # fmt: skip
_CONTAINERS: Final = frozenset({dict, *_BUILTINS.values()})


def arg_of_plain(value: Any) -> Arg:
    """The Arg of a value of builtin types.  Raises NoPlainValue on others."""
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        return Const(value)
    if type(value) in _STDLIB_NUMBERS.values():
        known = STDLIB_REPRS[type(value)]
        args, kwargs = known.parts(value)
        named = tuple((name, Const(each)) for name, each in kwargs)
        return Build(known.symbol, tuple(map(Const, args)), named)
    if type(value) is dict:
        parts = [arg_of_plain(part) for pair in value.items() for part in pair]
        return Display("dict", tuple(parts))
    kind = type(value).__name__
    if kind not in _BUILTINS:
        raise NoPlainValue
    items = [arg_of_plain(item) for item in value]
    if kind in ("set", "frozenset"):
        items.sort(key=repr)
    return Display(kind, tuple(items))  # type: ignore[arg-type]


def _holds_nan(arg: Arg) -> bool:
    number = _number_of(arg) if isinstance(arg, Build) else None
    if number is not None:
        return bool(number != number)  # noqa: PLR0124 - a NaN
    if isinstance(arg, Const):
        return arg.value != arg.value
    return any(map(_holds_nan, children(arg)))
