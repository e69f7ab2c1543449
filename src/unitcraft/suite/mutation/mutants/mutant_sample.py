"""A choice of the mutants of a module, where there are too many to try all.

Invariant: the choice follows from the source text, the limits and the random numbers alone; each
function and each value keeps a share.  The choice of data is the same for every seed, so that
``generate`` and ``mutants run`` count the same mutants.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from random import Random
from typing import Final

from unitcraft.suite.mutation.mutants.source_mutants import SourceMutant

#: Mutants of one value: those of a large table are sampled.
MAX_MUTANTS_PER_VALUE: Final = 24
#: Data mutants of a module: a larger set is sampled.
MAX_DATA_MUTANTS: Final = 240
#: Mutants that each function keeps when the mutants of functions are sampled.
MIN_MUTANTS_OF_FUNCTION: Final = 4


def sample_code(mutants: Iterable[SourceMutant], limit: int, rng: Random) -> list[SourceMutant]:
    """About ``limit`` mutants of functions in source order, for each function in proportion."""
    groups = _groups(one for one in mutants if one.value is None)
    total = sum(map(len, groups))
    chosen: list[SourceMutant] = []
    for group in groups:
        share = len(group)
        if total > limit:
            share = min(share, max(MIN_MUTANTS_OF_FUNCTION, share * limit // total))
        chosen += _choose(group, share, rng)
    return chosen


def sample_data(mutants: Iterable[SourceMutant]) -> list[SourceMutant]:
    """At most ``MAX_DATA_MUTANTS`` mutants of data in source order."""
    rng = Random(0)  # noqa: S311 - a sample, not a secret
    chosen: list[SourceMutant] = []
    for group in _groups(one for one in mutants if one.value is not None):
        many = len(group) > MAX_MUTANTS_PER_VALUE
        chosen += _choose(group, MAX_MUTANTS_PER_VALUE, rng) if many else group
    return _choose(chosen, MAX_DATA_MUTANTS, rng) if len(chosen) > MAX_DATA_MUTANTS else chosen


def _groups(mutants: Iterable[SourceMutant]) -> list[list[SourceMutant]]:
    """The mutants of each function or value."""
    return [list(group) for _, group in groupby(mutants, lambda one: id(one.owner))]


def _choose(group: list[SourceMutant], count: int, rng: Random) -> list[SourceMutant]:
    return [group[at] for at in sorted(rng.sample(range(len(group)), count))]
