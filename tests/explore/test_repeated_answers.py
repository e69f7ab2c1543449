"""What repetitions of a run agree on."""

from __future__ import annotations

import pytest

from unitcraft.core.encoding import decode, encode
from unitcraft.core.outcomes import Opaque
from unitcraft.core.sequences import Const
from unitcraft.explore.agents.answers import agree, without_result


def answer(result, kind="builtins:int", looks=()):
    return (None, encode(Const(result)), kind, -1, looks)


@pytest.mark.parametrize(
    ("one", "other", "kept"),
    [
        (answer(3), answer(3), answer(3)),
        (answer(3), answer(4), None),
        (answer(3), None, None),
        (
            answer(3, looks=((0, True, ((("get", "a"), 1), (("get", "b"), 2))),)),
            answer(3, looks=((0, True, ((("get", "a"), 1), (("get", "b"), 5))),)),
            answer(3, looks=((0, True, ((("get", "a"), 1),)),)),
        ),
    ],
)
def test_only_what_both_have_is_kept(one, other, kept):
    assert agree(one, other) == kept


def test_of_results_that_differ_the_common_class_stays():
    left = agree(without_result(answer(3), answer(4)), without_result(answer(4), answer(3)))
    assert decode(left[1]) == Opaque("builtins:int")
    other = answer("a", "builtins:str")
    assert agree(without_result(answer(3), other), without_result(other, answer(3))) is None
