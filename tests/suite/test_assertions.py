"""From two answers to Checks: what differs is dropped, each value is compared as it should be."""

from __future__ import annotations

import math

import pytest

from unitcraft.core.encoding import encode, encode_call
from unitcraft.core.goals import Family, Goal
from unitcraft.core.outcomes import Opaque, Raised, Returned
from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Symbol
from unitcraft.explore.agents.answers import AfterAnswer
from unitcraft.suite.generated.assertions import build_test
from unitcraft.suite.generated.procedures import Answer
from unitcraft.suite.mutation.agents.kill_evidence import MAX_BEGINNING
from unitcraft.suite.relations import CALLABLE, relation
from unitcraft.suite.telling.telling_observations import Contrast
from unitcraft.suite.tests import Check

LIST = Call("operator", "list", (Ref(0),))
SIZE = Call("get", "size", (Ref(0),))
SUM = Call("method", "total", (Ref(0),))
USE = Sequence((Call("function", "m:C"), Call("method", "f", (Ref(0),))))
MAKE = Sequence((Call("function", "m:C"),))
BRANCH = Goal(Family.BRANCH, 1)


def ints(*numbers):
    return Display("list", tuple(map(Const, numbers)))


def looks(*pairs):
    return tuple((encode_call(call), encode(term)) for call, term in pairs)


def returned(term=None, *focus, kind="builtins:int", same=-1):
    return AfterAnswer.read(
        (None, encode(Const(None) if term is None else term), kind, same, focus)
    )


def raising(message="no", *focus, kind="builtins:ValueError", position=1):
    return AfterAnswer.read(((position, kind, message, 2, 7, "m"), None, "", -1, focus))


def made(first, second=None, before=(), sequence=USE, **more):
    return build_test("m:C.f", sequence, (BRANCH,), before, first, second or first, **more)


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (Const(None), "is"),
        (Const(value=True), "is"),
        (Const(...), "is"),
        (Const(1), "=="),
        (Const(""), "=="),
        (Const(0.5), "=="),
        (Const(1e300), "=="),
        (Const(math.inf), "=="),
        (Const(0.1), "approx"),
        (Const(math.nan), "nan"),
        (Symbol("m", "Colour.RED"), "is"),
        (Ref(0), "is"),
        (ints(1, 2), "=="),
        (Display("list", (Const(0.5), Const(1))), "=="),
        (Display("tuple", (Const(0.1), Const(1))), "approx"),
        (Display("dict", (Const("a"), Const(0.1))), "approx"),
        (Display("list", (Display("list", (Const(0.1),)), Const(0.1))), "=="),
        (Build(Symbol("decimal", "Decimal"), (Const("0.1"),)), "=="),
    ],
)
def test_relation(term, expected):
    assert relation(term) == expected


@pytest.mark.parametrize("kind", ["set", "frozenset"])
def test_a_set_is_never_approximate(kind):
    """``pytest.approx`` refuses what has no order."""
    assert relation(Display(kind, (Const(0.1),))) == "=="


def test_a_value_is_compared_with_its_term():
    test = made(returned(Const(3)))
    assert test.checks == (Check(Ref(1), "==", Const(3)),)
    assert (test.invocable, test.outcome, test.goals) == ("m:C.f", Returned(), (BRANCH,))


