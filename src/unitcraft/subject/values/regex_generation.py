"""Generates texts that match a regular expression, short and readable ones first.

Invariant: ``re.search`` with the same flags matches every text of ``draw_matches``; lengths
and numbers of attempts are bounded, so that no pattern takes long.
"""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

from unitcraft.subject.values.regex_characters import Alphabet
from unitcraft.subject.values.regex_cost import MAX_LENGTH, max_safe_length

MAX_REPEAT: Final = 100  # repetitions of one item, even if the pattern requires more
MAX_ATTEMPTS: Final = 6  # drafts for each text asked for
MAX_PARSED: Final = 512  # patterns whose syntax trees are kept
MAX_PATTERN: Final = 2000  # characters of a pattern; longer ones take long to parse


def draw_matches(
    pattern: str | bytes, flags: int, rng: random.Random, count: int
) -> tuple[Any, ...]:
    """At most ``count`` distinct matching texts, of the pattern's type; () if none is found."""
    compiled, tree = _parse(pattern, flags)
    if compiled is None:
        return ()
    longest = max_safe_length(tree)
    found: dict[str, None] = {}
    writer = _Writer(Alphabet(compiled.flags), rng)
    for attempt in range(MAX_ATTEMPTS * count):
        text = writer.draft(tree, attempt)
        if text not in found and len(text) <= longest and _matches(compiled, text):
            found[text] = None
            if len(found) == count:
                break
    return tuple([_to_type_of(pattern, text) for text in found])


def draw_near_misses(
    pattern: str | bytes, flags: int, rng: random.Random, count: int
) -> tuple[Any, ...]:
    """At most ``count`` texts that do not match but differ from a match by one character."""
    compiled, tree = _parse(pattern, flags)
    if compiled is None:
        return ()
    longest = max_safe_length(tree)
    found: dict[str, None] = {}
    for text in draw_matches(pattern, flags, rng, 2):
        for other in _edits_of_one_character(
            text if isinstance(text, str) else text.decode("latin-1")
        ):
            wanted = len(found) < count and len(other) <= longest
            if wanted and not _matches(compiled, other):
                found[other] = None
    return tuple([_to_type_of(pattern, text) for text in found])


def _edits_of_one_character(text: str) -> list[str]:
    """``text`` with one character dropped, then changed, then one added."""
    cut = [text[:at] + text[at + 1 :] for at in range(len(text) - 1, -1, -1)]
    changed = [text[:at] + "!" + text[at + 1 :] for at in range(len(text))]
    return [*cut[:20], *changed[:20], text + "!", "!" + text]


@lru_cache(maxsize=MAX_PARSED)
def _parse(pattern: str | bytes, flags: int) -> tuple[re.Pattern[Any] | None, Any]:
    if len(pattern) > MAX_PATTERN:
        return None, ()
    flags &= ~int(re.DEBUG)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = re.compile(pattern, flags)
            source = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
            kept = flags & ~int(re.UNICODE) if isinstance(pattern, str) else flags & ~int(re.LOCALE)
            return compiled, parser.parse(source, kept)
    except (re.error, ValueError, OverflowError, RecursionError, TypeError):
        return None, ()


def _to_type_of(pattern: str | bytes, text: str) -> str | bytes:
    return text if isinstance(pattern, str) else text.encode("latin-1", "replace")


def _matches(compiled: re.Pattern[Any], text: str) -> bool:
    return compiled.search(_to_type_of(compiled.pattern, text)) is not None


