"""Which runs are tried on which mutants, where there are too many to try all on all.

Invariant: the choice follows from the order of the runs, the cheapest first, and from what they
reach; those that were made towards a mutant are tried on it before others.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

#: Executions tried on one mutant.  Halved: 32 fewer mutants of 391 killed.
MAX_TESTS: Final = 24
#: Executions that are tried on each mutant before mutants are left out.
MIN_TESTS: Final = 6
#: Executions tried on a mutant whose line none of them is seen to run.
MAX_UNREACHING: Final = 2


def reaching(tests: list[int], lines: list[frozenset[int]], first: int, last: int) -> list[int]:
    """Those of ``tests`` that run a line from ``first`` to ``last``.

    A few of all where no test is seen to: code that runs in another process is not seen.
    """
    if not last:
        return tests
    span = range(first, last + 1)
    found = [at for at in tests if not lines[at].isdisjoint(span)]
    return found or spread(tests, MAX_UNREACHING)


def spread(tests: list[int], most: int) -> list[int]:
    """At most ``most`` tests: the cheapest, and as many spread evenly over the other ones."""
    if len(tests) <= most:
        return tests
    half = most // 2
    if not half:
        return tests[:most]
    step = (len(tests) - half) / half
    return tests[:half] + [tests[half + int(number * step)] for number in range(half)]


def aimed_first(tests: list[int], aimed: AbstractSet[int], most: int) -> list[int]:
    """At most ``most`` of ``tests``: those that are ``aimed`` at the mutant, then ``spread`` ones.

    What was made towards a mutant is mostly dearer than what was there before it.
    """
    wanted = [at for at in tests if at in aimed][:most]
    others = spread([at for at in tests if at not in aimed], most - len(wanted))
    return sorted([*wanted, *others])


def affordable(trials: dict[int, list[int]], sizes: list[int], most: int) -> dict[int, list[int]]:
    """The ``trials`` (mutant -> candidates) that ``most`` bytes are enough for.

    ``sizes`` are those of the candidates.  Where all take more, fewer candidates are tried on each
    mutant, then fewer mutants, spread evenly.
    """

    def total() -> int:
        return sum(sizes[at] for tests in trials.values() for at in tests)

    if (all_of_them := total()) > most:
        each = max(MIN_TESTS, MAX_TESTS * most // all_of_them)
        trials = {number: spread(tests, each) for number, tests in trials.items()}
    if (still := total()) > most:
        numbers = list(trials)
        count = len(numbers) * most // still
        trials = {at: trials[at] for at in numbers[:: -(-len(numbers) // max(1, count))]}
    return trials
