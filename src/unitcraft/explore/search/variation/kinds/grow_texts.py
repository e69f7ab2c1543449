"""Texts grow: parts of a text are inserted, deleted, doubled and joined with parts of others.

A parser is seldom passed by a text that somebody thought of, and often by one that an earlier text
becomes with one token more.  The tokens are those of the code: its literals, fragments of its
regular expressions, and what runs compared their texts with.

Invariant: one text of the run changes, and only by a bounded number of edits.

Source: AFL, the havoc stage; *differs*: edits of characters and tokens at the borders of words and
lines; bytes are edited anywhere, as AFL does, every other time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Final

from unitcraft.core.sequences import Const, Sequence
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.places import places
from unitcraft.explore.search.variation.variation_kind import Materials, pick_near

#: Characters of a grown text: a person has to read it.  Halved with eleven such bounds, sites of
#: ``pellets`` (664, seed 0): +3.
MAX_TEXT: Final = 120
#: Chance of one more edit of the same text.  Off: no site of 153, 4 % more runs.
MORE_CHANCE: Final = 0.4
#: Edits of one text, at most.  Halved with nine others, sites of ``pellets`` (664, seed 0): +7.
MAX_EDITS: Final = 4
#: Characters of a part that is deleted or doubled.  Halved with nine others, sites of ``pellets``
#: (664, seed 0): +7.
MAX_PART: Final = 12
#: Chance that bytes are edited as numbers, not as a text.  Halved: no site of 729, 1 % more runs.
BINARY_CHANCE: Final = 0.5
#: Bytes at the borders of what a byte may mean: counts, flags, signs.
BYTES: Final = (0, 1, 2, 3, 4, 8, 16, 32, 64, 127, 128, 255)
#: Chance that of a text of several lines one is moved, or one more added.  Off: a dedent between
#: two levels (tests/quality/causes/text_structure.py) is missed with 4 seeds of 8, else with 1.
LINES_CHANCE: Final = 0.3
#: Columns of an indented line: deeper, and between the levels of others.
INDENTS: Final = (0, 1, 2, 4, 8)
#: Tokens that any format may have.
PUNCTUATION: Final = (
    "\n", " ", "\n    ", "a", "1", "0", '"', "'", "-", ".", ",", ":", "=", "#", "\\", "/", "(", ")",
    "[", "]", "{", "}", "<", ">", "_", "+", "*", "%", "@", "!", "?", "&", ";", "\t", "|", "$", "é",
)  # fmt: skip
#: The same for a text to which a whole line or its indentation is done.
_BORDER: Final = re.compile(r"\b|$|^", re.MULTILINE)

_Edit = Callable[[str, Materials, Random], str]


class GrowTexts:
    """A text of the run with some edits."""

    name = "texts"

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run with one of its texts edited."""
        found = [
            (arg.value, put)
            for arg, put in places(run.sequence)
            if isinstance(arg, Const) and isinstance(arg.value, (str, bytes))
        ]
        if not found:
            return None
        value, put = found[rng.randrange(len(found))]
        if isinstance(value, bytes) and rng.random() < BINARY_CHANCE:
            return put(Const(grow_bytes(value, rng)))
        if isinstance(value, bytes):
            new = grow_text(value.decode("latin-1"), materials, rng)
            return put(Const(new.encode("latin-1", "ignore")))
        return put(Const(grow_text(value, materials, rng)))


def grow_text(text: str, materials: Materials, rng: Random) -> str:
    """``text`` after one edit, sometimes more."""
    for number in range(MAX_EDITS):
        if number and rng.random() >= MORE_CHANCE:
            break
        edits = _LINE_EDITS if "\n" in text and rng.random() < LINES_CHANCE else _EDITS
        edit = edits[rng.randrange(len(edits))]
        text = edit(text, materials, rng)[:MAX_TEXT]
    return text


def grow_bytes(value: bytes, rng: Random) -> bytes:
    """``value`` after one edit that respects no text: a byte set, zeros put in, a part away."""
    at = rng.randrange(len(value) + 1)
    how = rng.randrange(4)
    if how == 0:
        width = (1, 2, 4, 8)[rng.randrange(4)]
        return (value[:at] + bytes(width) + value[at:])[:MAX_TEXT]
    if how == 1:
        return value[:at] + value[at + rng.randint(1, 4) :]
    byte = rng.randrange(256) if how == 2 else BYTES[rng.randrange(len(BYTES))]  # noqa: PLR2004
    return (value[:at] + bytes((byte,)) + value[at + 1 :])[:MAX_TEXT]


