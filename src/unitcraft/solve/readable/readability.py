"""Readability: an order on values by how hard they are to read, and readable values to offer.

Invariant: ``burden`` orders the values of one kind; the offers of a kind are in its order.
"""

from __future__ import annotations

import math
from typing import Any, Final

from unitcraft.symbolic.terms.term import Kind

#: First part of the burden of NaN, infinities and huge ints: more than that of any other number.
_UNUSUAL: Final = 1_000

#: Third part of the burden of 0 (that of n is 2n): it stands after 1, 2 and 3.
_ZERO: Final = 7

#: Characters of a text that are looked at; of later ones only the number counts.
_MAX_READ: Final = 1_000

#: Characters that read well in a text.
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def burden(value: Any) -> tuple[int, ...]:
    """How hard ``value`` is to read; compare values of one kind only."""
    if isinstance(value, int):
        return _of_int(value)
    if isinstance(value, float):
        return _of_float(value)
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    return _of_text(text)


def _of_int(value: int) -> tuple[int, ...]:
    """Few digits (trailing zeros count half), then positive, then small."""
    size = abs(value)
    if size.bit_length() > _UNUSUAL:
        return (_UNUSUAL, value < 0, size.bit_length())
    digits = str(size)
    weight = len(digits) + len(digits.rstrip("0") or "0")
    return (weight, value < 0, 2 * size or _ZERO)


def _of_float(value: float) -> tuple[int, ...]:
    if not math.isfinite(value):
        return (_UNUSUAL, value < 0, math.isnan(value))
    if value.is_integer() and abs(value) < 1e15:  # noqa: PLR2004 - written without exponent
        return (*_of_int(int(value)), math.copysign(1.0, value) < 0)
    digits = repr(abs(value))
    return (1 + len(digits.replace(".", "").strip("0")) + ("e" in digits), value < 0, len(digits))


def _of_text(text: str) -> tuple[int, ...]:
    """First the odd characters, then those beyond three, then all but lower-case letters."""
    start = text[:_MAX_READ]
    odd = sum(0 if one.isascii() and (one.isalnum() or one == " ") else 1 for one in start)
    unlike = sum(one not in _LETTERS for one in start)
    repeated = len(text) - len(dict.fromkeys(start)) if len(text) > 1 else 0
    return (odd, max(len(text) - 3, 0), unlike, repeated, not text, len(text))


READABLE_VALUES: Final[dict[Kind, tuple[Any, ...]]] = {
    "int": tuple(sorted([*range(-12, 21), 25, 30, 50, 100, 200, 500, 1000, -20, -100], key=burden)),
    "float": tuple(sorted(
        [0.5, 1.0, 1.5, 2.0, 2.5, 0.0, 0.25, 3.0, 5.0, 10.0, 100.0, -1.0, -0.5, -2.5, 1000.0],
        key=burden,
    )),
    "str": ("a", "b", "c", "ab", "bc", "abc", "A", "1", "12", "a1", "Ab", "hello", "", " "),
    "bytes": (b"a", b"b", b"c", b"ab", b"abc", b"A", b"1", b"12", b""),
}  # fmt: skip


def shorter_texts(text: Any) -> list[Any]:
    """Texts a little easier than ``text``: halves, one character less, one character replaced."""
    size = len(text)
    letter = b"a" if isinstance(text, bytes) else "a"
    halves = [text[: size // 2], text[size // 2 :]] if size > 2 else []  # noqa: PLR2004
    places = range(min(size, 16))
    dropped = [text[:at] + text[at + 1 :] for at in places]
    plainer = [text[:at] + letter + text[at + 1 :] for at in places]
    return [*halves, *dropped, *plainer, text.lower()]


def rounded_floats(value: float) -> list[float]:
    """Floats near ``value`` with fewer digits, the fewest first."""
    if not math.isfinite(value):
        return []
    return [round(value, digits) for digits in range(-2, 7)]
