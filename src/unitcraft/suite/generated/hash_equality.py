"""A hash is no behaviour, but equal objects have equal ones: tests of ``__hash__`` make two.

Invariant: both objects are made by the same Calls, and nothing else was done with the first.
"""

from __future__ import annotations

from unitcraft.core.sequences import (
    Call,
    Ref,
    Sequence,
    connected_calls,
    renumber_call,
    slice_sequence,
)

#: Kinds of Calls that make an object anew when they are repeated.
_MAKING = ("function", "operator")


def compare_hashes(sequence: Sequence) -> Sequence:
    """``sequence``, or one that compares the hash of an object, its end, with that of an equal one.

    Nothing is compared where the object was used before, or where its surroundings are arranged.
    """
    hashed = sequence.calls[-1]
    of = hashed.args[0] if hashed.args else None
    if not is_hash(hashed) or not isinstance(of, Ref):
        return sequence
    made = slice_sequence(sequence, (of.index,)).calls
    calls = sequence.calls[:-1]
    touched = connected_calls(Sequence(calls), (of.index,))
    fresh = len(made) == len(calls) == len(touched) == of.index + 1
    if not fresh or any(call.kind not in _MAKING for call in made):
        return sequence
    start = len(calls)
    where = {index: index + start for index in range(start)}
    again = [renumber_call(call, where) for call in calls]
    hashes = [Call("operator", "hash", (Ref(at),)) for at in (start - 1, 2 * start - 1)]
    both = Call("operator", "==", (Ref(2 * start), Ref(2 * start + 1)))
    return Sequence((*calls, *again, *hashes, both))


def is_hash(call: Call) -> bool:
    """Does the Call ask for a hash?"""
    return call.kind == "operator" and call.name == "hash"
