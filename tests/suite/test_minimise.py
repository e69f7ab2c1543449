"""Minimised, ordered and assessed: the published tests, with branches made up to be lost."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "recording"))
from recorded_modules import module_of, recording_of, subject

from unitcraft.suite.existing.assess import assess_suite, predict_representation
from unitcraft.suite.existing.minimise import TAKES_MORE, minimise_suite
from unitcraft.suite.existing.prioritise import prioritise_tests
from unitcraft.suite.existing.redundancy import redundant_tests
from unitcraft.suite.recording.cover import SuiteCoverage
from unitcraft.suite.recording.recordings import REPRESENTATIONS

T1 = [("is_empty",), ("push", 3), ("push", 2), ("pop",), ("push", 5)]
T2 = [("push", 3), ("push", 5)]
T3 = [("push", 3), ("push", 2), ("pop",)]


def ran(module, calls):
    def test():
        stack = module.IntStack()
        for name, *args in calls:
            getattr(stack, name)(*args)

    return test


@pytest.fixture
def recording():
    module = subject("int_stack")
    return recording_of(module, *[ran(module, calls) for calls in (T1, T2, T3)])


def covered(*own):
    taken = sorted({branch for each in own for branch in each})
    by_test = {str(number): frozenset(each) for number, each in enumerate(own)}
    return SuiteCoverage(tuple(f"b{one}" for one in taken), 1, by_test, {})


SAME = covered({0}, {0}, {0})


@pytest.mark.parametrize(
    ("representation", "expected"),
    list(zip(REPRESENTATIONS, [[], ["2"], ["2"], ["1", "2"], ["1", "2"]], strict=True)),
)
def test_published_tests(recording, representation, expected):
    found = minimise_suite(recording, representation, SAME, lambda _: False)
    assert [one.test.node for one in found.dropped] == expected
    assert len(found.kept) + len(expected) == 3


def test_a_test_that_takes_a_branch_which_those_that_it_repeats_do_not_stays(recording):
    """Another test that takes it, too, may have taken it for another reason."""
    ways = covered({0}, {0, 1}, {0})
    found = minimise_suite(recording, "PairwiseEquals", ways, lambda _: False)
    assert [one.test.node for one in found.dropped] == ["2"]
    assert [(one.redundant.test.node, one.why) for one in found.held] == [("1", TAKES_MORE)]


def test_order_is_by_branches_then_executions(recording):
    order = prioritise_tests(recording, covered({0}, {0, 1, 2}, {3}))
    assert [(one.test.node, one.branches, one.executions) for one in order] == [
        ("1", 3, 3), ("2", 1, 2), ("0", 0, 2),
    ]  # fmt: skip


def test_figures(recording):
    found = assess_suite(recording, SAME, 0.5)
    assert (found.tests, found.passed, found.executions) == (3, 3, 13)
    assert (found.seconds, found.plain_seconds) == (recording.seconds, 0.5)
    assert (found.branches, found.all_branches) == (1, 2)
    assert list(found.redundant.values()) == [0, 1, 1, 2, 2]
    assert list(found.inputs.values()) == sorted(found.inputs.values(), reverse=True)


def test_prediction_names_what_pays_off(recording):
    """Of ten inputs only ``is_empty`` tells three from others, a popped slot one of the rest."""
    found = predict_representation(recording)
    assert found.representation == "MonitorEquals"
    assert [found.preserving, found.returning, found.irrelevant] == pytest.approx(
        [3 / 10, 0, 1 / 7]
    )


@pytest.mark.parametrize(
    ("way", "expected"),
    [((), "WholeSeq"), (("contains", 1), "ModifyingSeq"), (("remove", 1), "WholeState")],
)
def test_prediction_by_what_the_calls_do(way, expected):
    """Of a tree: different insertions, one after a question, one after a detour."""
    module = subject("bin_search_tree")

    def test():
        tree = module.BinSearchTree()
        if way:
            tree.insert(1)
            getattr(tree, way[0])(*way[1:])
        tree.insert(1)
        tree.insert(2)

    def plain():
        tree = module.BinSearchTree()
        tree.insert(1)
        tree.insert(1 if way[:1] == ("contains",) else 2)
        tree.insert(2 if way else 3)

    recording = recording_of(module, plain, test)
    assert predict_representation(recording).representation == expected


def test_foreign_results_are_not_judged():
    module = module_of("def numbers():\n    return iter([1, 2])\ndef plain():\n    return [1]\n")
    recording = recording_of(module, module.plain, module.plain, module.numbers, module.numbers)
    assert [test.is_foreign for test in recording.tests] == [False, False, True, True]
    assert [one.test.node for one in redundant_tests(recording, "WholeState")] == ["1"]
