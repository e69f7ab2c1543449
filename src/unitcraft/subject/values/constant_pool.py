"""Numbers and texts of the code, nearest scope first, merged with default values.

Invariant: for one Subject and scope the order never changes.

Source: SEEDING; simplified: constants of the source in a fixed order, without a probability.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

from unitcraft.core.randomness import seeded_random
from unitcraft.core.sequences import Arg, Atom, Const
from unitcraft.subject.model import Regex, Subject
from unitcraft.subject.values import default_values
from unitcraft.subject.values.container_values import interleave
from unitcraft.subject.values.regex_generation import draw_matches, draw_near_misses
from unitcraft.subject.values.texts.table_texts import moment_in

FIRST_DEFAULTS: Final = 3  # default values before the code's constants; doubled: within noise
DRAWS_PER_REGEX: Final = 4  # matching texts drawn from one regex
MAX_NUMBER: Final = 10**12  # absolute value; greater constants are masks and moduli

MAX_TOKENS: Final = 120  # texts or numbers for variations; further ones are seldom picked
MAX_TOKEN: Final = 24  # characters; longer literals are mostly messages

MAX_CALL_DEPTH: Final = 4  # levels of callees whose constants count as near
MAX_PACKED: Final = 6  # packed numbers that stand before other bytes
FIRST_FIELD: Final = 5  # the number in a first field: no length, flag or version that is common
#: A format of ``struct`` that says in which order bytes stand.
_FORMAT: Final = re.compile(r"[<>!=](?:\d?[bBhHiIlLqQx])+")
_FAR: Final = 4  # the distance of a scope without relation

#: Roles of texts by which something is looked up.
_LOOKED_UP: Final = ("key", "keyword", "member", "compare")
#: Roles whose constants come before those of other roles at the same distance.
_USEFUL_ROLES: Final = ("compare", "member", "key", "default")


class ConstantPool:
    """The constants and regexes of the Subject's code, by scope (mutable: caches)."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._drawn: dict[int, tuple[Arg, ...]] = {}
        self._callees: dict[str, frozenset[str]] = {}
        self._split: dict[tuple[str, object], tuple[list[Atom], list[Atom]]] = {}

    def ints(self, scope: str) -> Iterator[Arg]:
        """Integers: some defaults, the scope's constants with their neighbours, then the others."""
        near_, far = self._near_and_far(scope, int)
        first = [_neighbours(value) for value in near_]
        others = [value for value in far if isinstance(value, int) and abs(value) < MAX_NUMBER]
        return _atoms(
            default_values.INTS[:FIRST_DEFAULTS],
            chain(*first),
            default_values.INTS[FIRST_DEFAULTS:8],
            others,
            default_values.INTS[8:],
            *[_neighbours(value)[1:] for value in others],
        )

    def floats(self, scope: str) -> Iterator[Arg]:
        """Floats in the order of ``ints``; integer constants count as floats."""
        near_, far = self._near_and_far(scope, (int, float))
        first = [_neighbours(value) for value in _as_floats(near_)]
        others = _as_floats(far)
        return _atoms(
            default_values.FLOATS[:FIRST_DEFAULTS],
            chain(*first),
            default_values.FLOATS[FIRST_DEFAULTS:7],
            others,
            default_values.FLOATS[7:],
        )

    def texts(self, scope: str) -> Iterator[Arg]:
        """Texts: defaults, of the scope, drawn from regexes, then the others."""
        near_, far = self._near_and_far(scope, str)
        inner, outer = self._regexes(scope, str)
        moments = [[*filter(None, map(moment_in, part))] for part in (near_, far)]
        yield from _atoms(default_values.TEXTS[:FIRST_DEFAULTS], moments[0])
        yield from interleave([_atoms(near_), *[self._draws(one) for one in inner]])
        yield from _atoms(
            chain(*[_variants(text) for text in near_]), default_values.TEXTS[FIRST_DEFAULTS:8]
        )
        yield from interleave([self._draws(one)[:1] for one in outer])
        yield from _atoms(moments[1], far)
        yield from interleave([self._draws(one)[1:] for one in outer])
        yield from _atoms(default_values.TEXTS[8:])
        yield from _atoms(chain(*[_variants(text) for text in far]))

    def byte_strings(self, scope: str) -> Iterator[Arg]:
        """Bytes: defaults, of the code, drawn from regexes, and the code's texts encoded."""
        near_, far = self._near_and_far(scope, bytes)
        inner, outer = self._regexes(scope, bytes)
        texts = [text for part in self._near_and_far(scope, str) for text in part]
        packed = dict.fromkeys(filter(None, map(packed_fields, texts)))
        yield from _atoms(list(packed)[:MAX_PACKED], default_values.BYTE_STRINGS[:FIRST_DEFAULTS])
        yield from _atoms(near_)
        yield from interleave([self._draws(one) for one in (*inner, *outer)])
        yield from _atoms(far, default_values.BYTE_STRINGS[FIRST_DEFAULTS:])
        texts, _ = self._near_and_far(scope, str)
        yield from _atoms([text.encode() for text in texts if isinstance(text, str)])

    def tokens(self, scope: str) -> tuple[str, ...]:
        """Short texts of the code and texts drawn from its regexes, nearest scope first."""
        near_, far = self._near_and_far(scope, str)
        inner, _ = self._regexes(scope, str)
        drawn = [arg.value for at in inner for arg in self._draws(at) if isinstance(arg, Const)]
        near = [one for one in near_ if isinstance(one, str) and len(one) <= MAX_TOKEN]
        others = [one for one in far if isinstance(one, str) and len(one) <= MAX_TOKEN]
        whole = [one for one in drawn if isinstance(one, str)]
        return tuple(dict.fromkeys(filter(None, [*near, *whole, *others])))[:MAX_TOKENS]

    def drawn(self, pattern: str) -> tuple[Arg, ...]:
        """Texts drawn from the Subject's regex ``pattern``; () if it is none."""
        for at, one in enumerate(self._subject.regexes):
            if one.pattern == pattern:
                return self._draws(at)
        return ()

    def keys(self, scope: str) -> tuple[str, ...]:
        """Texts that are looked up or look like names, nearest scope first.

        Names of special methods are the interpreter's: ``hasattr`` asks for them.
        """
        looked_up = {one.value for one in self._subject.constants if one.role in _LOOKED_UP}
        found = [one for one in self.tokens(scope) if not (one[:2] == one[-2:] == "__")]
        first = [one for one in found if one in looked_up]
        return tuple(dict.fromkeys([*first, *[one for one in found if one.isidentifier()]]))

    def numbers(self, scope: str) -> tuple[int, ...]:
        """Integers of the code, nearest scope first."""
        near_, far = self._near_and_far(scope, int)
        found = [one for one in (*near_, *far) if type(one) is int and abs(one) < MAX_NUMBER]
        return tuple(dict.fromkeys(found))[:MAX_TOKENS]

    def _near_and_far(
        self, scope: str, kinds: type | tuple[type, ...]
    ) -> tuple[list[Atom], list[Atom]]:
        """(constants of the scope and its callees, all others), nearest and best role first."""
        if (scope, kinds) not in self._split:
            self._split[scope, kinds] = self._split_constants(scope, kinds)
        return self._split[scope, kinds]

    def _split_constants(
        self, scope: str, kinds: type | tuple[type, ...]
    ) -> tuple[list[Atom], list[Atom]]:
        places: list[list[Atom]] = [[] for _ in range(_FAR + 1)]
        distance = self._distances(scope)
        for useful in (True, False):
            for one in self._subject.constants:
                if (one.role in _USEFUL_ROLES) is useful and isinstance(one.value, kinds):
                    places[distance(one.scope)].append(one.value)
        return [*places[0], *places[1]], [value for place in places[2:] for value in place]

    def _regexes(self, scope: str, kind: type) -> tuple[list[int], list[int]]:
        """Indexes of regexes of the scope and its callees, and of the others."""
        split: tuple[list[int], list[int]] = ([], [])
        distance = self._distances(scope)
        for at, one in enumerate(self._subject.regexes):
            if isinstance(one.pattern, kind):
                split[distance(one.scope) > 1].append(at)
        return split

    def _distances(self, asked: str) -> Callable[[str], int]:
        """0: the scope itself; 1: what it calls; 2: its class; 3: the module; 4: elsewhere."""
        if asked not in self._callees:
            self._callees[asked] = frozenset(_called_scopes(asked, dict(self._subject.calls)))
        called = self._callees[asked]

        def distance(scope: str) -> int:
            if scope == asked:
                return 0
            if scope in called:
                return 1
            if not scope:
                return _FAR - 1
            return 2 if asked.startswith(scope + ".") else _FAR

        return distance

    def _draws(self, at: int) -> tuple[Arg, ...]:
        if at not in self._drawn:
            self._drawn[at] = drawn_args(self._subject.regexes[at])
        return self._drawn[at]


