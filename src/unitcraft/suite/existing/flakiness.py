"""Flaky tests: tests whose result depends on the hash seed, the date or the order of tests.

Invariant: an input that is new in the second run proves nothing (it may contain the name of a
scratch file); only a different verdict, another set of methods, or another result of the same input
makes a test flaky.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from unitcraft.suite.existing.redundancy import erratic_inputs
from unitcraft.suite.recording.record import SuiteSpec
from unitcraft.suite.recording.recordings import RecordedTest, Recording
from unitcraft.suite.tests import OTHER_CLOCK_SHIFT, OTHER_HASH_SEED

#: Names of conditions.
SAME_CONDITIONS: Final = "the same conditions"
OTHER_ORDER: Final = "another order of the tests"
OTHER_HASHING: Final = "another hash seed"
OTHER_DATE: Final = "another date"

#: Columns of an execution's row: the input under WholeState, exit state, outcome.
_STATE, _EXIT, _OUTCOME = 3, 6, 7


@dataclass(frozen=True, slots=True)
class FlakyTest:
    """A test that differs between two runs, and how.

    ``is_hidden``: its verdict does not differ, only what it executed does.
    """

    test: RecordedTest
    how: str
    is_hidden: bool = False


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
    """The tests that differ, in the order of the first run."""
    others = {test.node: test for test in other.tests}
    first, second = _Facts(one), _Facts(other)
    found = []
    for test in one.tests:
        if test.node not in others:
            found.append(FlakyTest(test, "did not run again"))
        elif test.verdict != others[test.node].verdict:
            how = f"{test.verdict} first and {others[test.node].verdict} then"
            found.append(FlakyTest(test, how))
        elif how := _difference(test, others[test.node], first, second):
            found.append(FlakyTest(test, how, is_hidden=True))
    return tuple(found)


def is_flaky(one: FlakyTest, causes: Sequence[str]) -> bool:
    """Is a difference worth a finding, when these conditions alone show one?

    A different verdict always is.  A difference in what was executed is not, if it appears without
    any changed condition (addresses, threads), by the order (caches of the subjects) or by the hash
    seed (sets: a test that passes either way allows for them).
    """
    return not one.is_hidden or (
        SAME_CONDITIONS not in causes and bool(set(causes) - {OTHER_ORDER, OTHER_HASHING})
    )


def _difference(test: RecordedTest, again: RecordedTest, one: _Facts, other: _Facts) -> str:
    mine, theirs = one.results(test), other.results(again)
    for key, (name, result) in mine.items():
        if key in theirs and theirs[key][1] != result:
            return f"{name} gave another result for the same input"
    called, called_again = one.invocables(test), other.invocables(again)
    if called != called_again:
        name = min(called ^ called_again)
        return f"{name} was called in one of two runs only"
    return ""


class _Facts:
    """A Recording with its erratic inputs, as digests that two runs share."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        numbers = erratic_inputs(recording)
        self._erratic = frozenset(recording.digests[number] for number in numbers)

    def results(self, test: RecordedTest) -> dict[bytes, tuple[str, tuple[bytes, bytes]]]:
        """Input under WholeState -> (invocable, what came of it), where both can be read.

        Hashes are left out: they depend on the hash seed by design.
        """
        return {
            one.inputs[2]: (one.invocable, (one.exit, one.outcome))
            for one in self._recording.executions(test)
            if one.inputs[2] is not None
            and one.exit is not None
            and one.outcome is not None
            and one.inputs[2] not in self._erratic
            and not one.invocable.endswith("__hash__")
        }

    def invocables(self, test: RecordedTest) -> frozenset[str]:
        """The Invocables that the test called."""
        return frozenset(one.invocable for one in self._recording.executions(test))
