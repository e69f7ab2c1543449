"""The parts that a test may assert, and by which of them it kills a mutant."""

from __future__ import annotations

import pytest

from unitcraft.suite.mutation.agents.kill_evidence import (
    OUTCOME,
    RESULT,
    RETURNED,
    common_parts,
    has_public_name,
    killed_by,
    parts,
)

SIZE = ("get", "size", (("r", 0),), (), "")
LIST = ("operator", "list", (("r", 0),), (), "")


def returned(term, *focus, kind="builtins:int", same=-1):
    return (None, term, kind, same, focus)


def raising(message, *focus, position=1):
    return ((position, "builtins:ValueError", message, 2, 7, "m"), None, "", -1, focus)


def keys(after):
    return [key for key, _ in parts(after)]


def test_parts_are_what_a_test_can_assert():
    changed = (0, True, ((SIZE, ("c", 1)), (LIST, ("d", "list", ()))))
    still = (0, False, ((SIZE, ("c", 1)), (LIST, ("d", "list", ()))))
    assert keys(None) == []
    assert keys(returned(("c", 1))) == [OUTCOME, RESULT]
    assert keys(returned(("c", 1), changed)) == [OUTCOME, RESULT, repr(SIZE), repr(LIST)]
    assert keys(returned(("c", 1), still)) == [OUTCOME, RESULT]
    assert keys(raising("no", still)) == [OUTCOME, repr(SIZE)]
    assert keys(raising("no", changed)) == [OUTCOME, repr(SIZE), repr(LIST)]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("m:C", True), ("m:_C", False), ("m:f.<locals>.C", False), ("builtins:tuple", False)],
)
def test_an_opaque_result_counts_when_its_class_has_a_name(kind, expected):
    opaque = returned(("o", kind, False), kind=kind)
    assert (RESULT in keys(opaque)) == has_public_name(kind) == expected
    assert RESULT in keys(returned(("o", kind, False), kind=kind, same=0))


def test_agreed_is_what_two_runs_share_and_nothing_where_nothing_can_be_asserted():
    one, other = parts(returned(("c", 1))), parts(returned(("c", 2)))
    assert common_parts(one, one) == one
    assert common_parts(one, other) == ()
    assert common_parts(parts(raising("a")), parts(raising("b"))) == ()
    assert common_parts((), one) == ()
    changed = returned(("c", 1), (0, True, ((SIZE, ("c", 1)),)))
    assert [key for key, _ in common_parts(parts(changed), one)] == [OUTCOME, RESULT]
    assert common_parts(((OUTCOME, RETURNED),), ((OUTCOME, RETURNED),)) == ()


def test_noticed_tells_an_assertion_from_a_crash():
    state = (0, True, ((SIZE, ("c", 1)), (LIST, ("d", "list", ()))))
    value = parts(returned(("c", 1), state))
    assert killed_by(value, value) is None
    assert killed_by(value, parts(returned(("c", 2), state))) == ((1,), True)
    assert killed_by(value, parts(raising("no"))) == ((0,), False)
    assert killed_by(value, ()) == ((0,), False)
    other = (0, True, ((SIZE, ("c", 2)),))
    assert killed_by(value, parts(returned(("c", 1), other))) == ((2,), True)
    assert killed_by(value, parts(returned(("c", 1), (0, True, ((SIZE, ("c", 1)),))))) == (
        (3,),
        False,
    )
    expected = parts(raising("no"))
    assert killed_by(expected, parts(returned(("c", 1)))) == ((0,), True)
    assert killed_by(expected, parts(raising("never"))) == ((0,), True)
    assert killed_by(expected, ()) == ((0,), False)  # an earlier Call fails
