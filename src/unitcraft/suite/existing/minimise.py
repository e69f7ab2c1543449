"""A suite without its redundant tests.

Invariant: what stays takes every branch that the whole suite takes, and every test that goes is
redundant; a test that must stay, or asserts what no other test asserts, is held back.

Source: ROSTRA, "Quality of Minimized Test Suites"; *differs*: branches are verified, not
expected to stay.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from unitcraft.suite.existing.redundancy import Redundant, redundant_tests
from unitcraft.suite.recording.cover import Covered
from unitcraft.suite.recording.recordings import Place, RecordedTest, Recording, Representation

KEPT: Final = "a pragma keeps it"
OWN_CLAIMS: Final = "it asserts what none of the tests that it repeats asserts"
BRANCHES: Final = "branches would be lost"

#: The assertions of a test as comparable texts; None when they cannot be read.
Claims = Callable[[RecordedTest], frozenset[str] | None]


@dataclass(frozen=True, slots=True)
class Held:
    """A redundant test that stays nevertheless, and why."""

    redundant: Redundant
    why: str


@dataclass(frozen=True, slots=True)
class Minimised:
    """What stays, what goes, and what is redundant and stays nevertheless."""

    kept: tuple[RecordedTest, ...]
    dropped: tuple[Redundant, ...]
    held: tuple[Held, ...]


def minimised(
    recording: Recording,
    representation: Representation,
    covered: Covered,
    is_kept: Callable[[Place], bool],
    claims: Claims | None = None,
) -> Minimised:
    """The suite without its redundant tests; without ``claims``, assertions are not compared."""
    dropped: list[Redundant] = []
    held: list[Held] = []
    for one in redundant_tests(recording, representation):
        place = one.test.place
        if place is not None and is_kept(place):
            held.append(Held(one, KEPT))
        elif claims is not None and not claims_nothing_new(one, claims):
            held.append(Held(one, OWN_CLAIMS))
        else:
            dropped.append(one)
    dropped, needed = _split(recording, dropped, covered)
    gone = {one.test.node for one in dropped}
    return Minimised(
        tuple(test for test in recording.tests if test.node not in gone),
        tuple(dropped),
        (*held, *(Held(one, BRANCHES) for one in needed)),
    )


def claims_nothing_new(one: Redundant, claims: Claims) -> bool:
    """Do the tests that a redundant one repeats assert all that it asserts?"""
    mine = claims(one.test)
    if mine is None:
        return False
    theirs = [claims(test) for test in one.by]
    return mine <= frozenset[str]().union(*(each for each in theirs if each is not None))


def _split(
    recording: Recording, dropped: list[Redundant], covered: Covered
) -> tuple[list[Redundant], list[Redundant]]:
    """Those that may go, and those that take a branch that nothing else takes."""
    gone = {one.test.node for one in dropped}
    taken = covered.of(test.node for test in recording.tests if test.node not in gone)
    may_go, needed = [], []
    for one in dropped:
        own = covered.of([one.test.node])
        if own <= taken:
            may_go.append(one)
        else:
            needed.append(one)
            taken |= own
    return may_go, needed
