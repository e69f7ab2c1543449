"""What stands under a key that was missed, and dictionaries in place of what was left out."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Const, Display
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.search.missed_values import defaults_met, given_left_out, values_for_key
from unitcraft.subject.values.value_pools import ValuePools

SOURCE = """
def joined(parts): return ", ".join(parts["names"])
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


ORDERED = """
def rows(names, order="up", limit=20, strict=1):
    if order == "down":
        return names[::-1]
    return names if limit > 99 else names[:limit]
"""


@pytest.mark.parametrize(
    ("call", "comparison", "given"),
    [
        ("rows([])", (0, "==", "up", "down"), {"order": "down"}),
        ("rows([])", (0, ">", 20, 99), {"limit": 99}),
        ("rows([], 'up')", (0, "==", "up", "down"), None),
        ("rows([], order='up')", (0, "==", "up", "down"), None),
        ("rows([])", (0, "==", 1, 2), None),
        ("rows([])", (0, "==", 20.0, 2.0), None),
    ],
)
def test_a_default_that_was_compared_may_be_given(lab, call, comparison, given):
    one = lab(ORDERED)
    sequence = one.run(call).sequence
    found = defaults_met(sequence, comparison, Plausibility(one.subject))
    made = [put(Const(comparison[3])).calls[0].kwargs for _, put in found]
    expected = [] if given is None else [tuple((k, Const(v)) for k, v in given.items())]
    assert made == expected
