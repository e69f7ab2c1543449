"""Path conditions in, the constraints that are worth showing out."""

from __future__ import annotations

import pytest

from unitcraft.explore.explain.implied_constraints import (
    MAX_CONSTRAINTS,
    drop_implied,
    find_clash,
)
from unitcraft.solve.chain import chain
from unitcraft.symbolic.terms.term import OK, RAISES, SAME, variable

X, Y = variable(0), variable(1)
INDEX = ("[]", ("list", 1, 2), X)
FAILS = ((OK, INDEX), False)
NAMED = ((SAME, (RAISES, INDEX), "IndexError"), True)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ([(("<", X, 3), True), (("<", X, 3), True)], [(("<", X, 3), True)]),
        ([(("<", X, 9), True), (("<", X, 3), True)], [(("<", X, 3), True)]),
        ([(("<", X, 3), True), (("<", X, 9), True)], [(("<", X, 3), True)]),
        ([(("==", X, 2), True), (("<", X, 9), True)], [(("==", X, 2), True)]),
        ([(("<", X, Y), True), (("<", Y, 5), True), (("<", X, 5), True)],
         [(("<", X, Y), True), (("<", Y, 5), True)]),
        ([(("<", X, 3), True), (("<", Y, 3), True)], [(("<", X, 3), True), (("<", Y, 3), True)]),
        ([FAILS, NAMED], [NAMED]),
        ([(("==", X, X), True), (("!=", Y, Y), False)], []),
        ([], []),
    ],
)  # fmt: skip
def test_what_the_others_imply_is_dropped(given, kept):
    assert list(drop_implied(given, ("int", "int"), (2, 4))) == kept


def test_a_float_that_is_equal_to_itself_is_a_number():
    equal = (("==", X, X), True)
    assert drop_implied([equal], ("str", "int"), ("a", 1)) == ()
    assert drop_implied([equal], ("float", "int"), (1.5, 1)) == (equal,)


def test_of_a_long_condition_only_repeats_are_dropped():
    given = [(("<", X, bound), True) for bound in range(10, 11 + MAX_CONSTRAINTS)]
    assert drop_implied([*given, given[0]], ("int",), (2,)) == tuple(given)


def test_a_clash_names_the_fewest_constraints_and_the_wanted_one_last():
    clash = ((("<", Y, 9), True), (("<", X, 3), True), (("<", 5, X), True))
    assert find_clash(clash, ("int", "int"), (2, 4), chain()) == clash[1:]


def test_constraints_that_can_hold_do_not_clash():
    assert find_clash(((("<", X, 3), True), (("<", X, 9), True)), ("int",), (2,), chain()) == ()
