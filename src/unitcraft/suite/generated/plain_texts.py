"""Plainer texts: what a search made of signs is put in the words of a person, where it may be.

A text that a solver or a variation made, as ``"$$$.aa(()"``, reaches its branch by its form.  Words
that nobody would write get other names, the same one wherever they stand, and signs are left out.

A text that stands in several places, as in a variable and in what is compared with it, is replaced
in all of them at once, and several texts together: one at a time, neither reaches the same.

Invariant: a variant differs from its Sequence in texts only, or has words for a number, and costs
less to read but for these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, count, islice
from typing import Final

from unitcraft.core.sequences import Arg, Call, Const, Display, Sequence, arguments
from unitcraft.explore.execution import (
    NO_HOST,
    ODD_WORD,
    ODD_YEAR,
    TYPICAL_LETTERS,
    TYPICAL_WORDS,
    cost,
    lone_brackets,
)
from unitcraft.explore.search.variation.places import places
from unitcraft.subject.values.syntax_nodes import PARSE_FUNCTIONS

#: Signs of one text that are left out one at a time: a bound for long ones.
MAX_SIGNS: Final = 12
#: Variants of one Sequence: a bound for Sequences of many texts.
MAX_VARIANTS: Final = 16
#: Items of a container, or numbers in bytes, that are left out one at a time: the same.
MAX_DROPPED: Final = 6
#: Letters that stand alone in the texts of one Sequence and get words for names.
MAX_LETTERS: Final = 2
#: Kinds of Calls that set something for those that follow.
SETTING: Final = ("arrange", "define", "set")
#: Names for words, in the order in which the words stand.
_NAMES: Final = ("x", "y", "z", "a", "b", "c")
#: What an address has that a person writes.
_HOST: Final = "example.com"
_PATH: Final = "index.html"
#: The year of a date, one that has every day.
_YEAR: Final = "2024"
_WORD: Final = re.compile(r"[^\W\d]*\$[\w$]*|[^\W\d]\w*")
#: A letter that stands alone: no conversion of a format, class of a pattern, option, ending or tag.
_LONE_LETTER: Final = re.compile(r"(?<![\w%\\$'<-])(?<!</)[A-Za-z](?![\w'])")
_ANY_LETTERS: Final = re.compile("[A-Za-z]+")
#: Letters that may be a word, or a part of one; fewer are typical.
_LETTERS: Final = re.compile(f"[A-Za-z]{{{TYPICAL_LETTERS + 1},}}")
#: What is left out as a whole, or put as one space.
_FORMAT_MARK: Final = "%s"
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_BLANKS: Final = re.compile(r"[ \t]+")
_NOT_ZERO: Final = re.compile(rb"[^\x00]+")


def plainer_texts(sequence: Sequence) -> Iterator[Sequence]:
    """Variants with other names for odd words, and with a sign less in a text.

    And with words for numbers that stand at several places: whether that is plainer the evidence
    for the parameters tells.
    """
    price = cost(sequence)
    found = (one for one in _variants(sequence) if one != sequence and cost(one) < price)
    return islice(chain(_with_words_for_numbers(sequence), found), MAX_VARIANTS)


def _with_words_for_numbers(sequence: Sequence) -> Iterator[Sequence]:
    """A word in place of a number, wherever it stands, if that is at several places.

    ``Document([1]).can_read(User(1))`` stays what it is with a name for both; one alone would not.
    """
    known = set(_words(sequence))
    free = [Const(word) for word in TYPICAL_WORDS if word not in known]
    numbers = [arg for arg, _ in places(sequence) if _is_number(arg)] if free else []
    for number in dict.fromkeys(one for one in numbers if numbers.count(one) > 1):
        yield _with_everywhere(sequence, number, free[0])


def _with_everywhere(sequence: Sequence, number: Arg, word: Arg) -> Sequence:
    for arg, put in places(sequence):
        if _is_number(arg) and arg == number:
            return _with_everywhere(put(word), number, word)
    return sequence


def _is_number(arg: Arg) -> bool:
    return isinstance(arg, Const) and type(arg.value) is int


def _variants(sequence: Sequence) -> Iterator[Sequence]:
    yield from _with_typical_words(sequence)
    odd = _odd_words(sequence)
    known = set(_words(sequence))
    free = [name for name in _NAMES if name not in known]
    named = dict(zip(odd, free, strict=False))
    if named:
        yield _changed(sequence, lambda text: _renamed(text, named))
    if len(named) > 1:
        for word, name in named.items():
            yield _changed(sequence, lambda text, one={word: name}: _renamed(text, one))  # type: ignore[misc]
    kept = {arg for call in sequence.calls if _is_kept(call) for arg in call.args}
    for arg, put in places(sequence):
        if isinstance(arg, Const) and isinstance(arg.value, str | bytes) and arg not in kept:
            yield from (put(Const(value)) for value in _with_plain_words(arg.value))
        if isinstance(arg, Const) and isinstance(arg.value, str) and len(arg.value) > 1:
            yield put(Const(ODD_YEAR.sub(_YEAR, arg.value)))
            some = (
                *_with_host(arg.value), *_with_other_brackets(arg.value), *_evened(arg.value),
                *_with_less(arg.value),
            )  # fmt: skip
            for text in islice(some, MAX_SIGNS):
                yield put(Const(text))


def _with_typical_words(sequence: Sequence) -> Iterator[Sequence]:
    """Typical words, a different one for each text, in place of all texts, then of one each.

    A text alone at its place is left to whoever simplifies single places; what only a file or a
    variable holds stays as a person has it, and so do words, which say more than typical ones.
    """
    texts = [
        arg.value for arg, _ in places(sequence)
        if isinstance(arg, Const) and isinstance(arg.value, str) and arg.value
    ]  # fmt: skip
    calls = [call for call in sequence.calls if not _is_kept(call)]
    given = {text for call in calls for arg in arguments(call) for text in _texts_of(arg)}
    once = [text for text in dict.fromkeys(texts) if text in given]
    free = [word for word in TYPICAL_WORDS if word not in once]
    others = [text for text in once if text not in TYPICAL_WORDS and not _is_word(text)]
    named = dict(zip(others, free, strict=False))
    if len(named) > 1:
        yield _changed(sequence, lambda text: named.get(text, text))
    for text in named:
        if texts.count(text) > 1:
            yield _changed(sequence, lambda one, old=text: free[0] if one == old else one)  # type: ignore[misc]


def with_words_for_letters(sequence: Sequence) -> Iterator[Sequence]:
    """Typical words for letters that stand alone in texts, wherever they do; the other way round.

    Where there are more they stand for items, of which a letter each is enough.
    """
    texts = [arg.value for arg, _ in places(sequence) if isinstance(arg, Const)]
    said = [text for text in texts if isinstance(text, str)]
    letters = [*dict.fromkeys(one for text in said for one in _LONE_LETTER.findall(text))]
    known = set(_words(sequence))
    free = [word for word in TYPICAL_WORDS if word not in known][: len(letters)]
    if not 0 < len(letters) <= MAX_LETTERS:
        return
    for words in dict.fromkeys((tuple(free), tuple(reversed(free)))):
        yield _with_words(sequence, dict(zip(letters, words, strict=False)))
    for pair in zip(letters, free, strict=False) if len(letters) > 1 else ():
        yield _with_words(sequence, dict([pair]))


def _with_words(sequence: Sequence, names: dict[str, str]) -> Sequence:
    """``sequence`` with words for letters that stand alone, as ``names`` has them."""

    def changed(text: str) -> str:
        return _LONE_LETTER.sub(lambda found: names.get(found[0], found[0]), text)

    return _changed(sequence, changed)


def _with_host(text: str) -> Iterator[str]:
    """An address with a host that is meant for examples in place of one that is none."""
    if NO_HOST.match(text):
        scheme, _, rest = text.partition(":")
        path = rest.lstrip("/").partition("/")[2] or _PATH
        yield f"{scheme}://{'' if scheme.lower() == 'file' else _HOST}/{path}"


def _is_kept(call: Call) -> bool:
    """Does the Call set something, or is its text code, so that a person chose the words?"""
    return call.kind in SETTING or call.name in PARSE_FUNCTIONS


def _is_word(text: str) -> bool:
    """May it be one of a language, as ``"message"``?"""
    return len(text) > TYPICAL_LETTERS and text.isalpha() and text.islower()


def _texts_of(arg: Arg) -> Iterator[str]:
    """The texts that ``arg`` is, or a container of."""
    if isinstance(arg, Const) and isinstance(arg.value, str):
        yield arg.value
    for item in arg.items if isinstance(arg, Display) else ():
        yield from _texts_of(item)


def _words(sequence: Sequence) -> Iterator[str]:
    for arg, _ in places(sequence):
        if isinstance(arg, Const) and isinstance(arg.value, str):
            yield from (found.group() for found in _WORD.finditer(arg.value))


def _odd_words(sequence: Sequence) -> list[str]:
    """The words that no person would write, each once, in the order in which they stand."""
    return [word for word in dict.fromkeys(_words(sequence)) if ODD_WORD.fullmatch(word)]


def _renamed(text: str, names: dict[str, str]) -> str:
    return _WORD.sub(lambda found: names.get(found.group(), found.group()), text)


def _changed(sequence: Sequence, change: Callable[[str], str]) -> Sequence:
    """``sequence`` with every text changed.

    A text that is a document has places inside, which come and go with what it says.
    """
    for place in count():
        arg, put = next(islice(places(sequence), place, None), (None, None))
        if put is None:
            break
        if isinstance(arg, Const) and isinstance(arg.value, str):
            sequence = put(Const(change(arg.value)))
    return sequence


def _with_other_brackets(text: str) -> Iterator[str]:
    """``text`` with brackets that close in place of those that do not, or with a letter there."""
    if alone := lone_brackets(text):
        closing = [_CLOSING[text[at]] for at in reversed(alone) if text[at] in _CLOSING]
        kept = [c for at, c in enumerate(text) if at not in alone or c in _CLOSING]
        yield "".join((*kept, *closing))
        yield "".join(_NAMES[0] if at in alone else char for at, char in enumerate(text))


def _evened(text: str) -> Iterator[str]:
    """``text`` with single spaces, or none, in place of tabs and of several; without ``%s``.

    Lines keep the spaces by which they stand below one another.
    """
    if "\t" in text or ("  " in text and "\n" not in text):
        yield _BLANKS.sub("", text)
        yield _BLANKS.sub(" ", text)
    if _FORMAT_MARK in text:
        yield text.replace(_FORMAT_MARK, "")


def _with_plain_words(value: str | bytes) -> Iterator[str | bytes]:
    """``value`` with a typical word in place of its only one beside signs; bytes with all of them.

    Such a word mostly is what shrinking left of several: ``" worl"`` of ``"hello world"``.
    """
    if isinstance(value, bytes):
        text = value.decode("latin-1")
        yield from (one.encode("latin-1") for one in _renamed_in_turn(text) if one != text)
    elif len(_ANY_LETTERS.findall(value)) == 1 and not value.isidentifier():
        yield from (one for one in _renamed_in_turn(value) if one != value)


def _renamed_in_turn(text: str) -> Iterator[str]:
    """``text`` with typical words for all its words, then for each."""
    words = dict.fromkeys(_LETTERS.findall(text))
    names = dict(zip(words, TYPICAL_WORDS, strict=False))
    for chosen in (list(names), *([word] for word in names if len(names) > 1)):
        changed = text
        for word in chosen:
            changed = re.sub(f"(?<![A-Za-z]){word}(?![A-Za-z])", names[word], changed)
        yield changed


def _with_less(text: str) -> Iterator[str]:
    """``text`` without one of its signs, if most of it is signs, or without an unprintable one.

    Dates, versions and addresses need theirs, and read worse without.
    """
    signs = [at for at, char in enumerate(text) if not char.isalnum() and char not in " \n\t"]
    if 2 * len(signs) <= len(text):
        signs = [at for at in signs if not text[at].isprintable()]
    yield from dict.fromkeys(text[:at] + text[at + 1 :] for at in signs)


def simpler_bytes(value: bytes) -> Iterator[bytes]:
    """A half, one byte less at an end, and a half or the bytes between two zeros set to zero."""
    middle = len(value) // 2
    yield from (value[:middle], value[middle:], value[:-1], value[1:])
    yield from (bytes(middle) + value[middle:], value[:middle] + bytes(len(value) - middle))
    for found in islice(_NOT_ZERO.finditer(value), MAX_DROPPED):
        yield value[: found.start()] + bytes(len(found[0])) + value[found.end() :]
