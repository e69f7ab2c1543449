"""A test of a hash compares it with that of an object that was made alike."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Call, Const, Display, Ref, Sequence
from unitcraft.suite.generated.hash_equality import compare_hashes

MAKE = Call("function", "shop:Key", (Const("a"), Display("list", ())))
WRAP = Call("function", "shop:Box", (Ref(0),))


def hashed(index):
    return Call("operator", "hash", (Ref(index),))


def test_the_object_is_made_twice_and_both_hashes_are_compared():
    compared = compare_hashes(Sequence((MAKE, WRAP, hashed(1))))
    again = Call("function", "shop:Box", (Ref(2),))
    both = Call("operator", "==", (Ref(4), Ref(5)))
    assert compared.calls == (MAKE, WRAP, MAKE, again, hashed(1), hashed(3), both)


@pytest.mark.parametrize(
    "calls",
    [
        (MAKE, WRAP),
        (MAKE, Call("method", "put", (Ref(0),)), hashed(0)),
        (Call("arrange", "setenv", (Const("A"), Const("b"))), MAKE, hashed(1)),
        (MAKE, Call("get", "inner", (Ref(0),)), hashed(1)),
    ],
)
def test_an_object_that_was_used_or_is_no_new_one_stays_alone(calls):
    assert compare_hashes(Sequence(calls)) == Sequence(calls)
