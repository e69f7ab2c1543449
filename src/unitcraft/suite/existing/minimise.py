"""Test-suite minimisation: a suite without its redundant tests.

Invariant: the kept tests cover every branch that the whole suite covers, and every dropped test is
redundant; a redundant test is kept if a pragma says so, if it has an assertion that none of the
tests that it repeats has, or takes a branch that none of them takes.

Source: ROSTRA, "Quality of Minimized Test Suites"; *differs*: branches are verified, not
expected to stay.  Code that takes another way than it took for the same inputs has read something
that no representation shows (the settings of an application, a variable of its context).
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
TAKES_MORE: Final = "it takes branches that none of the tests that it repeats takes"

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
        elif not takes_nothing_new(one, covered):
            held.append(KeptRedundant(one, TAKES_MORE))
        else:
            dropped.append(one)
    gone = {one.test.node for one in dropped}
    return Minimisation(
        tuple(test for test in recording.tests if test.node not in gone),
        tuple(dropped),
        tuple(held),
    )


def asserts_nothing_new(one: RedundantTest, normal_forms: NormalForms) -> bool:
    """Does every assertion of a redundant test occur in a test that it repeats?"""
    mine = normal_forms(one.test)
    if mine is None:
        return False
    theirs = [normal_forms(test) for test in one.by]
    return mine <= frozenset[str]().union(*(each for each in theirs if each is not None))


def takes_nothing_new(one: RedundantTest, covered: SuiteCoverage) -> bool:
    """Does a redundant test take only branches of the tests that it repeats, which all stay?"""
    return covered.of([one.test.node]) <= covered.of(test.node for test in one.by)
