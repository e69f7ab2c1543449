"""Texts that a call wanted: a run that ended in it goes on once its texts have them.

Code that reads a page or a document looks for one thing after the other, each by a call with an
expression or a name, and gives up at the first that is missing.  What such a call was given says
what its text lacks.

Invariant: one text of the run changes, and only by what the source passes to that very call.

Source: REDQUEEN, input-to-state; *differs*: the operand is read from the source of the call, as
nothing is compared where a function of others searches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from unitcraft.core.sequences import Const, Sequence
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.grow_texts import MAX_TEXT
from unitcraft.explore.search.variation.places import places


def complete(run: Execution, wanted: Iterable[str]) -> list[Sequence]:
    """Variants of ``run`` in which a text is or has one of ``wanted``."""
    texts = list(wanted)
    return [
        put(Const(new))
        for arg, put in places(run.sequence)
        if isinstance(arg, Const) and isinstance(arg.value, str)
        for new in _completed(arg.value, texts)
        if len(new) <= MAX_TEXT and new != arg.value
    ]


def _completed(text: str, wanted: list[str]) -> Iterator[str]:
    for one in wanted:
        yield one
        yield f"{text} {one}"
