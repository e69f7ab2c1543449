"""Values that a person gives to a name: those of the table, else the name itself.

``title="title"`` shows where the text went, as ``title="abc"`` does not.  ``value`` and ``item``
could be anything, and say nothing of it.

Invariant: the values of a name are of one class and differ.
"""

from __future__ import annotations

import re
from typing import Final

from unitcraft.explore.plausibility.parameter_names import singular, type_of_name
from unitcraft.subject.ducktypes.kind_support import kind_of_type
from unitcraft.subject.values.texts.example_table import EXAMPLES, LAST_WORDS
from unitcraft.suite.telling.telling_values import MIN_TELLING_NAME

#: Names that say nothing of what they are given.
GENERIC: Final = frozenset(
    """
    any arg args argument arguments data default dict elem element first input item items key kwargs
    kwds left list new obj object objects old other others output param parameter params result
    return_value right second self string this thing val vals value values var variable
    """.split()  # noqa: SIM905 - as many names as lines of a list
)
#: Parts of the date that tests give, and what HTTP answers, by the names that have them alone.
_NUMBERS: Final[dict[str, tuple[int, ...]]] = {
    "year": (2024, 2025), "month": (1, 2), "day": (31, 1), "status_code": (200, 404),
}  # fmt: skip
#: Characters of a name that stands for itself: a longer one reads worse than a short text.
MAX_NAME: Final = 16
#: Letters before the last one of words that are no plurals: ``status``, ``axis``, ``canvas``.
_BEFORE_S: Final = "aius"
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def examples_of(name: str, kind: type, count: int = 1) -> tuple[str | int, ...]:
    """``count`` different values of class ``kind`` (str or int) for ``name``; () if none is known.

    A text without an example in the table has the name itself for one, and several of them
    ``title1`` and ``title2``.  A name that speaks for a number has one in place of a text, too.
    """
    plain = plain_name(name)
    row = _row(plain)
    numbers = [one for one in row if type(one) is int]
    found = numbers if _is_number(plain) else [one for one in row if type(one) is kind]
    if found:
        return tuple(found[:count]) if count <= len(found) else ()
    if kind is not str or not _may_stand_for_itself(plain):
        return ()
    word = name.strip("_")
    return (word,) if count == 1 else tuple([f"{word}{number}" for number in range(1, count + 1)])


def has_example(name: str) -> bool:
    """Has the table values for ``name``?"""
    return bool(_row(plain_name(name)))


def is_example(value: object, name: str) -> bool:
    """Is ``value`` one that we put for any of that name, or for one of several?"""
    plain = plain_name(name)
    names = [one for one in (plain, singular(plain)) if one]
    said = plain_name(value.rstrip("0123456789")) if isinstance(value, str) else None
    return said in names or any(value in _row(one) for one in names)


def plain_name(name: str) -> str:
    """``Content-Type`` and ``contentType`` as a parameter is written: ``content_type``."""
    return _HUMP.sub("_", name).replace("-", "_").lower().strip("_")


def _row(plain: str) -> tuple[str | int, ...]:
    last = plain.rpartition("_")[2]
    known = EXAMPLES.get(plain) or _NUMBERS.get(plain)
    return known or (EXAMPLES[last] if last in LAST_WORDS else ())


def _is_number(plain: str) -> bool:
    wanted = type_of_name(plain)
    return wanted is not None and kind_of_type(wanted) == "int"


def _may_stand_for_itself(plain: str) -> bool:
    """Does the name say what a text is, shortly, and not of several things or of another type?"""
    wanted = type_of_name(plain)
    is_text = wanted is None or kind_of_type(wanted) == "str"
    is_word = plain.isidentifier() and MIN_TELLING_NAME <= len(plain) <= MAX_NAME
    is_plural = bool(singular(plain)) and plain[-2] not in _BEFORE_S
    return is_text and is_word and not is_plural and plain not in GENERIC
