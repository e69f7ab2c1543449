"""The kind of str inputs, and what str and bytes have in common.

Invariant: every value is a str; readable values begin with the one of the least burden.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Final

from unitcraft.symbolic.kinds.symbolic_kind import MAX_SIZE, SymbolicKind

#: Characters of a text that its burden looks at; of later ones only the number counts.
_MAX_READ: Final = 1_000

#: Characters that read well in a text.
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"

#: Characters at the ends of a text where an edit is tried.
_MAX_EDITED_ENDS: Final = 12


def text_burden(text: str) -> tuple[int, ...]:
    """First the odd characters, then those beyond three, then all but lower-case letters."""
    start = text[:_MAX_READ]
    odd = sum(0 if one.isascii() and (one.isalnum() or one == " ") else 1 for one in start)
    unlike = sum(one not in _LETTERS for one in start)
    repeated = len(text) - len(dict.fromkeys(start)) if len(text) > 1 else 0
    return (odd, max(len(text) - 3, 0), unlike, repeated, not text, len(text))


def easier_texts(text: Any, letter: Any) -> list[Any]:
    """Texts a little easier than ``text``: halves, one character less, one character replaced."""
    size = len(text)
    halves = [text[: size // 2], text[size // 2 :]] if size > 2 else []  # noqa: PLR2004
    places = range(min(size, 16))
    dropped = [text[:at] + text[at + 1 :] for at in places]
    plainer = [text[:at] + letter + text[at + 1 :] for at in places]
    return [*halves, *dropped, *plainer, text.lower()]


def boundary_texts(value: Any) -> tuple[Any, ...]:
    """A text, one with a space more, one with a character less, and its capitals."""
    return value, value + value[:0].ljust(1), value[:-1], value.upper()


def near_texts(value: str) -> Iterator[str]:
    """One character added, dropped or changed, at the ends first."""
    for character in "a1 A-,.":
        yield value + character
    yield value[:-1]
    yield value[1:]
    for at in _places(len(value)):
        code = ord(value[at])
        others = (code + 1, code - 1, code ^ 32, code + 8, code - 8, code + 64, code - 64)
        for other in [*others, 48, 97]:
            if 0 <= other < 0x110000:  # noqa: PLR2004 - the last code point
                yield value[:at] + chr(other) + value[at + 1 :]
        yield value[:at] + value[at + 1 :]
        yield value[:at] + "a" + value[at:]
    yield from (value.upper(), value.lower(), value[::-1], value + value)


def _places(length: int) -> list[int]:
    if length <= 2 * _MAX_EDITED_ENDS:
        return list(range(length))
    return [*range(_MAX_EDITED_ENDS), *range(length - _MAX_EDITED_ENDS, length)]


def _shake(value: str, rng: random.Random) -> str:
    at = rng.randint(0, len(value))
    return value[:at] + rng.choice("abcxyzABC0123 _-.,:/") + value[at:]


STR_KIND: Final = SymbolicKind(
    name="str",
    type=str,
    empty="",
    plain_values=(
        "", "a", "abc", "A", "1", "0", "12", " ", "a b", "a,b", "a1", "-1", "1.5", "\n", "é",
    ),
    readable_values=(
        "a", "b", "c", "ab", "bc", "abc", "A", "1", "12", "a1", "Ab", "hello", "", " ",
    ),
    convert=lambda value: (value,) if type(value) is str and len(value) <= MAX_SIZE else (),
    equal_values=lambda value: [value] if type(value) is str else [],
    boundary_values=boundary_texts,
    neighbours=near_texts,
    shake=_shake,
    burden=text_burden,
    easier_values=lambda value: easier_texts(value, "a"),
    is_text=True,
)  # fmt: skip
