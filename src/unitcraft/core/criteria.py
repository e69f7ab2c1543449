"""Coverage criteria: the names by which a person asks for families of Goals.

Invariant: a criterion decides which Goals may justify keeping a test, never which Goals the
search tries to reach; with no criterion named, ``default`` holds.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Final

from unitcraft.core.goals import Family

DEFAULT: Final = "default"

#: Criterion -> the families of its Goals.
FAMILIES: Final[Mapping[str, frozenset[Family]]] = {
    **{
        name: frozenset(one for one in Family if one.record.criterion == name)
        for name in dict.fromkeys(family.record.criterion for family in Family)
    },
    DEFAULT: frozenset(family for family in Family if family.record.by_default),
}
NAMES: Final = tuple(FAMILIES)


def parse_criteria(text: str) -> tuple[str, ...]:
    """The criteria of a comma-separated list, each once.

    Raises ValueError, with advice, on a name that is not a criterion.
    """
    names = tuple(dict.fromkeys([part.strip() for part in text.split(",") if part.strip()]))
    for name in names:
        if name not in FAMILIES:
            raise ValueError(_advice(name))
    return names


def _advice(name: str) -> str:
    close = difflib.get_close_matches(name, NAMES, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}?" if close else "the criteria are: " + ", ".join(NAMES)
    return f"{name!r} is no criterion; {hint}"


def kept_families(names: Iterable[str]) -> frozenset[Family]:
    """The families of Goals for which tests are kept; no ``names`` means the default."""
    asked = tuple(names) or (DEFAULT,)
    return frozenset(family for name in asked for family in FAMILIES[name])