#: A long result -> (what is observed of it, what it is expected to be).
LONG = [
    (Const("three words more, \n" * 13), [(Ref(1), "==", Const("three words more, \n" * 13))]),
    (Const("some words more and so on, line by line\n" * 12),
     [(Ref(1), "==", Const("some words more and so on, line by line\n" * 12))]),
    (Const("some words more and so on, line by line\n" * 13), [
        (Call("operator", "len", (Ref(1),)), "==", Const(520)),
        (Ref(1), "startswith", Const("some words more and so on, line by line\n" * 3)),
    ]),
    (Const("one two " * 99), [
        (Call("operator", "len", (Ref(1),)), "==", Const(792)),
        (Ref(1), "startswith", Const("one two " * 15)),
    ]),
    (ints(*range(300)), [
        (Call("operator", "len", (Ref(1),)), "==", Const(300)),
        (Call("operator", "[]", (Ref(1), Build(Symbol("builtins", "slice"), (Const(32),)))),
         "==", ints(*range(32))),
    ]),
    (Display("dict", (Const("a"), Const(None), Const("b"), Const(1), Const("c"), Const("x" * 500))),
     [(Call("operator", "[]", (Ref(1), Const("b"))), "==", Const(1))]),
    (Display("dict", (Const(1), Const("x" * 500), Const(2), Const("y" * 500))),
     [(Call("operator", "len", (Ref(1),)), "==", Const(2))]),
    (Display("dict", (Const("off"), Const(value=False), Const("a"), Const(0), Const("b"), Const(7),
                      Const("c"), Const("x" * 500), Const("d"), Const("yes"))),
     [(Call("operator", "[]", (Ref(1), Const("b"))), "==", Const(7)),
      (Call("operator", "[]", (Ref(1), Const("d"))), "==", Const("yes")),
      (Call("operator", "[]", (Ref(1), Const("off"))), "is", Const(value=False))]),
    (Build(Symbol("re", "compile"), (Const("a|b" * 200),)),
     [(Ref(1), "isinstance", Symbol("re", "Pattern"))]),
]  # fmt: skip


@pytest.mark.parametrize(("term", "expected"), LONG)
def test_of_what_is_too_long_to_read_length_beginning_or_class_are_asserted(term, expected):
    assert made(returned(term)).checks == tuple([Check(*one) for one in expected])


@pytest.mark.parametrize(
    ("term", "relation_", "expected"),
    [
        (Const("x" * 999), "startswith", Const("x" * MAX_BEGINNING)),
        (Const("Assign(" * 99), "startswith", Const("Assign(" * 17)),
        (Build(Symbol("re", "compile"), (Const("a|b" * 200),)), "isinstance",
         Symbol("re", "Pattern")),
    ],
)  # fmt: skip
def test_of_an_observation_that_is_too_long_to_read_beginning_or_class(term, relation_, expected):
    focus = (1, True, looks((SIZE, term)))
    assert made(returned(None, focus)).checks == (Check(SIZE, relation_, expected),)


def test_that_a_long_list_is_a_list_is_not_asserted_and_of_a_dictionary_are_short_entries():
    listed = made(returned(None, (0, True, looks((SIZE, ints(*range(300)))))))
    assert not any(one.observed == SIZE for one in listed.checks)
    table = Display("dict", (Const("a"), Const(1), Const("b"), Const("x" * 500)))
    entries = made(returned(None, (0, True, looks((SIZE, table))))).checks
    assert entries == (Check(Call("get", 'size["a"]', SIZE.args), "==", Const(1)),)


def test_what_stayed_is_asserted_beside_what_changed_where_it_kills():
    name = Call("get", "name", (Ref(0),))
    answer = returned(None, (0, True, looks((SIZE, Const(2)), (name, Const("x")))))
    before = ((0, looks((SIZE, Const(1)), (name, Const("x")))),)
    assert made(answer, before=before).checks == (Check(SIZE, "==", Const(2)),)
    keys = (repr(encode_call(name)),)
    assert made(answer, before=before, needed_keys=keys).checks == (
        Check(SIZE, "==", Const(2)),
        Check(name, "==", Const("x")),
    )


def test_the_same_object_is_asserted_by_identity():
    assert made(returned(ints(1), same=0)).checks == (Check(Ref(1), "is", Ref(0)),)


