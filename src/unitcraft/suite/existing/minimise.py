"""Test-suite minimisation: a suite without its redundant tests.

Invariant: the kept tests cover every branch that the whole suite covers, and every dropped test is
redundant; a redundant test is kept if a pragma says so, or if it has an assertion that none of the
tests that it repeats has.

Source: ROSTRA, "Quality of Minimized Test Suites"; *differs*: branches are verified, not
expected to stay.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from unitcraft.suite.existing.redundancy import RedundantTest, redundant_tests
from unitcraft.suite.recording.cover import SuiteCoverage
from unitcraft.suite.recording.recordings import (
    RecordedTest,
    Recording,
    Representation,
    TestLocation,
)

KEPT_BY_PRAGMA: Final = "a pragma keeps it"
ASSERTS_MORE: Final = "it asserts what none of the tests that it repeats asserts"
LOSES_BRANCHES: Final = "branches would be lost"

#: The assertions of a test in normal form; None when its source cannot be read.
NormalForms = Callable[[RecordedTest], frozenset[str] | None]


@dataclass(frozen=True, slots=True)
class KeptRedundant:
    """A redundant test that is kept, and why."""

    redundant: RedundantTest
    why: str


@dataclass(frozen=True, slots=True)
class Minimisation:
    """The kept tests, the dropped ones, and the redundant ones among the kept, with reasons."""

    kept: tuple[RecordedTest, ...]
    dropped: tuple[RedundantTest, ...]
    held: tuple[KeptRedundant, ...]


def minimise_suite(
    recording: Recording,
    representation: Representation,
    covered: SuiteCoverage,
    is_kept: Callable[[TestLocation], bool],
    normal_forms: NormalForms | None = None,
) -> Minimisation:
    """Drop the redundant tests of a suite.

    ``normal_forms`` gives the assertions of a test; None: assertions are not compared.
    """
    dropped: list[RedundantTest] = []
    held: list[KeptRedundant] = []
    for one in redundant_tests(recording, representation):
        place = one.test.place
        if place is not None and is_kept(place):
            held.append(KeptRedundant(one, KEPT_BY_PRAGMA))
        elif normal_forms is not None and not asserts_nothing_new(one, normal_forms):
            held.append(KeptRedundant(one, ASSERTS_MORE))
        else:
            dropped.append(one)
    dropped, needed = _split_by_branches(recording, dropped, covered)
    gone = {one.test.node for one in dropped}
    return Minimisation(
        tuple(test for test in recording.tests if test.node not in gone),
        tuple(dropped),
        (*held, *(KeptRedundant(one, LOSES_BRANCHES) for one in needed)),
    )


def asserts_nothing_new(one: RedundantTest, normal_forms: NormalForms) -> bool:
    """Does every assertion of a redundant test occur in a test that it repeats?"""
    mine = normal_forms(one.test)
    if mine is None:
        return False
    theirs = [normal_forms(test) for test in one.by]
    return mine <= frozenset[str]().union(*(each for each in theirs if each is not None))


def _split_by_branches(
    recording: Recording, dropped: list[RedundantTest], covered: SuiteCoverage
) -> tuple[list[RedundantTest], list[RedundantTest]]:
    """The tests that may be dropped, and those that cover a branch that no other test covers."""
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
