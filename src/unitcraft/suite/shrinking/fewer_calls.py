"""The same Sequence with fewer Calls: some left out, a class or object once, a part for the whole.

Invariant: no Call of what is made refers to one that was left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Final

from unitcraft.core.sequences import (
    Ref,
    Sequence,
    arguments,
    refs_of,
    renumber_call,
    slice_sequence,
)
from unitcraft.explore.calls import made_alike, with_result_of

#: Pairs of objects made alike of which one is tried for both: more would cost runs.
MAX_PAIRS: Final = 6


def without_all(sequence: Sequence, positions: range | tuple[int, ...]) -> Sequence | None:
    """The Sequence without some Calls, or None when another Call refers to one of them."""
    gone = set(positions)
    kept = [old for old in range(len(sequence)) if old not in gone]
    where = {old: new for new, old in enumerate(kept)}
    if any(ref in gone for old in kept for ref in refs_of(sequence.calls[old])):
        return None
    return Sequence(tuple(renumber_call(sequence.calls[old], where) for old in kept))


def without_unused(sequence: Sequence) -> Iterator[Sequence]:
    """The Sequence without functions and classes before the last Call whose results nobody uses.

    An argument that was left out leaves what was made for it.
    """
    used = {ref for call in sequence.calls for ref in refs_of(call)}
    unused = [
        at for at, call in enumerate(sequence.calls[:-1])
        if call.kind == "function" and at not in used
    ]  # fmt: skip
    kept = tuple([at for at in range(len(sequence)) if at not in unused])
    if unused:
        yield slice_sequence(sequence, kept)


def with_class_once(sequence: Sequence) -> Iterator[Sequence]:
    """The Sequence with one class in place of two that the test writes alike."""
    written = [at for at, call in enumerate(sequence.calls) if call.kind == "define"]
    for first, second in combinations(written, 2):
        if sequence.calls[first] == sequence.calls[second]:
            yield with_result_of(sequence, first, second)


def with_objects_once(sequence: Sequence) -> Iterator[Sequence]:
    """The Sequence with one object in place of two that are made by one function or class."""
    for first, second in islice(made_alike(sequence), MAX_PAIRS):
        yield with_result_of(sequence, first, second)


def with_parts(sequence: Sequence) -> Iterator[Sequence]:
    """The Sequence with an object that another is made with in the place of that one.

    What wraps an object of its own kind is mostly longer to make and no better for a test.
    """
    for whole, call in enumerate(sequence.calls[:-1]):
        if call.kind != "function" or not any(whole in refs_of(one) for one in sequence.calls):
            continue
        for part in dict.fromkeys(arg.index for arg in arguments(call) if isinstance(arg, Ref)):
            yield with_result_of(sequence, part, whole)