def _token(materials: Materials, rng: Random) -> str:
    if rng.random() < 0.5:  # noqa: PLR2004
        return PUNCTUATION[rng.randrange(len(PUNCTUATION))]
    return pick_near(materials.tokens, rng) or PUNCTUATION[rng.randrange(len(PUNCTUATION))]


def _position(text: str, rng: Random) -> int:
    """A place in ``text``: the border of a word or line, or any."""
    if rng.random() < 0.3:  # noqa: PLR2004
        return rng.randrange(len(text) + 1)
    borders = [found.start() for found in _BORDER.finditer(text)] or [0]
    return borders[rng.randrange(len(borders))]


def _part(text: str, rng: Random) -> tuple[int, int]:
    start = _position(text, rng)
    return start, min(len(text), start + rng.randint(1, MAX_PART))


def _insert(text: str, materials: Materials, rng: Random) -> str:
    at = _position(text, rng)
    return text[:at] + _token(materials, rng) + text[at:]


def _append(text: str, materials: Materials, rng: Random) -> str:
    return text + _token(materials, rng)


def _prepend(text: str, materials: Materials, rng: Random) -> str:
    return _token(materials, rng) + text


def _delete(text: str, _materials: Materials, rng: Random) -> str:
    start, end = _part(text, rng)
    return text[:start] + text[end:]


def _double(text: str, _materials: Materials, rng: Random) -> str:
    start, end = _part(text, rng)
    return text[:end] + text[start:end] + text[end:]


def _overwrite(text: str, materials: Materials, rng: Random) -> str:
    start, end = _part(text, rng)
    return text[:start] + _token(materials, rng) + text[end:]


def _surround(text: str, materials: Materials, rng: Random) -> str:
    """A part of the text in brackets or between two equal tokens."""
    start, end = _part(text, rng)
    left = _token(materials, rng)
    right = {"(": ")", "[": "]", "{": "}", "<": ">"}.get(left, left)
    return text[:start] + left + text[start:end] + right + text[end:]


def _add_line(text: str, materials: Materials, rng: Random) -> str:
    """One line more, sometimes indented: an earlier one of the text, or a token."""
    lines = [*text.split("\n"), _token(materials, rng)]
    indent = "    " * rng.randrange(2)
    return f"{text}\n{indent}{lines[rng.randrange(len(lines))].strip()}"


def _indent(text: str, materials: Materials, rng: Random) -> str:
    """One of several lines further in or out; a text of one line gets another."""
    lines = text.split("\n")
    if len(lines) == 1:
        return _add_line(text, materials, rng)
    at = rng.randrange(len(lines))
    lines[at] = " " * INDENTS[rng.randrange(len(INDENTS))] + lines[at].lstrip(" ")
    return "\n".join(lines)


def _change_fields(text: str, materials: Materials, rng: Random) -> str:
    """The text between separators: empty fields filled, or one field replaced or doubled."""
    separators = sorted({char for char in text if not char.isalnum() and char != " "})
    if not separators:
        return text + _token(materials, rng)
    separator = separators[rng.randrange(len(separators))]
    fields, token = text.split(separator), _token(materials, rng)
    at = rng.randrange(len(fields))
    if "" in fields and rng.random() < 0.5:  # noqa: PLR2004
        fields = [field or token for field in fields]
    elif rng.random() < 0.5:  # noqa: PLR2004
        fields[at] = token
    else:
        fields.insert(at, fields[at])
    return separator.join(fields)


def _donated(materials: Materials, rng: Random) -> str:
    """A text of another kept run; '' if there is none."""
    if not materials.donors:
        return ""
    donor = materials.donors[rng.randrange(len(materials.donors))]
    texts = [
        arg.value
        for arg, _ in places(donor.sequence)
        if isinstance(arg, Const) and isinstance(arg.value, str)
    ]
    return texts[rng.randrange(len(texts))] if texts else ""


def _splice(text: str, materials: Materials, rng: Random) -> str:
    """The beginning of one text and the end of another."""
    other = _donated(materials, rng)
    return text[: _position(text, rng)] + other[_position(other, rng) :] if other else text + text


def _join(text: str, materials: Materials, rng: Random) -> str:
    """The lines of another text, and those of this one after them."""
    return f"{_donated(materials, rng) or text}\n{text}"


_EDITS: Final[tuple[_Edit, ...]] = (
    _insert, _insert, _append, _prepend, _delete, _double, _overwrite, _surround, _change_fields,
    _change_fields, _add_line,
    _splice, _join, _indent,
)  # fmt: skip
#: Edits of a text of several lines that keep all of its words.
_LINE_EDITS: Final[tuple[_Edit, ...]] = (_indent, _add_line)
