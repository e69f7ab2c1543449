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

from unitcraft.core.sequences import Arg, Build, Const, Display

#: Digits of a number from which on it looks as if it meant something.
MIN_DIGITS: Final = 3
#: What such a number costs beside its digits, in characters: more than a digit or two of a number
#: that the code has.
ODD_NUMBER_BURDEN: Final = 4
#: The largest number that a person writes for want of anything better, and what one of as few
#: digits costs that is larger.
MAX_TYPICAL: Final = 3
OTHER_NUMBER_BURDEN: Final = 1
#: What a number costs as a key: more than a text of one letter, which is longer.
NUMBER_KEY_BURDEN: Final = 8
#: Numbers of the code that are tried for one argument, with their neighbours three times as many.
MAX_NUMBERS: Final = 2


def burden_of_numbers(arg: Arg, known: Collection[int]) -> int:
    """What the numbers in ``arg`` cost that are neither round nor beside one of ``known``.

    And those that are keys where the code knows none.
    """
    if isinstance(arg, Build):
        given = (*arg.args, *[one for _, one in arg.kwargs])
        return sum(burden_of_numbers(one, known) for one in given)
    if isinstance(arg, Display):
        keys = arg.items[::2] if arg.kind == "dict" else ()
        counted = [isinstance(one, Const) and type(one.value) is int for one in keys]
        inside = sum(burden_of_numbers(one, known) for one in arg.items)
        return inside + NUMBER_KEY_BURDEN * sum(counted)
    value = arg.value if isinstance(arg, Const) else None
    if type(value) is not int or abs(value) <= MAX_TYPICAL:
        return 0
    return ODD_NUMBER_BURDEN if _is_odd(value, known) else OTHER_NUMBER_BURDEN


def common_numbers(arg: Arg, known: Iterable[int]) -> Iterator[Arg]:
    """The numbers of ``known`` nearest to ``arg`` in size, those beside them, and round ones.

    In place of one of few digits the smallest are tried.
    """
    value = arg.value if isinstance(arg, Const) else None
    if type(value) is not int or not _is_large(value):
        small = type(value) is int and abs(value) > MAX_TYPICAL
        yield from map(Const, range(1, MAX_TYPICAL)) if small else ()
        return
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


def _is_odd(value: int, known: Collection[int]) -> bool:
    if not _is_large(value) or not str(abs(value))[1:].strip("0"):
        return False
    return not any(value + step in known for step in (0, 1, -1))
