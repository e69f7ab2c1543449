"""The constraint tree: every leaf says what became of a branch, and nothing is lost."""

from __future__ import annotations

import pytest

from unitcraft.symbolic.terms.constraint_tree import MAX_VALUES, ConstraintTree, Diverged
from unitcraft.symbolic.terms.term import variable

X, Y = variable(0), variable(1)
LESS = ("<", X, 3)
ODD = ("==", ("%", Y, 2), 1)


def same(value):
    """The event that input 0 was pinned to ``value``."""
    return (("same", X, value), True)


def summary(tree):
    return [(leaf.condition(), leaf.status, leaf.reason) for leaf in tree.leaves()]


def test_a_run_leaves_an_unexplored_branch_beside_each_event():
    tree = ConstraintTree()
    found = tree.insert([(LESS, True), (ODD, False)], "run")
    assert [leaf.condition() for leaf in found] == [
        ((LESS, False),),
        ((LESS, True), (ODD, True)),
    ]
    assert [leaf.run for leaf in found] == ["run", "run"]
    assert {leaf.status for leaf in found} == {"unexplored"}
    assert (tree.paths, tree.rep_ok()) == (1, True)


def test_a_path_counts_once_and_its_first_run_is_kept():
    tree = ConstraintTree()
    tree.insert([(LESS, True)], "first")
    assert tree.insert([(LESS, True)], "second") == []
    assert tree.paths == 1
    assert [leaf.run for leaf in tree.leaves() if leaf.status == "terminal"] == ["first"]


def test_a_run_without_events_is_a_path():
    tree = ConstraintTree()
    assert tree.insert([], "run") == []
    assert summary(tree) == [((), "terminal", "")]


def test_beside_a_run_stand_the_other_outcomes_of_its_events():
    tree = ConstraintTree()
    found = tree.insert([(LESS, True), same(4), (ODD, False)], 1)
    assert tree.beside([(LESS, True), same(4), (ODD, False)]) == found
    (later,) = tree.insert([(LESS, True), same(5)], 2)
    (taken,) = tree.insert([(LESS, False), (ODD, True)], 3)
    assert tree.beside([(LESS, True), same(4)])[1] is later
    assert tree.beside([(LESS, True), same(4)])[0].status == "inner"
    assert tree.beside([(LESS, False), (ODD, True)])[1] is taken


def test_the_prefix_has_no_alternatives_but_counts_as_a_constraint():
    tree = ConstraintTree([(ODD, True)])
    (beside,) = tree.insert([(LESS, False)], "run")
    assert tree.constraints(beside) == ((ODD, True), (LESS, True))


def test_the_run_made_for_a_leaf_goes_through_it():
    tree = ConstraintTree()
    (beside,) = tree.insert([(LESS, True)], 1)
    found = tree.insert([(LESS, False), (ODD, True)], 2, beside)
    assert [leaf.condition() for leaf in found] == [((LESS, False), (ODD, False))]
    assert tree.paths == 2


def test_a_run_that_misses_its_leaf_has_diverged_and_explores_nothing():
    tree = ConstraintTree()
    (beside,) = tree.insert([(LESS, True), (ODD, True)], 1)[:1]
    with pytest.raises(Diverged):
        tree.insert([(LESS, True), (ODD, True)], 2, beside)
    assert beside.status == "unexplored"
    assert tree.paths == 1


def test_what_a_diverged_run_found_is_unknown():
    tree = ConstraintTree()
    first, second = tree.insert([(LESS, True), (ODD, True)], 1)
    with pytest.raises(Diverged):
        tree.insert([(LESS, True), (ODD, False), (("<", Y, 9), True)], 2, first)
    assert (first.status, second.status) == ("unexplored", "inner")
    below = [leaf for leaf in tree.leaves() if leaf.depth == 3]
    assert [(leaf.status, leaf.reason) for leaf in below] == [("unknown", "diverged")] * 2
    assert tree.paths == 1


@pytest.mark.parametrize(
    "events",
    [
        pytest.param([(ODD, True)], id="another term"),
        pytest.param([], id="shorter than a known path"),
        pytest.param([(LESS, True), (ODD, True)], id="longer than a known path"),
        pytest.param([(("<", X, 3.0), True)], id="a constant of another class"),
    ],
)
def test_a_run_that_contradicts_the_tree_has_diverged(events):
    tree = ConstraintTree()
    tree.insert([(LESS, True)], 1)
    with pytest.raises(Diverged):
        tree.insert(events, 2)
    assert (tree.paths, tree.rep_ok()) == (1, True)


def test_an_infeasible_leaf_cannot_be_reached():
    tree = ConstraintTree()
    (beside,) = tree.insert([(LESS, True)], 1)
    beside.status = "infeasible"
    with pytest.raises(Diverged):
        tree.insert([(LESS, False)], 2)


def test_the_other_values_of_a_pin_exclude_all_that_were_met():
    tree = ConstraintTree()
    (rest,) = tree.insert([same(4)], 1)
    assert rest.condition() == ((same(4)[0], False),)
    (rest,) = tree.insert([same(7)], 2, rest)
    assert rest.condition() == ((same(4)[0], False), (same(7)[0], False))
    assert tree.insert([same(4)], 3) == []
    assert tree.paths == 2
    assert [leaf.status for leaf in tree.leaves()] == ["unexplored", "terminal", "terminal"]


def test_values_of_a_pin_differ_by_class():
    tree = ConstraintTree()
    for value in (1, True, 1.0):
        tree.insert([same(value)], value)
    assert tree.paths == 3


def test_a_pin_takes_so_many_values_and_then_says_so():
    tree = ConstraintTree()
    for value in range(MAX_VALUES):
        (rest,) = tree.insert([same(value)], value)
    assert (rest.status, rest.reason) == ("unknown", "bound")
    assert tree.insert([same(99)], 99) == []
    assert [leaf.status for leaf in tree.leaves()].count("unknown") == 1
    assert tree.paths == MAX_VALUES + 1


def test_a_pin_whose_other_values_are_infeasible_takes_no_more():
    tree = ConstraintTree()
    (rest,) = tree.insert([same(1)], 1)
    rest.status = "infeasible"
    with pytest.raises(Diverged):
        tree.insert([same(2)], 2)


def test_paths_go_on_below_a_pin():
    tree = ConstraintTree()
    tree.insert([same(1), (ODD, True)], 1)
    found = tree.insert([same(2), (ODD, True)], 2)
    assert [leaf.condition()[-1] for leaf in found] == [(same(2)[0], False), (ODD, False)]
    assert [leaf.condition() for leaf in tree.leaves() if leaf.status == "terminal"] == [
        (same(1), (ODD, True)),
        (same(2), (ODD, True)),
    ]
