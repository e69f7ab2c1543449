"""Texts that a call wanted: a run that ended in it goes on once its pages have them.

Code that reads a page or a document looks for one thing after the other, each by a call with an
expression or a name, and gives up at the first that is missing.  What such a call was given says
what its text lacks.

Invariant: one text that a replaced function answers changes, and only by what the source passes to
that very call.  (With all texts of the run in question, branches of one module of 20 fell from 93
to 28 %: names of files took the runs that files are tried on.)

Source: REDQUEEN, input-to-state; *differs*: the operand is read from the source of the call, as
nothing is compared where a function of others searches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from unitcraft.core.sequences import Const, Sequence
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.grow_stand_ins import is_replacement
from unitcraft.explore.search.variation.kinds.grow_texts import MAX_TEXT
from unitcraft.explore.search.variation.places import places, put_call


def complete(run: Execution, wanted: Iterable[str]) -> list[Sequence]:
    """Variants of ``run`` in which a text that a function answers is or has one of ``wanted``."""
    texts = list(wanted)
    made: list[Sequence] = []
    for position, call in enumerate(run.sequence.calls):
        for arg, put in places(Sequence((call,))) if is_replacement(call) else ():
            if isinstance(arg, Const) and isinstance(arg.value, str):
                others = [put(Const(new)).calls[0] for new in _completed(arg.value, texts)]
                made += [put_call(run.sequence, position, other) for other in others]
    return made


def _completed(text: str, wanted: list[str]) -> Iterator[str]:
    for one in wanted:
        yield from [new for new in (one, f"{text} {one}") if len(new) <= MAX_TEXT and new != text]
