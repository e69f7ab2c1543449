"""Redundant tests: the published table, the order of the five techniques, what is not judged."""

from __future__ import annotations

import contextlib
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent / "recording"))
from recorded_modules import module_of, recording_of, subject

from unitcraft.suite.existing.redundancy import broken_assumptions, erratic_inputs, redundant_tests
from unitcraft.suite.recording.recordings import REPRESENTATIONS

CALLS = st.one_of(
    st.tuples(st.just("push"), st.integers(0, 2)),
    st.tuples(st.sampled_from(["pop", "is_empty"])),
)
SUITES = st.lists(st.lists(CALLS, max_size=6), max_size=10)


def ran(module, calls, kind="IntStack"):
    def test():
        stack = getattr(module, kind)()
        for name, *args in calls:
            with contextlib.suppress(IndexError):
                getattr(stack, name)(*args)

    return test


def redundant(recording, representation):
    return [one.test.node for one in redundant_tests(recording, representation)]


T1 = [("is_empty",), ("push", 3), ("push", 2), ("pop",), ("push", 5)]
T2 = [("push", 3), ("push", 5)]
T3 = [("push", 3), ("push", 2), ("pop",)]


@pytest.mark.parametrize(
    ("representation", "expected"),
    list(zip(REPRESENTATIONS, [[], ["2"], ["2"], ["1", "2"], ["1", "2"]], strict=True)),
)
def test_published_table(representation, expected):
    module = subject("int_stack")
    recording = recording_of(module, *[ran(module, calls) for calls in (T1, T2, T3)])
    assert redundant(recording, representation) == expected


@given(SUITES)
def test_each_technique_finds_what_the_stricter_ones_find(suite):
    module = subject("int_stack")
    recording = recording_of(module, *[ran(module, calls) for calls in suite])
    found = [set(redundant(recording, one)) for one in REPRESENTATIONS]
    assert all(fewer <= more for fewer, more in pairwise(found))
    assert not erratic_inputs(recording)


@given(SUITES)
def test_whole_state_agrees_with_a_model(suite):
    """Known by construction: a state is the array, stale slots included, and the size."""
    module = subject("int_stack")
    recording = recording_of(module, *[ran(module, calls) for calls in suite])
    seen, expected = set(), []
    for number, calls in enumerate(suite):
        executed = {("new",)}
        store, size = [None] * 3, 0
        for name, *args in calls:
            executed.add((name, *args, tuple(store), size))
            if name == "push":
                store += [None] * len(store) if size == len(store) else []
                store[size] = args[0]
                size += 1
            elif name == "pop" and size:
                size -= 1
        expected += [str(number)] if executed <= seen else []
        seen |= executed
    assert redundant(recording, "WholeState") == expected


@given(SUITES)
def test_equal_stacks_are_those_with_equal_contents(suite):
    module = subject("int_stack")
    recording = recording_of(module, *[ran(module, calls) for calls in suite])
    seen, expected = set(), []
    for number, calls in enumerate(suite):
        executed, contents = {("new",)}, []
        for name, *args in calls:
            executed.add((name, *args, tuple(contents)))
            if name == "push":
                contents.append(args[0])
            elif name == "pop" and contents:
                contents.pop()
        expected += [str(number)] if executed <= seen else []
        seen |= executed
    assert redundant(recording, "MonitorEquals") == expected
    assert redundant(recording, "PairwiseEquals") == expected


BAG = """
class Bag:
    def __init__(self):
        self.items = []
    def add(self, item):
        self.items.append(item)
    def __eq__(self, other):
        return sorted(self.items) == sorted(other.items)
    def first(self):
        return self.items[0]
"""


def test_pairwise_merges_what_fields_tell_apart():
    """The example of sets: equal, but what ``==`` reads is not the same."""
    module = module_of(BAG)
    suite = [[("add", 1), ("add", 2), ("add", 3)], [("add", 2), ("add", 1)], [("add", 2)]]
    suite += [[("add", 1), ("add", 2), ("add", 3)], [("add", 2), ("add", 1), ("add", 3)]]
    recording = recording_of(module, *[ran(module, calls, "Bag") for calls in suite])
    assert redundant(recording, "MonitorEquals") == ["2", "3"]
    assert redundant(recording, "PairwiseEquals") == ["2", "3", "4"]


def test_disagreeing_eq_is_reported():
    module = module_of(BAG)
    suite = [[("add", 1), ("add", 2), ("first",)], [("add", 2), ("add", 1), ("first",)]]
    recording = recording_of(module, *[ran(module, calls, "Bag") for calls in suite])
    kinds = [(one.kind, one.subject.partition(":")[2]) for one in broken_assumptions(recording)]
    assert kinds == [("eq-disagrees", "Bag.first")]


def test_a_test_without_executions_is_not_judged():
    module = subject("int_stack")
    recording = recording_of(module, lambda: None, lambda: None)
    assert [redundant(recording, one) for one in REPRESENTATIONS] == [[]] * 5


def test_inputs_that_do_not_repeat_make_no_test_redundant():
    module = module_of("import itertools\nC = itertools.count()\ndef tick():\n    return next(C)\n")
    recording = recording_of(module, module.tick, module.tick)
    assert [redundant(recording, one) for one in REPRESENTATIONS] == [[]] * 5
    assert [one.kind for one in broken_assumptions(recording)] == ["not-repeatable"]


def test_repeated_tests_are_named():
    module = subject("int_stack")
    suite = [[("push", 3)], [("pop",)], [("push", 3)], [("pop",)]]
    recording = recording_of(module, *[ran(module, calls) for calls in suite])
    found = redundant_tests(recording, "WholeSeq")
    assert [(one.test.node, [test.node for test in one.by]) for one in found] == [
        ("2", ["0"]),
        ("3", ["1"]),
    ]


def test_few_tests_are_named_the_twin_first():
    module = subject("int_stack")
    suite = [[("push", 3)], [("pop",)], [("is_empty",)], [("push", 3), ("pop",)]]
    suite += [[("pop",), ("is_empty",)], [("push", 3), ("pop",)]]
    recording = recording_of(module, *[ran(module, calls) for calls in suite])
    found = redundant_tests(recording, "WholeSeq")
    assert [(one.test.node, [test.node for test in one.by]) for one in found] == [("5", ["3"])]
