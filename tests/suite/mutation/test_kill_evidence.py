"""The parts that a test may assert, and by which of them it kills a mutant."""

from __future__ import annotations

import random

import pytest

from unitcraft.execute.isolation.entropy import STREAMS
from unitcraft.suite.mutation.agents.kill_check import KillCheck
from unitcraft.suite.mutation.agents.kill_evidence import (
    MESSAGE,
    OUTCOME,
    RESULT,
    RETURNED,
    asserted_parts,
    common_evidence,
    common_parts,
    has_public_name,
    is_same,
    killed_by,
    mark_of,
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
        assert keys(raising("no", (0, moved, ((READ, ("c", "")),)))) == [OUTCOME, MESSAGE]
    assert keys(raising("no", still)) == [OUTCOME, MESSAGE, repr(SIZE)]
    assert keys(raising("no", changed)) == [OUTCOME, MESSAGE, repr(SIZE), repr(LIST)]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("m:C", True), ("m:_C", False), ("m:f.<locals>.C", False), ("builtins:tuple", False)],
)
def test_an_opaque_result_counts_when_its_class_has_a_name(kind, expected):
    opaque = returned(("o", kind, False), kind=kind)
    assert (RESULT in keys(opaque)) == has_public_name(kind) == expected
    assert RESULT in keys(returned(("o", kind, False), kind=kind, same=0))


def test_a_result_that_can_be_called_counts():
    kind = "builtins:function"
    assert RESULT in keys(returned(("o", kind, False), kind=kind))


def test_agreed_is_what_two_runs_share_and_nothing_where_nothing_can_be_asserted():
    one, other = parts(returned(("c", 1))), parts(returned(("c", 2)))
    assert common_parts(one, one) == one
    assert common_parts(one, other) == ()
    assert [key for key, _ in common_parts(parts(raising("a")), parts(raising("b")))] == [OUTCOME]
    assert common_parts((), one) == ()
    changed = returned(("c", 1), (0, True, ((SIZE, ("c", 1)),)))
    assert [key for key, _ in common_parts(parts(changed), one)] == [OUTCOME, RESULT]
    assert common_parts(((OUTCOME, RETURNED),), ((OUTCOME, RETURNED),)) == ()


def never(_one, _other):
    return False


def test_noticed_tells_an_assertion_from_a_crash():
    state = (0, True, ((SIZE, ("c", 1)), (LIST, ("d", "list", ()))))
    value = parts(returned(("c", 1), state))
    assert killed_by(value, value, never) is None
    assert killed_by(value, parts(returned(("c", 2), state)), never) == ((1,), True)
    assert killed_by(value, parts(raising("no")), never) == ((0,), False)
    assert killed_by(value, (), never) == ((0,), False)
    other = (0, True, ((SIZE, ("c", 2)),))
    assert killed_by(value, parts(returned(("c", 1), other)), never) == ((2,), True)
    less = parts(returned(("c", 1), (0, True, ((SIZE, ("c", 1)),))))
    assert killed_by(value, less, never) == ((3,), False)
    expected = parts(raising("no"))
    assert killed_by(expected, parts(returned(("c", 1))), never) == ((0,), True)
    assert killed_by(expected, parts(raising("never")), never) == ((1,), True)
    told = "no number can be given here: "
    asked = parts(raising(told + "give a text instead, or nothing at all, or " + "more " * 9))
    assert killed_by(asked, parts(raising(told + "one can")), never) == ((1,), True)
    assert killed_by(asked, parts(raising(told + "x" * 99)), never) is None
    assert killed_by(expected, (), never) == ((0,), False)  # an earlier Call fails


