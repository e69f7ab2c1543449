"""Covered branches, and the uncovered ones beside them."""

from __future__ import annotations

from unitcraft.explore.statespace.branch_coverage import BranchCoverage

SITES = [
    ("m", "f", 1, "entry", "entered"),
    ("m", "f", 2, "if", "true"),
    ("m", "f", 2, "if", "false"),
    ("m", "f", 2, "condition", "true"),
    ("m", "f", 2, "condition", "false"),
    ("m", "", 9, "if", "true"),
]


def test_only_what_no_run_hit_before_is_new():
    covering = BranchCoverage(SITES)
    assert covering.note((0, 1, 3))
    assert not covering.note((1, 3))
    assert covering.note((0, 2))


def test_beside_are_the_other_outcomes_of_the_same_line_and_kind():
    covering = BranchCoverage(SITES)
    covering.note((0, 1, 3))
    assert covering.beside((0,)) == 0
    assert covering.beside((1,)) == 1
    assert covering.beside((1, 3)) == 2
    covering.note((2,))
    assert covering.beside((1, 3)) == 1


def test_branches_are_those_of_statements_in_functions():
    covering = BranchCoverage(SITES)
    covering.note((0, 1, 3, 5))
    assert covering.branches() == (2, 3)
