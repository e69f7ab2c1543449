"""A part of a run taken over from another run of the same Invocable.

What each guard of a function asks for is often found by different runs: an address that its pattern
matches, a page in which it finds a number, a collaborator that has what is read.  Only a run that
has all of them gets on.

Invariant: one argument, or what one replaced function answers, is another; all else stays.
Source: AFL, splicing; *differs*: parts are exchanged by what they are for, the parameter or the
replaced function, not cut off at a position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from unitcraft.core.sequences import Arg, Call, Const, Sequence, refs_in
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.grow_stand_ins import is_replacement
from unitcraft.explore.search.variation.places import in_args, recording
from unitcraft.explore.search.variation.variation_kind import Materials
from unitcraft.subject.ducktypes.answer_shapes import AnswerShapes


class TakeParts:
    """One argument, or the answer of a replaced function, as another run has it (mutable: once)."""

    name = "parts of others"

    def __init__(self) -> None:
        self._made: set[str] = set()

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run with one part of a donor, or with an answer that the code can go through."""
        taken = [*_taken(run, materials.donors), *_answers(run, materials.answers)]
        rng.shuffle(taken)
        known = {donor.sequence.key for donor in (run, *materials.donors)}
        for at, index, arg in taken:
            made = in_args(run.sequence, at, index)(arg)
            if made.key not in known and made.key not in self._made:
                self._made.add(made.key)
                return made
        return None


def _taken(run: Execution, donors: Iterable[Execution]) -> Iterator[tuple[int, int, Arg]]:
    """(position of a Call, number of its argument, what a donor has there)."""
    others: dict[tuple[str, str, object], list[Call]] = {}
    for donor in donors:
        for call in donor.sequence.calls if donor.invocable == run.invocable else ():
            others.setdefault(_purpose(call), []).append(call)
    for at, call in enumerate(run.sequence.calls):
        first = 1 if call.kind in ("method", "arrange") else 0
        for other in others.get(_purpose(call), ()):
            for index, arg in enumerate(other.args[: len(call.args)]):
                if index >= first and not refs_in(arg):
                    yield at, index, arg


def _answers(run: Execution, answers: AnswerShapes) -> Iterator[tuple[int, int, Arg]]:
    """(position of a Call that replaces a function, 1, another function in that place)."""
    for at, call in enumerate(run.sequence.calls):
        if is_replacement(call) and isinstance(call.args[0], Const):
            names = str(call.args[0].value).split(".")
            for answer in answers.of(*names[:-3:-1]):
                yield at, 1, recording(answer)


def _purpose(call: Call) -> tuple[str, str, object]:
    """What a Call is for; two that arrange the same place have the same."""
    return call.kind, call.name, call.args[0] if call.kind == "arrange" else None
