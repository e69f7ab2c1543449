"""One function each on strings, floats and lists, for the comparison of symbolic engines."""

from __future__ import annotations

#: Digits of a big number.
DIGITS = 4


def setting(line: str) -> str:
    """What kind of line of a settings file ``line`` is.  Raises ValueError on a bad name."""
    line = line.strip()
    if not line or line.startswith("#"):
        return "nothing"
    if line.startswith("[") and line.endswith("]"):
        return "section" if line[1:-1] else "empty section"
    name, sign, value = line.partition("=")
    if not sign:
        return "flag" if name.isalpha() else "broken"
    if not name.rstrip().isidentifier():
        raise ValueError(name)
    value = value.strip().lower()
    if value.isdigit():
        return "number" if len(value) < DIGITS else "big number"
    return "switch" if value in ("yes", "no", "on", "off") else "text"


def triangle(first: float, second: float, third: float) -> str:
    """The kind of a triangle with these sides.  Raises ValueError if there is none."""
    if first <= 0.0 or second <= 0.0 or third <= 0.0:
        raise ValueError("a side is not positive")
    low, middle, high = first, second, third
    if low > middle:
        low, middle = middle, low
    if middle > high:
        middle, high = high, middle
    if low > middle:
        low, middle = middle, low
    if low + middle <= high:
        raise ValueError("the sides do not meet")
    if low == high:
        return "equilateral"
    if middle in (low, high):
        return "isosceles"
    return "flat" if low * low + middle * middle < high * high else "sharp"


def merged(first: list[int], second: list[int]) -> list[int]:
    """Two ascending lists as one."""
    result: list[int] = []
    left = right = 0
    while left < len(first) and right < len(second):
        if first[left] <= second[right]:
            result.append(first[left])
            left += 1
        else:
            result.append(second[right])
            right += 1
    return result + first[left:] + second[right:]
