"""Branches that no guess reaches: each needs values that satisfy several conditions at once."""

from __future__ import annotations


def triangle(a: int, b: int, c: int) -> str:
    """The kind of a triangle with whole sides."""
    if a <= 0 or b <= 0 or c <= 0 or a + b <= c or a + c <= b or b + c <= a:
        return "none"
    if a * a + b * b == c * c and a + b + c > 80:
        return "great right"
    return "some"


def vault(code: int, turn: int) -> str:
    """Opens for one relation between two numbers."""
    if 3 * code + 7 * turn == 100_003 and code > 3 * turn:
        return "open"
    return "shut"


def checksum(text: str) -> bool:
    """Do the first four digits add up to the last two?"""
    if len(text) != 6 or not text.isdigit():
        return False
    return sum(int(digit) for digit in text[:4]) == int(text[4:]) and text[0] == "9"


def tariff(weight: float, zone: int) -> str:
    """Bands that meet at odd limits."""
    if zone * 4 - 3 == 1237 and weight * 8 > 1000.5 and weight < 126:
        return "special"
    return "plain"


def command(line: str) -> str:
    """A small language."""
    verb, _, rest = line.strip().partition(" ")
    if verb.lower() == "move" and rest.startswith("0x"):
        if int(rest, 16) == 48879:
            return "beef"
        return "moved"
    return "unknown"


class Meter:
    """Counts in steps; an alarm needs an exact history."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.total = 0

    def add(self, amount: int) -> None:
        """Add what is positive."""
        if amount > 0:
            self.total += amount

    def alarm(self) -> bool:
        """Is the total seven beyond twice a large limit?"""
        return self.limit > 5000 and self.total == 2 * self.limit + 7
