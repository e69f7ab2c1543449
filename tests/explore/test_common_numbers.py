"""Numbers that a reader finds in the code, in place of those that a search met."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Const, Display, Symbol
from unitcraft.explore.plausibility.common_numbers import (
    NUMBER_KEY_BURDEN,
    ODD_NUMBER_BURDEN,
    OTHER_NUMBER_BURDEN,
    burden_of_numbers,
    common_numbers,
)

KNOWN = (3, 256, -512, 70_000)


@pytest.mark.parametrize(
    ("value", "is_odd"),
    [
        (7, False), (99, False), (100, False), (3000, False), (256, False), (257, False),
        (255, False), (999, True), (2147, True), (-999, True), (True, False), ("2147", False),
    ],
)  # fmt: skip
def test_a_number_of_several_digits_is_odd_unless_it_is_round_or_beside_one_of_the_code(
    value, is_odd
):
    burden = burden_of_numbers(Const(value), KNOWN)
    if isinstance(value, str | bool):
        assert burden == 0
    else:
        assert burden == (ODD_NUMBER_BURDEN if is_odd else OTHER_NUMBER_BURDEN)
    assert burden_of_numbers(Display("list", (Const(value), Const(value))), KNOWN) == 2 * burden


@pytest.mark.parametrize("value", [0, 1, -2, 3])
def test_small_numbers_say_nothing_of_their_own(value):
    assert burden_of_numbers(Const(value), KNOWN) == 0


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2147, [256, 257, 255, 70_000, 70_001, 69_999, 3000, 2000]),
        (90_210, [70_000, 70_001, 69_999, 256, 257, 255, 100_000, 90_000]),
        (-999, [-512, -511, -513, -900, -1000]),
        (256, [257, 255, 70_000, 70_001, 69_999, 300, 200]),
        (12, [1, 2]),
        (3, []),
        (True, []),
    ],
)
def test_the_numbers_of_the_code_that_are_nearest_in_size_are_tried_with_their_neighbours(
    value, expected
):
    assert [one.value for one in common_numbers(Const(value), KNOWN)] == expected
    assert list(common_numbers(Display("list", (Const(value),)), KNOWN)) == []


def test_a_number_is_a_dearer_key_than_a_text_inside_an_object_too():
    numbered, named = (Display("dict", (Const(key), Const(1))) for key in (0, "a"))
    assert burden_of_numbers(numbered, KNOWN) == NUMBER_KEY_BURDEN
    assert burden_of_numbers(named, KNOWN) == 0
    held = Build(Symbol("types", "SimpleNamespace"), (), (("args", numbered),))
    assert burden_of_numbers(held, KNOWN) == NUMBER_KEY_BURDEN
