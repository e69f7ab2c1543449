"""Which tests of a file keep its process from ending as it should.

Invariant: every test that is named was in a run that ended badly and that holds no smaller
part which did, as far as ``MOST_RUNS`` allows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

#: Runs to spend on one search; what is undecided then is named as a whole.
MOST_RUNS: Final = 40

T = TypeVar("T")


def culprits(tests: Sequence[T], ends_well: Callable[[Sequence[T]], bool]) -> list[T]:
    """The ``tests`` after which a run does not end well, found by halving.

    Empty when the whole ends well, or when only tests of both halves together end it badly.
    """
    found: list[T] = []
    waiting = [list(tests)]
    runs = 0
    while waiting:
        part = waiting.pop()
        if runs < MOST_RUNS:
            runs += 1
            if ends_well(part):
                continue
            if len(part) > 1:
                middle = len(part) // 2
                waiting += [part[middle:], part[:middle]]
                continue
        found += part
    return found
