"""Functions that a test replaces so that code behind or around their calls is run.

What is in a handler runs only where a call in its ``try`` statement raises, and a function of a
stand-in answers values.  What stands behind a call of somebody else's code that reaches out (for
the network, an archive, a process) runs only where that answers, which no plain argument may bring
about.

Invariant: an exception is raised only in a call around which the code catches it; what is the
project's own is made to answer only there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from unitcraft.core.sequences import Arg, Build, Call, Const, Sequence, renumber_call
from unitcraft.explore.calls import CALLED
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.grow_stand_ins import EMPTY, NAMESPACE, is_replacement
from unitcraft.explore.search.variation.places import in_args, places, recording, refusing
from unitcraft.explore.search.variation.variation_kind import Materials
from unitcraft.subject.ducktypes.kind_support import kind_of

#: What functions that reach out answer first: an object that grows, a text, and nothing.
_ANSWERS: Final = (EMPTY, EMPTY, Const("a"), Const(None))


class ReplaceCalls:
    """A function that the code calls raises what the code catches there, or answers."""

    name = "replaced calls"

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run with one exception of ``materials.errors`` raised in one function.

        Or with an answer of one function of ``materials.outside``, or of one whose exceptions it
        swallows, if the code says what it does with one; or with an answer of all of these, because
        no run shows which of them raised what was swallowed.
        """
        shaped = {one: materials.answers.of(*one.split(".")[:-3:-1]) for one in _targets(materials)}
        found = [
            in_place_of(run.sequence, target, recording(answer))
            for target, answers in shaped.items()
            for answer in (*answers, *(_ANSWERS if target in materials.outside else ()))
        ]
        found += _with_all(run.sequence, shaped)
        for target, name, error in materials.errors:
            function = refusing(error)
            found += _in_stand_ins(run.sequence, name, function)
            if target:
                found.append(in_place_of(run.sequence, target, function))
            else:
                found += _for_arguments(run.sequence, materials, name, function)
        return found[rng.randrange(len(found))] if found else None


def _with_all(sequence: Sequence, shaped: Mapping[str, tuple[Arg, ...]]) -> Iterator[Sequence]:
    """``sequence`` with an answer of each function that it does not replace, if there are two."""
    replaced = [call.args[0] for call in sequence.calls if is_replacement(call)]
    wanting = [target for target in shaped if Const(target) not in replaced]
    if len(wanting) > 1:
        for target in wanting:
            answer = (*shaped[target], *_ANSWERS)[0]
            sequence = in_place_of(sequence, target, recording(answer))
        yield sequence


def _targets(materials: Materials) -> dict[str, None]:
    """The functions that may answer: those that reach out, and those around which errors end."""
    swallowing = [target for target, _, _ in materials.errors if target]
    return dict.fromkeys([*materials.outside, *swallowing])


def _in_stand_ins(sequence: Sequence, name: str, function: Arg) -> Iterator[Sequence]:
    for arg, put in places(sequence):
        if isinstance(arg, Build) and arg.callee == NAMESPACE and name in dict(arg.kwargs):
            yield put(Build(NAMESPACE, (), tuple({**dict(arg.kwargs), name: function}.items())))


def in_place_of(sequence: Sequence, target: str, function: Arg) -> Sequence:
    """``sequence`` with ``function`` in the place of what the dotted ``target`` names."""
    for at, call in enumerate(sequence.calls):
        if is_replacement(call) and call.args[0] == Const(target):
            return in_args(sequence, at, 1)(function)
    later = {at: at + 1 for at in range(len(sequence))}
    calls = [renumber_call(call, later) for call in sequence.calls]
    return Sequence((Call("arrange", "setattr", (Const(target), function)), *calls))


def _for_arguments(
    sequence: Sequence, materials: Materials, name: str, function: Arg
) -> Iterator[Sequence]:
    """The function for the argument of that name, and for what a returned function is given.

    A stand-in that has it and nothing else is for each argument of no declared type.
    """
    for at, call in enumerate(sequence.calls):
        first = 1 if call.kind == "method" else 0
        for number, arg in enumerate(call.args if (call.kind, call.name) == CALLED else ()):
            if number and kind_of(arg) == "function":
                yield in_args(sequence, at, number)(function)
        for number, slot in enumerate(materials.slots(at)):
            is_named = slot.parameter.name == name and slot.declared.name in ("any", "callable")
            if first + number < len(call.args) and (is_named or slot.declared.name == "any"):
                stand_in = Build(NAMESPACE, (), ((name, function),))
                yield in_args(sequence, at, first + number)(function if is_named else stand_in)