def test_values_that_differ_between_the_runs_are_dropped():
    assert made(returned(Const(3)), returned(Const(4))).checks == ()
    assert made(returned(Const(1)), returned(Const(value=True))).checks == ()
    assert made(returned(ints(1), same=0), returned(ints(1), same=-1)).checks == (
        Check(Ref(1), "==", ints(1)),
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (returned(Const(3)), raising()),
        (raising(), returned(Const(3))),
        (raising(kind="builtins:ValueError"), raising(kind="builtins:KeyError")),
        (raising(position=0), raising(position=1)),
        (None, returned(Const(1))),
    ],
)
def test_outcomes_that_differ_make_no_test(first, second):
    assert build_test("m:f", USE, (), (), first, second) is None


def test_a_missing_second_answer_makes_no_test():
    assert build_test("m:f", USE, (), (), returned(Const(1)), None) is None


def test_an_unstable_message_is_not_expected():
    assert made(raising("at 12:00"), raising("at 12:01")).outcome.message is None
    assert made(raising("full")).outcome == Raised(
        "builtins:ValueError", "full", inside=True, line=7
    )


def test_after_a_raise_the_receiver_shows_what_kills_a_mutant():
    focus = (0, False, looks((LIST, ints(1)), (SIZE, Const(1))))
    assert made(raising("no", focus)).checks == ()
    told = made(raising("no", focus), needed_keys=(repr(encode_call(SIZE)),))
    assert told.checks == (Check(SIZE, "==", Const(1)),)


def test_a_changed_receiver_shows_what_moved_where_nothing_else_says_anything():
    before = ((0, looks((LIST, ints()), (SIZE, Const(9)), (SUM, Const(0)))),)
    after = (0, True, looks((LIST, ints(5)), (SIZE, Const(9)), (SUM, Const(5))))
    checks = made(returned(None, after), before=before).checks
    assert checks == (Check(LIST, "==", ints(5)),)
    told = made(returned(None, after), before=before, needed_keys=(repr(encode_call(SUM)),))
    assert told.checks == (Check(SUM, "==", Const(5)),)


def test_beside_a_result_a_changed_receiver_shows_what_it_holds():
    result = Check(Ref(1), "==", Const(3))
    before = ((0, looks((SUM, Const(0)), (LIST, ints()))),)
    holds = (0, True, looks((SUM, Const(5)), (LIST, ints(5))))
    counts = (0, True, looks((SUM, Const(5)), (LIST, ints())))
    assert made(returned(Const(3), holds), before=before).checks == (
        result,
        Check(LIST, "==", ints(5)),
    )
    assert made(returned(Const(3), counts), before=before).checks == (result,)


def test_a_call_that_changes_what_it_was_given_acts():
    changed = (0, True, looks((SUM, Const(5))))
    kept = (0, False, looks((SUM, Const(5))))
    assert made(returned(Const(3), changed)).acts
    assert not made(returned(Const(3), kept)).acts
    assert not made(returned(Const(3), (1, True, looks((SUM, Const(5)))))).acts


def test_of_what_moved_the_objects_of_the_test_say_most():
    """Then what holds items."""
    parent = Call("get", "parent", (Ref(0),))
    old = ((0, looks((SUM, Const(0)), (LIST, ints()), (parent, Const(None)))),)
    now = (0, True, looks((SUM, Const(5)), (LIST, ints(5)), (parent, Ref(0))))
    assert made(returned(None, now), before=old).checks == (Check(parent, "is", Ref(0)),)


def test_a_buffer_that_was_read_shows_nothing():
    content = Call("method", "getvalue", (Ref(0),))
    was, now = (looks((content, Const(text))) for text in ("a", "ab"))
    key = {"needed_keys": (repr(encode_call(content)),)}
    assert made(returned(Const(1), (0, True, was)), before=((0, was),), **key).checks == (
        Check(Ref(1), "==", Const(1)),
    )
    written = made(returned(Const(1), (0, True, now)), before=((0, was),), **key).checks
    assert written[1] == Check(content, "==", Const("ab"))


def test_an_unchanged_receiver_needs_no_check():
    after = (0, False, looks((LIST, ints(5))))
    assert made(returned(Const(1), after)).checks == (Check(Ref(1), "==", Const(1)),)


