"""Clocks that a test sets, so that what was made of the time can be asserted.

Invariant: a clock goes on, by another time each time that it is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from unitcraft.core.sequences import Arg, Const, Display, Sequence, Source
from unitcraft.explore.search.variation.kinds.replace_calls import in_place_of
from unitcraft.explore.search.variation.places import reading
from unitcraft.subject.literal_args import literal_text

#: What a clock says in turn, in seconds: no two differences are alike, nor one of them 1.
TIMES: Final = (Const(1.0), Const(3.5), Const(7.0))


def with_set_clocks(sequence: Sequence, clocks: tuple[str, ...]) -> Iterator[Sequence]:
    """``sequence`` with each of ``clocks`` set, for one question and for several."""
    for clock in clocks:
        for count in range(1, len(TIMES) + 1):
            yield in_place_of(sequence, clock, _telling(TIMES[:count]))


def _telling(times: tuple[Arg, ...]) -> Arg:
    """A function that tells ``times`` in turn; of one time, that whenever it is asked."""
    if len(times) == 1:
        return Source(f"lambda: {literal_text(times[0])}")
    return reading(Display("list", times))
