"""Differences between two runs of the same tests: made Recordings, known answers."""

from __future__ import annotations

from array import array

from unitcraft.suite.existing.flakiness import (
    conditions,
    flaky_tests,
    under_other_conditions,
    unreached_tests,
)
from unitcraft.suite.recording.record import SuiteSpec
from unitcraft.suite.recording.recordings import RecordedTest, Recording


def run(**verdicts):
    """A run whose tests had these verdicts; each executed something else than in other runs."""
    tests = [
        RecordedTest(node, verdict, 0.0, 0, 0, len(verdicts)) for node, verdict in verdicts.items()
    ]
    return Recording(tuple(tests), (), (None,), array("I"))


FIRST = run(a="passed", b="passed", c="failed", d="passed")


def test_other_verdicts_and_missing_tests_are_differences():
    found = flaky_tests(FIRST, run(a="failed", b="passed", c="failed"))
    assert [(one.test.node, one.how) for one in found] == [
        ("a", "passed first and failed then"), ("d", "did not run again")
    ]  # fmt: skip


def test_rows_that_come_from_a_set_are_one_difference_of_their_function():
    rows = {"f[a-0]": "passed", "f[b-1]": "passed", "f[c-2]": "passed", "g[0]": "passed"}
    found = flaky_tests(run(**rows), run(**{"f[a-0]": "passed", "f[c-1]": "passed"}))
    assert [(one.test.node, one.how) for one in found] == [
        ("f[a-0]", "2 of its rows had other names"), ("g[0]", "did not run again")
    ]  # fmt: skip


def test_a_test_that_passes_in_both_runs_is_not_flaky_whatever_it_executed():
    assert flaky_tests(FIRST, run(b="passed", d="passed", a="passed", c="failed", e="passed")) == ()


def test_a_run_that_died_says_nothing_of_the_tests_that_it_did_not_reach():
    died = run(a="passed", b="died")
    assert [one.test.node for one in flaky_tests(FIRST, died)] == ["b"]
    assert unreached_tests(FIRST, died) == ("b", 2)
    assert unreached_tests(FIRST, run(a="passed")) is None
    assert unreached_tests(run(a="passed", b="passed"), died) is None


def test_conditions_are_those_of_the_second_run():
    spec = SuiteSpec((), (), "")
    changed = [spec for _, spec in conditions(spec)][1:]
    one = under_other_conditions(spec)
    assert [each.reverse for each in changed] == [True, False, False]
    assert [each.hash_seed for each in changed] == [0, one.hash_seed, 0]
    assert [each.clock_shift for each in changed] == [0.0, 0.0, one.clock_shift]