def test_a_procedure_shows_what_it_left_alone_and_never_none():
    itself = Call("operator", "itself", (Ref(0),))
    kept = (0, False, looks((SIZE, Const(1)), (itself, ints(1))))
    quiet = made(returned(None, kept), answer=Answer.NOTHING)
    assert quiet.checks == (Check(Ref(0), "==", ints(1)),)
    empty = (0, False, looks((itself, ints())))
    assert made(returned(None, empty), answer=Answer.NOTHING).checks == ()
    needed = {"needed_keys": (repr(encode_call(SIZE)),)}
    told = made(returned(None, kept), answer=Answer.NOTHING, **needed)
    assert told.checks == (Check(SIZE, "==", Const(1)),)
    assert made(returned(None), answer=Answer.NOTHING).checks == ()
    answering = made(returned(None, kept), **needed)
    assert answering.checks == (Check(Ref(1), "is", Const(None)), *told.checks)
    moved = (0, True, looks((itself, ints(1, 2))))
    assert len(made(returned(None, moved)).checks) == 1
    both = made(returned(None, moved), answer=Answer.VALUE).checks
    assert both == (Check(Ref(1), "is", Const(None)), Check(Ref(0), "==", ints(1, 2)))


def test_none_is_asserted_only_where_nothing_else_happened():
    assert made(returned(None)).checks == (Check(Ref(1), "is", Const(None)),)
    changed = (0, True, looks((LIST, ints(1))))
    assert [check.observed for check in made(returned(None, changed)).checks] == [LIST]


def test_observations_that_differ_between_the_runs_are_dropped():
    one = (0, True, looks((LIST, ints(1)), (SIZE, Const(1))))
    other = (0, True, looks((LIST, ints(2)), (SIZE, Const(1))))
    checks = made(returned(None, one), returned(None, other)).checks
    assert checks == (Check(SIZE, "==", Const(1)),)


def test_an_observation_that_only_one_run_made_is_dropped():
    one = (0, True, looks((LIST, ints(1)), (SIZE, Const(1))))
    other = (0, True, looks((SIZE, Const(1))))
    assert [c.observed for c in made(returned(None, one), returned(None, other)).checks] == [SIZE]


def test_the_observations_that_kill_mutants_are_the_ones_asserted():
    after = (0, True, looks((LIST, ints(1)), (SIZE, Const(1)), (SUM, Const(1))))
    checks = made(returned(None, after), needed_keys=(repr(encode_call(SUM)),)).checks
    assert [check.observed for check in checks] == [SUM]


@pytest.mark.parametrize(("path", "alone"), [("run.call_args", 0), ("run.call_args_list[*]", 1)])
def test_of_a_recorded_call_what_is_given_by_name_is_asserted_too(path, alone):
    names = (f"{path}.args", f"{path}.kwargs", "other.call_args.kwargs")
    calls = [Call("get", name, (Ref(0),)) for name in names]
    after = (0, True, looks(*[(call, ints(5)) for call in calls]))
    test = made(returned(Const(1), after), needed_keys=(repr(encode_call(calls[0])),))
    shown = [check.observed for check in test.checks]
    assert shown == [Ref(1), *calls[: 2 - alone]]


def test_a_made_object_is_shown_by_its_observers():
    after = (0, True, looks((LIST, ints()), (SIZE, Const(0))))
    answer = returned(Opaque("m:C"), after, kind="m:C")
    assert made(answer, sequence=MAKE).checks == (Check(LIST, "==", ints()),)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("m:C", (Check(Ref(0), "isinstance", Symbol("m", "C")),)),
        ("m:_Hidden", ()),
        ("m:f.<locals>.C", ()),
        ("builtins:generator", ()),
        ("builtins:function", (Check(Ref(0), "isinstance", CALLABLE),)),
    ],
)
def test_an_object_that_shows_nothing_is_known_by_its_public_class(kind, expected):
    assert made(returned(Opaque(kind), kind=kind), sequence=MAKE).checks == expected


