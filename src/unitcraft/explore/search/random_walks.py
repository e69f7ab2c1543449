"""Long histories of one object: random walks over the calls that change its state.

Invariant: a walk starts from a known state and uses small argument alphabets,
so that values meet again and structures grow deep instead of wide.
"""

from __future__ import annotations

from random import Random

from unitcraft.core.sequences import Call, Ref, Sequence
from unitcraft.explore.search.object_pool import ObjectPool, pick
from unitcraft.explore.search.sequence_generator import Proposer

#: Calls in a walk, at least: shorter histories are proposed one by one.
MIN_STEPS = 3
#: Calls in a walk, at most.
MAX_STEPS = 16

#: States, the earliest ones, from which walks start.
MAX_STARTS = 20


def walks(
    owner: str,
    changing: list[Proposer],
    others: list[Proposer],
    objects: ObjectPool,
    rng: Random,
    count: int,
) -> list[tuple[str, Sequence]]:
    """``count`` walks on objects of ``owner``: (Invocable of the last Call, Sequence).

    ``changing`` are methods that were seen to change the state; the last Call may be
    one of ``others`` too.
    """
    seeds = objects.seeds(owner)
    made: list[tuple[str, Sequence]] = []
    for _ in range(count if seeds and changing else 0):
        seed = pick(seeds[:MAX_STARTS], rng)
        calls = list(seed.sequence.calls)
        receiver = Ref(seed.index)
        mix = [changing[rng.randrange(len(changing))] for _ in range(2)] + changing
        for _ in range(rng.randint(MIN_STEPS, MAX_STEPS)):
            _extend(calls, mix[rng.randrange(len(mix))], receiver, rng)
        last = (changing + others)[rng.randrange(len(changing) + len(others))]
        if _extend(calls, last, receiver, rng):
            made.append((last.invocable.id, Sequence(tuple(calls))))
    return made


def _extend(calls: list[Call], proposer: Proposer, receiver: Ref, rng: Random) -> bool:
    call = proposer.step(receiver, rng)
    if call is None:
        return False
    calls.append(call)
    return True