class _Writer:
    """Writes one draft at a time.

    ``_attempt`` decides the choices, ``_groups`` holds the text of each group of the draft.
    """

    def __init__(self, alphabet: Alphabet, rng: random.Random) -> None:
        self._alphabet = alphabet
        self._rng = rng
        self._attempt = 0
        self._choices = 0
        self._length = 0
        self._groups: dict[int, str] = {}

    def draft(self, tree: Any, attempt: int) -> str:
        """A text that probably matches; the simplest texts come with the first attempts."""
        self._attempt, self._choices, self._length = attempt, 0, 0
        self._groups = {}
        return self._all(tree)

    def _all(self, items: Any) -> str:
        """Text for one item after the other: at first what a person meant between two letters.

        A dot was mostly meant as one, and any text (``vendor_id.*IBM``) as what separates words.
        """
        texts = []
        for at, (op, value) in enumerate(items):
            around = (items[at - 1], items[at + 1]) if 0 < at < len(items) - 1 else ()
            meant = self._attempt == 0 and [one[0] for one in around] == [codes.LITERAL] * 2
            if meant and op is codes.ANY:
                texts.append(".")
            elif meant and _is_any_text(op, value) and all(chr(one[1]).isalnum() for one in around):
                texts.append(" ")
            else:
                texts.append(self._one(op, value))
        return "".join(texts)

    def _one(self, op: Any, value: Any) -> str:
        if self._length > 2 * MAX_LENGTH:
            return ""
        form = _FORMS.get(op)
        text = form(self, value) if form is not None else ""
        if op in _CHARACTERS:
            self._length += 1
        return text

    def _pick(self, count: int) -> int:
        """A number below ``count``: that of the attempt first, later a random one."""
        self._choices += 1
        if count <= 1:
            return 0
        if self._attempt < count and self._choices <= _STEADY_CHOICES:
            return self._attempt
        return self._rng.randrange(count) if self._attempt else 0

    def _literal(self, value: int) -> str:
        return chr(value)

    def _not_literal(self, value: int) -> str:
        return self._alphabet.other_than(chr(value))

    def _any(self, _value: None) -> str:
        return self._alphabet.plain(self._pick(3))

    def _in(self, value: Any) -> str:
        members = self._alphabet.members(value)
        if not members:
            return ""
        return self._member(
            members, self._pick(min(len(members), 6 if members[0].isalnum() else 2))
        )

    def _category(self, value: Any) -> str:
        members = self._alphabet.members([(codes.CATEGORY, value)])
        return self._member(members, self._pick(3)) if members else ""

    def _member(self, members: list[str], at: int) -> str:
        """Number ``at``; of digits alone another for each group, as a month is not the day."""
        if all(map(str.isdigit, members)):
            at += len(self._groups)
        return members[at % len(members)]

    def _branch(self, value: Any) -> str:
        branches = value[1]
        return self._all(branches[self._pick(len(branches))])

    def _subpattern(self, value: Any) -> str:
        group, _, _, items = value
        text = self._all(items)
        if group is not None:
            self._groups[group] = text
        return text

    def _repeat(self, value: Any) -> str:
        low, high, items = value
        high = min(int(high), low + 2, MAX_REPEAT)
        low = min(low, MAX_REPEAT)
        usual = [max(low, 1), low, min(low + 2, high), min(low + 1, high)]
        counts = list(dict.fromkeys([one for one in usual if low <= one <= max(high, low)]))
        return "".join([self._all(items) for _ in range(counts[self._pick(len(counts))])])

    def _groupref(self, value: int) -> str:
        return self._groups.get(value, "")

    def _conditional(self, value: Any) -> str:
        group, then, otherwise = value
        items = then if group in self._groups else otherwise
        return self._all(items) if items else ""

    def _assert(self, value: Any) -> str:
        """Text for a lookbehind, and in every second draft for a lookahead.

        A lookahead at the end of a pattern needs text after it, others must not repeat it.
        """
        direction, items = value
        return self._all(items) if direction < 0 or self._attempt % 2 else ""

    def _atomic(self, value: Any) -> str:
        return self._all(value)


#: Choices of one draft that follow the number of the attempt, so that each branch is drawn.
_STEADY_CHOICES: Final = 12


def _is_any_text(op: Any, value: Any) -> bool:
    """Is it ``.*`` or ``.+``?"""
    return op in (codes.MAX_REPEAT, codes.MIN_REPEAT) and [one[0] for one in value[2]] == [
        codes.ANY
    ]


_CHARACTERS: Final = (codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN, codes.CATEGORY)

_FORMS: Final[Mapping[Any, Callable[[_Writer, Any], str]]] = {
    codes.LITERAL: _Writer._literal,  # noqa: SLF001  (the table belongs to the class)
    codes.NOT_LITERAL: _Writer._not_literal,  # noqa: SLF001
    codes.ANY: _Writer._any,  # noqa: SLF001
    codes.IN: _Writer._in,  # noqa: SLF001
    codes.CATEGORY: _Writer._category,  # noqa: SLF001
    codes.BRANCH: _Writer._branch,  # noqa: SLF001
    codes.SUBPATTERN: _Writer._subpattern,  # noqa: SLF001
    codes.MAX_REPEAT: _Writer._repeat,  # noqa: SLF001
    codes.MIN_REPEAT: _Writer._repeat,  # noqa: SLF001
    codes.POSSESSIVE_REPEAT: _Writer._repeat,  # noqa: SLF001
    codes.ATOMIC_GROUP: _Writer._atomic,  # noqa: SLF001
    codes.GROUPREF: _Writer._groupref,  # noqa: SLF001
    codes.GROUPREF_EXISTS: _Writer._conditional,  # noqa: SLF001
    codes.ASSERT: _Writer._assert,  # noqa: SLF001
}