def test_a_check_is_written_once():
    after = (0, True, looks((LIST, ints(1)), (LIST, ints(1))))
    checks = made(returned(None, after)).checks
    assert len(set(checks)) == len(checks)


@pytest.mark.parametrize(
    "call",
    [
        Call("set", "size", (Ref(0), Const(1))),
        Call("operator", "[]=", (Ref(0), Const(1), Const(2))),
        Call("operator", "del[]", (Ref(0), Const(1))),
    ],
)
def test_a_statement_has_no_value_to_assert(call):
    """The written test cannot name its result: ``box.size = 1`` binds nothing."""
    sequence = Sequence((Call("function", "m:C"), call))
    checks = made(returned(None, (0, False, looks((SIZE, Const(1))))), sequence=sequence).checks
    assert Ref(1) not in [check.observed for check in checks]


def test_a_hash_is_no_behaviour():
    sequence = Sequence((Call("operator", "hash", (Const("abc"),)),))
    test = build_test("m:C.__hash__", sequence, (), (), returned(Const(7)), returned(Const(7)))
    assert test.checks == ()


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ((Const("ann"),), "name"),
        ((), "size"),
        ((Const(3),), "size"),
    ],
)
def test_a_made_object_shows_what_it_was_given(given, shown):
    sequence = Sequence((Call("function", "m:C", given),))
    found = looks(
        (LIST, ints()), (SIZE, Const(3)), (Call("get", "name", (Ref(0),)), Const("dear ann"))
    )
    answer = returned(Opaque("m:C"), (0, True, found), kind="m:C")
    assert [check.observed.name for check in made(answer, sequence=sequence).checks] == [shown]


def test_what_other_tests_show_differently_is_told_of_a_made_object():
    after = (0, True, looks((SIZE, Const(30)), (SUM, Const(0))))
    answer = returned(Opaque("m:C"), after, kind="m:C")
    assert [check.observed for check in made(answer, sequence=MAKE).checks] == [SIZE]
    other = made(answer, sequence=MAKE, contrast=Contrast(frozenset({("method", "total")})))
    assert [check.observed for check in other.checks] == [SUM]


SET = Sequence(
    (Call("function", "m:C"), Call("operator", "[]=", (Ref(0), Const("path"), Const(value=False))))
)
ITEMS = Call("operator", "items", (Ref(0),))


@pytest.mark.parametrize(
    ("shown", "checks"),
    [
        (
            Display("list", ()),
            (Check(Call("operator", "in", SET.calls[1].args[:2]), "is", Const(value=False)),),
        ),
        (
            Display("list", (Const("path"),)),
            (Check(ITEMS, "==", Display("list", (Const("path"),))),),
        ),
    ],
)
def test_a_statement_that_sets_nothing_is_told_by_the_key_that_is_not_there(shown, checks):
    answer = returned(None, (0, False, looks((ITEMS, shown))))
    assert made(answer, sequence=SET).checks == checks


def test_a_buffer_to_which_nothing_was_written_is_shown_also_an_empty_one():
    content = Call("method", "getvalue", (Ref(0),))
    answer = returned(None, (0, False, looks((content, Const("")))))
    assert made(answer, answer=Answer.NOTHING).checks == (Check(content, "==", Const("")),)


@pytest.mark.parametrize(
    ("term", "expected"),
    [(Display("dict", ()), ()), (Const(None), ()), (ints(1), (Check(LIST, "==", ints(1)),))],
)
def test_what_was_not_looked_at_before_and_is_nothing_was_not_changed(term, expected):
    seen = (0, True, looks((LIST, term), (SIZE, Const(3))))
    before = ((0, looks((SIZE, Const(3)))),)
    found = made(returned(None, seen, kind="builtins:NoneType"), before=before).checks
    assert tuple([check for check in found if check.observed == LIST]) == expected