#: Encoded terms: expected, seen, does ``==`` of their class hold -> would the Check pass?
SAME = [
    (("c", 1), ("c", 1), False, True),
    (("c", 1), ("c", True), False, True),
    (("c", 1.0), ("c", 1), False, True),
    (("c", True), ("c", 1), True, False),
    (("c", None), ("c", 0), True, False),
    (("c", "1"), ("c", 1), True, False),
    (("d", "list", (("c", 1),)), ("d", "list", (("c", True),)), False, True),
    (("d", "list", (("c", 1),)), ("d", "tuple", (("c", 1),)), True, False),
    (("d", "list", (("c", 1), ("c", 2))), ("d", "list", (("c", 2), ("c", 1))), True, False),
    (("d", "dict", (("c", 1), ("c", 2), ("c", 3), ("c", 4))),
     ("d", "dict", (("c", 3), ("c", 4), ("c", 1), ("c", 2))), False, True),
    (("b", ("m", "C"), (("c", 1),), ()), ("b", ("m", "C"), (("c", 2),), ()), True, True),
    (("b", ("m", "C"), (("c", 1),), ()), ("b", ("m", "C"), (("c", 2),), ()), False, False),
    (("b", ("m", "C"), (("c", 1),), ()), ("c", 1), True, False),
    (("c", "a" * 500 + "b"), ("c", "a" * 500 + "c"), False, True),
    (("c", "a" * 500), ("c", "a" * 501), True, False),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "seen", "equal", "same"), SAME)
def test_marks_are_the_same_where_the_check_would_pass(expected, seen, equal, same):
    assert is_same(mark_of(expected), mark_of(seen), lambda _one, _other: equal) is same


MAKE = ("function", "m:C", (("c", 1), ("c", 2)), (), "")
LIFTED = (
    ("operator", "itself", (("c", 1),), (), ""),
    ("function", "m:C", (("r", 0), ("c", 2)), (), ""),
)
WHOLE = ("b", ("m", "C"), (("c", 1), ("c", 2)), ())
LESS = ("b", ("m", "C"), (("c", 1),), ())
STATE = (("get", "size", (("r", 1),), (), ""), ("c", 1))
#: Calls, term of the result, what is observed -> does the test assert the result itself?
ASSERTED = [
    ((MAKE,), ("c", 1), (), True),
    ((MAKE,), WHOLE, (), True),
    ((MAKE,), WHOLE, ((0, True, (STATE,)),), False),
    ((MAKE,), LESS, ((0, True, (STATE,)),), True),
    (LIFTED, WHOLE, ((1, True, (STATE,)),), False),
    (LIFTED, ("o", "m:C", False), ((1, True, (STATE,)),), False),
    (LIFTED, ("c", None), ((0, True, (STATE,)),), False),
    (LIFTED, ("c", None), ((0, False, (STATE,)),), True),
    ((MAKE, ("operator", "hash", (("r", 0),), (), "")), ("c", 1), (), False),
    ((MAKE, ("set", "a", (("r", 0), ("c", 1)), (), "")), ("c", None), (), False),
]


@pytest.mark.parametrize(("calls", "term", "focus", "asserted"), ASSERTED)
def test_a_result_counts_where_its_test_asserts_it(calls, term, focus, asserted):
    after = returned(term, *focus, kind="m:C")
    assert (RESULT in dict(asserted_parts(after, calls))) is asserted


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


def numbers(*values):
    return ("d", "list", tuple(("c", one) for one in values))


def test_of_a_long_container_only_what_a_test_asserts_of_it_kills():
    long = numbers(*range(300))
    assert mark_of(long, named=True) == mark_of(numbers(*range(299), 7), named=True)
    assert mark_of(long, named=True) != mark_of(numbers(7, *range(1, 300)), named=True)
    assert mark_of(long, named=True) != mark_of(numbers(*range(299)), named=True)
    assert mark_of(long) == mark_of(numbers(*range(299)))
    assert mark_of(numbers(1, 2)) != mark_of(numbers(1, 3))


def test_of_a_long_dictionary_short_values_under_names_kill():
    def table(size):
        pairs = (("c", "text"), ("c", "x" * 500), ("c", "size"), ("c", size))
        return ("d", "dict", pairs)

    assert mark_of(table(1)) != mark_of(table(2))


def test_a_long_list_that_has_no_name_in_a_test_is_no_part():
    call = ("get", "LOG", (("y", "m", ""),), (), "")
    found = parts((None, ("c", None), "", -1, ((-2, True, ((call, numbers(*range(300))),)),)))
    assert [key for key, _ in found] == [OUTCOME, RESULT]
    few = parts((None, ("c", None), "", -1, ((-2, True, ((call, numbers(1, 2)),)),)))
    assert [key for key, _ in few] == [OUTCOME, RESULT, repr(call)]
