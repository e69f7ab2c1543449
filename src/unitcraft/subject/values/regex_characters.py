"""Readable members of the character classes of regular expressions.

Invariant: every character offered is in the class; lower-case letters come first, then digits
from 1, then the rest of printable ASCII, then a few characters beyond ASCII.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from re import _constants as codes  # type: ignore[attr-defined]
from typing import Any, Final

_READABLE: Final = (
    string.ascii_lowercase
    + "1234567890"
    + string.ascii_uppercase
    + " _-.@,/:;+=#%&*!?'\"()[]{}<>|~^$\\`"
    "\t\n\r\x0b\x0c"
)
_BEYOND: Final = "éßñΩж中\u00a0\x00\x01\x7f"

_CATEGORIES: Final = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


MAX_CLASSES: Final = 500  # character classes in the cache; it is emptied when full

#: (flags, text of the parsed class) -> its readable members.
_MEMBERS: Final[dict[tuple[int, str], list[str]]] = {}


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Characters as the ``flags`` of a compiled pattern define their classes."""

    flags: int

    def plain(self, at: int) -> str:
        """A character for the dot."""
        return "ab1"[at % 3]

    def other_than(self, char: str) -> str:
        """A readable character that is not ``char``, in either case."""
        return "b" if char in "aA" else "a"

    def members(self, items: Any) -> list[str]:
        """Readable characters of a class; those beyond ASCII only if there are no others."""
        key = (self.flags & re.ASCII, repr(items))
        known = _MEMBERS.get(key)
        if known is None:
            if len(_MEMBERS) >= MAX_CLASSES:
                _MEMBERS.clear()
            known = _MEMBERS[key] = self._members(items)
        return known

    def _members(self, items: Any) -> list[str]:
        negated = bool(items) and items[0][0] is codes.NEGATE
        inner = items[1:] if negated else items
        for alphabet in (_READABLE, _BEYOND):
            found = [char for char in alphabet if self._in_class(char, inner) is not negated]
            if found:
                return _heads_first(found, inner, negated=negated)
        return [] if negated else [_first(op, value) for op, value in inner][:1]

    def accepts(self, char: str, items: Any) -> bool:
        """Is ``char`` in the class, negated or not?"""
        negated = bool(items) and items[0][0] is codes.NEGATE
        return self._in_class(char, items[1:] if negated else items) is not negated

    def _in_class(self, char: str, items: Any) -> bool:
        return any(self._in_item(char, op, value) for op, value in items)

    def _in_item(self, char: str, op: Any, value: Any) -> bool:
        if op is codes.LITERAL:
            return bool(ord(char) == value)
        if op is codes.RANGE:
            return bool(value[0] <= ord(char) <= value[1])
        if op is codes.CATEGORY:
            return re.match(_CATEGORIES[value], char, self.flags & re.ASCII) is not None
        return False


def _heads_first(found: list[str], items: Any, *, negated: bool) -> list[str]:
    """The first member of each item of the class, then the others: ``[a-z0-9_]`` gives a, 1, _."""
    if negated:
        return found
    heads = []
    for op, value in items:
        fitting = [char for char in found if Alphabet(0)._in_item(char, op, value)]  # noqa: SLF001
        heads += fitting[:1]
    return list(dict.fromkeys([*heads, *found]))


def _first(op: Any, value: Any) -> str:
    if op is codes.RANGE:
        return chr(value[0])
    return chr(value) if op is codes.LITERAL else "a"
