"""Bounds the length of texts so that matching them against a pattern stays cheap.

Invariant: the cost is over-estimated: matching may be polynomial in the length for a pattern
called safe, but never exponential.
"""

from __future__ import annotations

from collections.abc import Iterator
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

from unitcraft.subject.values.regex_characters import Alphabet

MAX_LENGTH: Final = 120  # characters of a text for a safe pattern
SAFE_LENGTH: Final = 16  # characters of a text for a pattern with exponential backtracking
MAX_WILD: Final = 3  # unbounded repeats of a dot; more make backtracking too costly

_PARTS: Final = 3  # parts of a parsed repeat: minimum, maximum, items


def max_safe_length(tree: Any) -> int:
    """The greatest length of a text that is cheap to match against a parsed pattern."""
    repeats = list(_unbounded_repeats(tree, None))
    wild = sum(_is_wild(items) for items, _ in repeats)
    nested = any(
        around is not None and not _is_separated(items, around) for items, around in repeats
    )
    return SAFE_LENGTH if nested or wild > MAX_WILD else MAX_LENGTH


def _unbounded_repeats(node: Any, around: Any) -> Iterator[tuple[Any, Any]]:
    """(items, items of the unbounded repeat around it or None) of each unbounded repeat."""
    if isinstance(node, tuple) and len(node) == _PARTS and node[1] is codes.MAXREPEAT:
        yield node[2], around
        around = node[2]
    if isinstance(node, list | tuple | parser.SubPattern):
        for part in node:
            yield from _unbounded_repeats(part, around)


def _is_wild(items: Any) -> bool:
    return len(items) == 1 and items[0][0] in (codes.ANY, codes.NOT_LITERAL)


def _is_separated(items: Any, around: Any) -> bool:
    """Does the outer repeat require a character that the inner repeat cannot match?"""
    return any(not _can_match(items, value) for value in _required_characters(around))


def _required_characters(items: Any) -> Iterator[int]:
    for op, value in items:
        if op is codes.LITERAL:
            yield value
        elif op is codes.SUBPATTERN:
            yield from _required_characters(value[3])


def _can_match(items: Any, code: int) -> bool:
    for op, value in items:
        if op in (codes.LITERAL, codes.IN, codes.CATEGORY):
            members = value if op is codes.IN else [(op, value)]
            if not Alphabet(0).accepts(chr(code), members):
                continue
        return True
    return False
