"""Goals are values: compared, hashed, sorted; every family is described in one place."""

from __future__ import annotations

import ast
import inspect
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unitcraft.core import goals
from unitcraft.core.criteria import DEFAULT, FAMILIES
from unitcraft.core.goals import Family, Goal

GOALS = st.builds(
    Goal, st.sampled_from(Family), st.integers(0, 9), st.sampled_from(["", "m:3"]), st.integers(0)
)


@given(GOALS, GOALS)
def test_goals_with_equal_fields_are_one_goal(first, second):
    copy = Goal(*first)
    assert copy == first
    assert hash(copy) == hash(first)
    assert (first == second) == (tuple(first) == tuple(second))
    assert len({first, second, copy}) == 1 + (first != second)


@given(st.lists(GOALS))
def test_goals_are_sorted_by_family_first(found):
    ordered = sorted(found)
    assert all(one.family <= other.family for one, other in pairwise(ordered))
    found.reverse()
    assert sorted(found) == ordered


def test_families_tell_goals_apart():
    assert len({Goal(family, 7) for family in Family}) == len(Family)
    assert Goal(Family.MUTANT, 7) != Goal(Family.MUTANT_BY_CHECK, 7)


def test_a_goal_cannot_be_changed():
    with pytest.raises(AttributeError):
        Goal(Family.BRANCH, 1).number = 2


@pytest.mark.parametrize("family", Family)
def test_every_family_belongs_to_the_criterion_that_its_record_names(family):
    record = family.record
    named = [name for name, families in FAMILIES.items() if family in families]
    assert named == [record.criterion, *[DEFAULT] * record.by_default]


def test_every_family_says_what_its_goals_are():
    body = ast.parse(inspect.getsource(goals.Family)).body[0].body
    documented = {
        one.targets[0].id
        for one, after in pairwise(body)
        if isinstance(one, ast.Assign) and isinstance(after, ast.Expr)
    }
    assert documented == set(Family.__members__)


def test_what_only_a_mutant_shows_is_marked():
    marked = {family for family in Family if family.record.is_mutant}
    assert marked == {Family.MUTANT, Family.MUTANT_BY_CHECK}
