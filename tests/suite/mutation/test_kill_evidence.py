"""The parts that a test may assert, and by which of them it kills a mutant."""

from __future__ import annotations

import random

import pytest

from unitcraft.execute.isolation.entropy import STREAMS
from unitcraft.suite.mutation.agents.kill_check import KillCheck
from unitcraft.suite.mutation.agents.kill_evidence import (
    OUTCOME,
    RESULT,
    RETURNED,
    common_evidence,
    common_parts,
    has_public_name,
    killed_by,
    parts,
)

SIZE = ("get", "size", (("r", 0),), (), "")
READ = ("method", "getvalue", (("r", 0),), (), "")
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
    assert keys(returned(("c", None), still)) == [OUTCOME, RESULT, repr(SIZE), repr(LIST)]
    assert keys(returned(("c", None), changed)) == keys(returned(("c", 1), changed))
    for moved in (False, True):
        assert keys(raising("no", (0, moved, ((READ, ("c", "")),)))) == [OUTCOME]
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


def test_evidence_of_two_runs_is_what_both_show():
    assert common_evidence(((0, 2), True), ((2, 3), True)) == ((2,), True)
    assert common_evidence(((2,), True), ((2,), False)) == ((2,), False)
    assert common_evidence(((0,), True), ((2,), True)) is None
    assert common_evidence(((0,), True), None) is None


class Chancy(KillCheck):
    """Kills a mutant in the runs that ``kills`` names, and draws a random value in each."""

    def __init__(self, *kills: int) -> None:
        self.kills, self.runs = kills, 0

    def _notice_once(self, *_):
        random.random()
        self.runs += 1
        return (((1,), True) if self.runs in self.kills else None), False


def test_a_kill_counts_when_other_random_values_show_it_too():
    assert Chancy(*range(1, STREAMS + 1))._notice((), ())[0] == ((1,), True)
    assert Chancy(*range(1, STREAMS))._notice((), ())[0] is None
    assert Chancy(1)._notice((), ())[0] is None
    assert Chancy()._notice((), ())[0] is None
