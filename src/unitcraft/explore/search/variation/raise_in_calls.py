"""Functions that raise what the code around their calls catches.

A function of a stand-in, or one in the place of another, answers a value; what is in the handlers
around its calls runs only where it raises.

Invariant: an exception is raised only in a call around which the code catches it.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from unitcraft.core.sequences import Arg, Build, Call, Const, Sequence, renumber_call
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.grow_stand_ins import NAMESPACE, is_replacement
from unitcraft.explore.search.variation.places import in_args, places, refusing
from unitcraft.explore.search.variation.variation_kind import Materials


class RaiseInCalls:
    """A function that the code calls raises what the code catches there."""

    name = "errors"

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run with one exception of ``materials.errors`` raised in one function."""
        found: list[Sequence] = []
        for target, name, error in materials.errors:
            function = refusing(error)
            found += _in_stand_ins(run.sequence, name, function)
            if target:
                found.append(_in_place_of(run.sequence, target, function))
            else:
                found += _for_arguments(run.sequence, materials, name, function)
        return found[rng.randrange(len(found))] if found else None


def _in_stand_ins(sequence: Sequence, name: str, function: Arg) -> Iterator[Sequence]:
    for arg, put in places(sequence):
        if isinstance(arg, Build) and arg.callee == NAMESPACE and name in dict(arg.kwargs):
            yield put(Build(NAMESPACE, (), tuple({**dict(arg.kwargs), name: function}.items())))


def _in_place_of(sequence: Sequence, target: str, function: Arg) -> Sequence:
    for at, call in enumerate(sequence.calls):
        if is_replacement(call) and call.args[0] == Const(target):
            return in_args(sequence, at, 1)(function)
    later = {at: at + 1 for at in range(len(sequence))}
    calls = [renumber_call(call, later) for call in sequence.calls]
    return Sequence((Call("arrange", "setattr", (Const(target), function)), *calls))


def _for_arguments(
    sequence: Sequence, materials: Materials, name: str, function: Arg
) -> Iterator[Sequence]:
    """A stand-in with nothing but that function, for each argument of no declared type."""
    for at, call in enumerate(sequence.calls):
        first = 1 if call.kind == "method" else 0
        for number, slot in enumerate(materials.slots(at)):
            if slot.declared.name == "any" and first + number < len(call.args):
                stand_in = Build(NAMESPACE, (), ((name, function),))
                yield in_args(sequence, at, first + number)(stand_in)
