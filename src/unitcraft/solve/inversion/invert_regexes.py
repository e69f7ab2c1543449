"""Inversion of regular expressions: texts drawn from the pattern, with a wanted group put in.

Invariant: as for every rule, suggestions only; the draw depends on the pattern alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from unitcraft.core.randomness import seeded_random
from unitcraft.solve.inversion.inversion_rules import MISSING, Rule
from unitcraft.solve.inversion.invert_texts import plain_character
from unitcraft.subject.values.regex_generation import draw_matches, draw_near_misses

#: Texts drawn from one regular expression.
_MAX_DRAWN: Final = 8

#: Patterns whose texts are remembered; a bound of memory.
_MAX_REMEMBERED: Final = 500

#: Which argument of re.match and its kin is the text: (pattern, flags, text).
_TEXT: Final = 2


@dataclass(frozen=True, slots=True)
class _Groups:
    """The wanted value of a match: one that has these texts for these groups."""

    texts: tuple[tuple[int | str, Any], ...]


@lru_cache(maxsize=_MAX_REMEMBERED)
def _draw_matching(pattern: Any, flags: int) -> tuple[Any, ...]:
    """Texts that match."""
    return draw_matches(pattern, flags, seeded_random(0, "solve", repr(pattern)), _MAX_DRAWN)


@lru_cache(maxsize=_MAX_REMEMBERED)
def _draw_near(pattern: Any, flags: int) -> tuple[Any, ...]:
    """Texts that nearly match."""
    return draw_near_misses(pattern, flags, seeded_random(0, "solve", repr(pattern)), _MAX_DRAWN)


def _matching(name: str) -> Rule:
    def rule(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
        if position != _TEXT:
            return []
        pattern, flags, present = args[:3]
        if wanted is None or wanted is False:
            return [
                *_draw_near(pattern, flags),
                plain_character(pattern)[:0],
                plain_character(pattern),
            ]
        drawn = _draw_matching(pattern, flags)
        if not isinstance(wanted, _Groups):
            return drawn
        texts = drawn if present is MISSING else (present, *drawn)
        search = getattr(re.compile(pattern, flags), name)
        return [_put(search, text, wanted.texts) for text in texts if search(text)]

    return rule


def _put(search: Any, text: Any, texts: Iterable[tuple[int | str, Any]]) -> Any:
    """``text`` with groups of its match replaced, one after the other."""
    for group, wanted in texts:
        match = search(text)
        if match is not None and match.start(group) >= 0 and wanted is not None:
            text = text[: match.start(group)] + wanted + text[match.end(group) :]
    return text


def _group(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    if position:
        return []
    if not isinstance(wanted, (str, bytes)):
        return [None] if wanted is MISSING else [True]
    return [_Groups(((args[1] if len(args) > 1 else 0, wanted),))]


def _groups(position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    if position:
        return []
    return [_Groups(tuple(enumerate(wanted, start=1)))] if isinstance(wanted, tuple) else [True]


def _drawn(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    """The rule of findall, split and sub: texts with a match, or the wanted text itself."""
    at = _TEXT + 1 if len(args) > _TEXT + 1 and isinstance(args[_TEXT], (str, bytes)) else _TEXT
    if position not in (at, _TEXT):
        return []
    plain = [wanted] if isinstance(wanted, (str, bytes)) else []
    drawn = _draw_matching(args[0], args[1])
    joined = (
        [drawn[0][:0].join(drawn[:2]), plain_character(drawn[0]).join(drawn[:3])] if drawn else []
    )
    return [*plain, *drawn, *joined, plain_character(args[0])]


REGEXES: Final[dict[str, Rule]] = {
    **{f"re.{name}": _matching(name) for name in ("match", "fullmatch", "search")},
    **{f"re.{name}": _drawn for name in ("findall", "split", "sub")},
    "Match.group": _group, "Match.groups": _groups,
}  # fmt: skip
