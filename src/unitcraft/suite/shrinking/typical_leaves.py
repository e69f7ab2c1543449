"""Dates, functions and texts that a person would write in place of others that do the same.

Invariant: nothing is run; whoever tries a value keeps it only where it reaches the same and costs
less to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Source, Symbol
from unitcraft.explore.execution import DULL_FUNCTIONS, SHOWING, TYPICAL_WORDS, has_odd_year

#: A year that has every date, then those beside it: what has to be before or after another.
YEARS: Final = (Const(2024), Const(2023), Const(2025))
_DATE: Final = Symbol("datetime", "date")
_DATETIME: Final = Symbol("datetime", "datetime")
#: A text of one letter, as a search makes it where a length is asked for.
_REPEATED: Final = re.compile(r"'.' \* \d+")
#: Arguments that both have.
_DAY: Final = ("year", "month", "day")


def typical_dates(made: Build) -> Iterator[Build]:
    """A date for the datetime that is given for one; a year that a person puts."""
    if made.callee == _DATETIME:
        yield Build(_DATE, made.args[: len(_DAY)])
    if has_odd_year(made):
        yield from (replace(made, args=(year, *made.args[1:])) for year in YEARS)


def typical_sources(given: Source) -> Iterator[Arg]:
    """What tells more than ``given``, or that a person would rather write.

    Of a function another one, of a text of one letter repeated a short text.
    """
    if given.text in DULL_FUNCTIONS and given.text.startswith("lambda x:"):
        yield from (Source("lambda x: x + 1"), SHOWING)
    elif _REPEATED.fullmatch(given.text):
        yield from map(Const, TYPICAL_WORDS[:1])
    elif given.text.endswith(".__next__"):
        yield from (Source("lambda: 'a'"), Source("lambda: 0"))
