"""The effects of a Subject's Invocables with the classes of objects that runs saw them answer.

Invariant: what was seen is added to what the source says, and nothing is taken away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from unitcraft.explore.execution import Execution
from unitcraft.explore.influence.effects import Effects
from unitcraft.explore.influence.influence_analysis import LikelyClasses, analyse_influence
from unitcraft.explore.influence.sequence_drawing import SequenceDrawing
from unitcraft.subject.model import Subject


class SeenEffects:
    """The drawing of candidate sequences of ``subject``, made anew when runs showed more.

    What a factory that was handed in answers is in no source: ``pool.take()`` gives a Link.
    """

    def __init__(self, subject: Subject, likely: LikelyClasses) -> None:
        self._subject = subject
        self._likely = likely
        self._effects: tuple[Effects, ...] = ()
        self._returned: dict[str, set[str]] = {}
        self._drawing: SequenceDrawing | None = None

    def drawing(self, runs: Mapping[str, Iterable[Execution]]) -> SequenceDrawing:
        """The drawing after ``runs``, by Invocable."""
        returned = {name: _returned(some) for name, some in runs.items()}
        if self._drawing is None or returned != self._returned:
            self._effects = self._effects or analyse_influence(self._subject, self._likely)
            self._returned = returned
            seen = tuple([with_returned(one, returned) for one in self._effects])
            self._drawing = SequenceDrawing(seen, self._subject)
        return self._drawing


def _returned(runs: Iterable[Execution]) -> set[str]:
    """The classes of the objects that the last Calls of ``runs`` answered."""
    return {cls for run in runs for index, cls, *_ in run.objects if index == len(run.sequence) - 1}


def with_returned(effects: Effects, returned: Mapping[str, set[str]]) -> Effects:
    """``effects`` with the classes that the Invocable was seen to return, but for its own."""
    invocable = effects.invocable
    more = returned.get(invocable.id, set()) - {*effects.returns, invocable.owner}
    return replace(effects, returns=(*effects.returns, *sorted(more))) if more else effects
