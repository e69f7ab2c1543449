"""Differences between two runs of the same tests: made Recordings, known answers."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

sys.path.insert(0, str(Path(__file__).parent / "recording"))
from recorded_modules import recording_of

from unitcraft.suite.existing.flakiness import (
    OTHER_ORDER,
    SAME_CONDITIONS,
    FlakyTest,
    conditions,
    flaky_tests,
    is_flaky,
    under_other_conditions,
)
from unitcraft.suite.recording.record import SuiteSpec

SOURCE = """
STATE = {}

def read(key):
    return STATE.get(key)

def plain(number):
    return number

class Thing:
    def __hash__(self):
        return STATE["key"]
"""

TESTS = [
    lambda module: module.read("key"),
    lambda module: module.plain(1),
    lambda module: hash(module.Thing()),
    lambda module: module.plain(module.STATE["key"]),
    lambda module: module.plain(3) if module.STATE["key"] == 1 else module.read("no"),
]


def run(key, name="steady_subject"):
    """The tests recorded with a module of that name whose STATE holds ``key``."""
    module = sys.modules[name] = ModuleType(name)
    exec(compile(SOURCE, f"<{name}>", "exec"), module.__dict__)
    module.STATE["key"] = key
    return recording_of(module, *[lambda test=test: test(module) for test in TESTS])


def test_results_and_calls_are_compared_but_neither_hashes_nor_new_inputs():
    found = flaky_tests(run(1), run(2))
    assert [(one.test.node, one.how) for one in found] == [
        ("0", "steady_subject:read gave another result for the same input"),
        ("4", "steady_subject:plain was called in one of two runs only"),
    ]
    assert all(one.is_hidden for one in found)


def test_equal_runs_do_not_differ():
    assert flaky_tests(run(1), run(1)) == ()


def test_verdicts_and_missing_tests_are_no_hidden_differences():
    one, other = run(1), run(1)
    first, second, *_ = other.tests
    changed = replace(other, tests=(replace(first, verdict="failed"), second))
    found = flaky_tests(one, changed)
    assert [(one.how, one.is_hidden) for one in found] == [
        ("passed first and failed then", False), *[("did not run again", False)] * 3
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("hidden", "causes", "expected"),
    [
        (False, [], True),
        (False, [SAME_CONDITIONS, OTHER_ORDER], True),
        (True, [], False),
        (True, [OTHER_ORDER], False),
        (True, ["another date"], True),
        (True, [OTHER_ORDER, "another hash seed"], False),
        (True, ["another hash seed", "another date"], True),
        (True, [SAME_CONDITIONS, "another date"], False),
    ],
)
def test_what_is_worth_a_finding(hidden, causes, expected):
    test = run(1).tests[0]
    assert is_flaky(FlakyTest(test, "how", hidden), causes) is expected


def test_conditions_are_those_of_the_second_run():
    spec = SuiteSpec((), (), "")
    changed = [spec for _, spec in conditions(spec)][1:]
    one = under_other_conditions(spec)
    assert [each.reverse for each in changed] == [True, False, False]
    assert [each.hash_seed for each in changed] == [0, one.hash_seed, 0]
    assert [each.clock_shift for each in changed] == [0.0, 0.0, one.clock_shift]
