"""What stands under a key that was missed, and dictionaries in place of what was left out."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Const, Display, Source
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.search.missed_values import given_left_out, values_for_key
from unitcraft.subject.values.value_pools import ValuePools

SOURCE = """
def joined(parts): return ", ".join(parts["names"])
def called(parts=None):
    parts = parts or {}
    return parts[1]() + parts["add"]()
def upper(parts): return parts["name"].upper()
def counted(parts=None):
    parts = parts or {}
    return parts["size"] + 1
"""


@pytest.fixture
def known(lab):
    one = lab(SOURCE)
    return one, Plausibility(one.subject), ValuePools(one.subject)


def test_values_can_do_what_the_code_does_with_each(known):
    one, plausibility, pools = known
    found = list(values_for_key(one.run("joined({})"), "names", (), plausibility, pools))
    assert found
    assert {arg.kind for arg in found} == {"list"}


def test_a_key_may_be_a_number(known):
    one, plausibility, pools = known
    found = list(values_for_key(one.run("called({})"), 1, (), plausibility, pools))
    assert any(isinstance(value, Source) for value in found)


def test_where_a_text_will_do_nothing_is_proposed(known):
    one, plausibility, pools = known
    assert list(values_for_key(one.run("upper({})"), "name", (), plausibility, pools)) == []


def test_a_dictionary_is_given_where_one_was_left_out(known):
    one, plausibility, pools = known
    made = list(given_left_out(one.run("counted()"), "size", plausibility, pools))
    assert [call.kwargs[0][0] for call in made[0].calls] == ["parts"]
    given = made[0].calls[0].kwargs[0][1]
    assert isinstance(given, Display)
    assert given.items[0] == Const("size")
    assert list(given_left_out(one.run("upper({})"), "name", plausibility, pools)) == []
