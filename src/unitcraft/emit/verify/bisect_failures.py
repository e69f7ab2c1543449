"""Finds, by bisection, the tests after which the process of a file does not end as it should.

Invariant: every test that is returned was in a run that ended badly and of which no smaller
part did, as far as the bound on runs allows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

#: Runs to spend on one search; a part that is undecided then is returned as a whole.
MAX_RUNS: Final = 40

T = TypeVar("T")


def bisect_failures(tests: Sequence[T], ends_well: Callable[[Sequence[T]], bool]) -> list[T]:
    """The ``tests`` after which a run does not end well, found by halving.

    Empty when the whole ends well, or when only tests of both halves together end it badly.
    """
    found: list[T] = []
    waiting = [list(tests)]
    runs = 0
    while waiting:
        part = waiting.pop()
        if runs < MAX_RUNS:
            runs += 1
            if ends_well(part):
                continue
            if len(part) > 1:
                middle = len(part) // 2
                waiting += [part[middle:], part[:middle]]
                continue
        found += part
    return found
