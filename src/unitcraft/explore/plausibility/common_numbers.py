"""Numbers that a reader finds in the code, or that are round, in place of those a search met.

A search that needs a number above a bound takes the first one that it meets; a reader who finds
2147 in a test and 999 in the next asks what they mean.

Invariant: a number of few digits is never odd; a proposed number is one of the code, beside one, or
round.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Final

from unitcraft.core.sequences import Arg, Const, Display

#: Digits of a number from which on it looks as if it meant something.
MIN_DIGITS: Final = 3
#: What such a number costs beside its digits, in characters: more than a digit or two of a number
#: that the code has.
ODD_NUMBER_BURDEN: Final = 4
#: Numbers of the code that are tried for one argument, with their neighbours three times as many.
MAX_NUMBERS: Final = 2


def burden_of_numbers(arg: Arg, known: Collection[int]) -> int:
    """What the numbers in ``arg`` cost that are neither round nor beside one of ``known``."""
    if isinstance(arg, Display):
        return sum(burden_of_numbers(one, known) for one in arg.items)
    return ODD_NUMBER_BURDEN * (isinstance(arg, Const) and _is_odd(arg.value, known))


def common_numbers(arg: Arg, known: Iterable[int]) -> Iterator[Arg]:
    """The numbers of ``known`` nearest to ``arg`` in size, those beside them, and round ones."""
    if not isinstance(arg, Const) or not _is_large(arg.value):
        return
    value = arg.value
    assert isinstance(value, int)  # noqa: S101 - large ones are
    digits = len(str(abs(value)))
    alike = [one for one in known if _is_large(one) and (one < 0) == (value < 0)]
    alike.sort(key=lambda one: abs(len(str(abs(one))) - digits))
    for number in islice(alike, MAX_NUMBERS):
        yield from (Const(one) for one in (number, number + 1, number - 1) if one != value)
    unit = 10 ** (digits - 1)
    near = value // unit * unit
    yield from (Const(one) for one in (near + unit, near) if one != value)


def _is_large(value: object) -> bool:
    return type(value) is int and abs(value) >= 10 ** (MIN_DIGITS - 1)


def _is_odd(value: object, known: Collection[int]) -> bool:
    if type(value) is not int or not _is_large(value) or not str(abs(value))[1:].strip("0"):
        return False
    return not any(value + step in known for step in (0, 1, -1))
