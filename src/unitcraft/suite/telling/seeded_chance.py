"""Seeds for runs that draw from chance, so that what they answer can be asserted.

Invariant: a variant makes the same Calls on the same arguments; it differs by what seeds chance and
by Calls that only drew from it before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Call,
    Const,
    Ref,
    Sequence,
    renumber_call,
    slice_sequence,
)
from unitcraft.explore.plausibility.argument_fit import Plausibility

#: Parameters that take a seed.
SEEDS: Final = ("seed", "random_seed", "random_state")
#: Methods that seed the chance of an object.
SEEDING: Final = ("seed", "reseed", "set_seed")
#: What seeds the generator that all share.
SHARED: Final = Call("function", "random:seed", (Const(1),))
_SEED: Final[Arg] = Const(1)
#: Seeds that a person writes, and those that are tried in place of others.
USUAL_SEEDS: Final = range(1, 10)
OTHER_SEEDS: Final = range(1, 25)


def seeded_variants(
    sequence: Sequence, plausibility: Plausibility, members: dict[str, tuple[str, ...]]
) -> Iterator[Sequence]:
    """``sequence`` with a seed: for all, as an argument of what it makes, or by a method of that.

    ``members`` are the names of the members of each class.
    """
    if SHARED not in sequence.calls:
        moved = {at: at + 1 for at in range(len(sequence))}
        yield Sequence((SHARED, *[renumber_call(call, moved) for call in sequence.calls]))
    for at, call in enumerate(sequence.calls):
        called = plausibility.called(sequence, call)
        if called is None or call.kind != "function":
            continue
        given = {name for name, _ in call.kwargs}
        for parameter in called.parameters:
            if parameter.name in SEEDS and parameter.name not in given:
                seeded = replace(call, kwargs=(*call.kwargs, (parameter.name, _SEED)))
                yield Sequence((*sequence.calls[:at], seeded, *sequence.calls[at + 1 :]))
        own = members.get(called.owner or called.id, ()) if called.kind == "constructor" else ()
        method = next(
            (name for name in SEEDING if any(one.endswith(f".{name}") for one in own)), ""
        )
        if method and at < len(sequence) - 1:
            moved = {old: old + (old > at) for old in range(len(sequence))}
            later = [renumber_call(one, moved) for one in sequence.calls[at + 1 :]]
            seeding = Call("method", method, (Ref(at), _SEED))
            yield Sequence((*sequence.calls[: at + 1], seeding, *later))


def usual_seeds(sequence: Sequence, plausibility: Plausibility) -> Iterator[Sequence]:
    """``sequence`` with small seeds in place of one that is odd, or of Calls that only draw.

    A generator is brought to its state by any of many seeds; that of a person is short.
    """
    bare = slice_sequence(sequence, (len(sequence) - 1,))
    for at, call in enumerate(bare.calls):
        names = (*plausibility.names_given(bare, call), *[""] * len(call.args))
        given = [*zip(names, call.args, strict=False), *call.kwargs]
        seeds = [arg.value for name, arg in given if name in SEEDS and isinstance(arg, Const)]
        if not seeds or type(seeds[0]) is not int:
            continue
        if len(bare) == len(sequence) and seeds[0] in USUAL_SEEDS:
            continue
        for number in OTHER_SEEDS:
            new = [(name, Const(number) if name in SEEDS else arg) for name, arg in given]
            args, kwargs = new[: len(call.args)], new[len(call.args) :]
            made = replace(call, args=tuple([arg for _, arg in args]), kwargs=tuple(kwargs))
            yield Sequence((*bare.calls[:at], made, *bare.calls[at + 1 :]))