def packed_fields(text: Atom) -> bytes:
    """Small numbers as the format ``text`` of ``struct`` packs them; b'' if it is none."""
    if not isinstance(text, str) or not _FORMAT.fullmatch(text):
        return b""
    try:
        fields = len(struct.unpack(text, bytes(struct.calcsize(text))))
        return struct.pack(text, *range(FIRST_FIELD, FIRST_FIELD + fields))
    except struct.error:  # a field that takes no number
        return b""


def matching_texts(regex: Regex) -> tuple[str | bytes, ...]:
    """Some texts that match ``regex``: the same ones each time."""
    chance = seeded_random(0, "regex", repr(regex.pattern), regex.flags)
    return draw_matches(regex.pattern, regex.flags, chance, DRAWS_PER_REGEX)


def drawn_args(regex: Regex) -> tuple[Arg, ...]:
    """Texts that match ``regex``, and one that differs from a match by one character."""
    chance = seeded_random(0, "regex", repr(regex.pattern), regex.flags)
    matching = draw_matches(regex.pattern, regex.flags, chance, DRAWS_PER_REGEX)
    missing = draw_near_misses(regex.pattern, regex.flags, chance, 1)
    return tuple([Const(text) for text in (*matching[:2], *missing, *matching[2:])])


def _called_scopes(scope: str, calls: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """The scopes that ``scope`` calls, through at most ``MAX_CALL_DEPTH`` levels of calls."""
    start = (scope, f"{scope}.__init__", f"{scope}.__new__")
    level = {callee: None for one in start for callee in (one, *calls.get(one, ()))}
    for _ in range(MAX_CALL_DEPTH):
        yield from level
        level = {callee: None for one in level for callee in calls.get(one, ())}


def _atoms(*groups: Iterable[Atom]) -> Iterator[Arg]:
    for group in groups:
        for one in group:
            yield Const(one)


def _as_floats(values: list[Atom]) -> list[float]:
    numbers = [value for value in values if isinstance(value, int | float)]
    return [float(value) for value in numbers if abs(value) < MAX_NUMBER]


def _neighbours(value: Atom) -> tuple[Atom, ...]:
    if isinstance(value, int | float):
        return (value, value + 1, value - 1)
    return (value,)


def _variants(text: Atom) -> tuple[Atom, ...]:
    """The text in a phrase, doubled, and with its case changed."""
    if not isinstance(text, str):
        return ()
    swapped = text.upper() if text != text.upper() else text.lower()
    return tuple(dict.fromkeys([f"a{text}b", f"{text}abc", f"abc{text}", swapped, text * 2]))
