"""The Calls that one Call needs: those that it refers to, and what is arranged for it.

Invariant: each Ref of the answer points at what it pointed at before.
"""

from __future__ import annotations

from typing import Final

from unitcraft.core.sequences import Sequence, refs_of, renumber_call

#: Kinds of Calls that set something for those that follow.
SETTING: Final = ("arrange", "define", "set")


def with_what_it_needs(sequence: Sequence, last: int) -> Sequence:
    """Call number ``last`` after those that it refers to, and after what is arranged for it."""
    needed: set[int] = set()
    open_ = [last, *[at for at in range(last) if sequence.calls[at].kind in SETTING]]
    while open_:
        at = open_.pop()
        if at not in needed:
            needed.add(at)
            open_ += refs_of(sequence.calls[at])
    kept = sorted(needed)
    where = {old: new for new, old in enumerate(kept)}
    return Sequence(tuple([renumber_call(sequence.calls[old], where) for old in kept]))
