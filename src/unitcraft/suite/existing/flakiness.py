"""Flaky tests: tests whose result depends on the hash seed, the date or the order of tests.

Invariant: an input that is new in the second run proves nothing (it may contain the name of a
scratch file); only a different verdict, another set of methods, or another result of the same input
is a difference.  A run that died says nothing about the tests that it did not reach.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from unitcraft.suite.recording.record import SuiteSpec
from unitcraft.suite.recording.recordings import RecordedTest, Recording
from unitcraft.suite.tests import OTHER_CLOCK_SHIFT, OTHER_HASH_SEED

#: Names of conditions.
SAME_CONDITIONS: Final = "the same conditions"
OTHER_ORDER: Final = "another order of the tests"
OTHER_HASHING: Final = "another hash seed"
OTHER_DATE: Final = "another date"


@dataclass(frozen=True, slots=True)
class FlakyTest:
    """A test whose verdict differs between two runs, and how."""

    test: RecordedTest
    how: str


def under_other_conditions(spec: SuiteSpec) -> SuiteSpec:
    """The same suite with another hash seed, a later clock and the tests in reverse order."""
    return replace(spec, hash_seed=OTHER_HASH_SEED, clock_shift=OTHER_CLOCK_SHIFT, reverse=True)


def conditions(spec: SuiteSpec) -> Iterator[tuple[str, SuiteSpec]]:
    """The unchanged suite, then each changed condition alone, with its name."""
    yield SAME_CONDITIONS, spec
    yield OTHER_ORDER, replace(spec, reverse=True)
    yield OTHER_HASHING, replace(spec, hash_seed=OTHER_HASH_SEED)
    yield OTHER_DATE, replace(spec, clock_shift=OTHER_CLOCK_SHIFT)


def flaky_tests(one: Recording, other: Recording) -> tuple[FlakyTest, ...]:
    """The tests with another verdict, in the order of the first run, as far as the other came.

    A function whose rows had other names then (they come from a set, say) counts once.
    """
    others = {test.node: test for test in other.tests}
    rows_then = {_function(test) for test in other.tests}
    has_died = any(test.verdict == "died" for test in other.tests)
    missing = [test for test in one.tests if test.node not in others and not has_died]
    gone = {test.node for test in missing}
    renamed = Counter(_function(test) for test in missing if _function(test) in rows_then)
    found = []
    for test in one.tests:
        if count := renamed.pop(_function(test), 0):
            found.append(FlakyTest(test, f"{count} of its rows had other names"))
        if test.node in others and test.verdict != others[test.node].verdict:
            how = f"{test.verdict} first and {others[test.node].verdict} then"
            found.append(FlakyTest(test, how))
        elif test.node in gone and _function(test) not in rows_then:
            found.append(FlakyTest(test, "did not run again"))
    return tuple(found)


def _function(test: RecordedTest) -> str:
    """The node id of a test without its row."""
    return test.node.partition("[")[0]


def unreached_tests(one: Recording, other: Recording) -> tuple[str, int] | None:
    """The test in which the other run died, and how many of the first run's it did not reach."""
    died = next((test.node for test in other.tests if test.verdict == "died"), None)
    reached = {test.node for test in other.tests}
    missed = sum(test.node not in reached for test in one.tests)
    return (died, missed) if died is not None and missed else None
