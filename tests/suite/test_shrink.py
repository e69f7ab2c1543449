"""Shrinking keeps every Goal and makes what is read smaller."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unitcraft.core.goals import Family
from unitcraft.core.sequences import (
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Source,
    Symbol,
    TempPath,
    renumber_call,
)
from unitcraft.explore.execution import cost
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.plausibility.plain_arguments import PlainArguments
from unitcraft.explore.search.bounded_runs import SparingPool
from unitcraft.subject.values.stdlib_values import VALUES
from unitcraft.subject.values.value_pools import ValuePools
from unitcraft.suite.shrinking.shrink import (
    shrink,
    simpler_values,
    smaller_variants,
    taken_apart,
)

STACK = """
class Stack:
    def __init__(self, limit=9):
        self.items = []
        self.limit = limit

    def push(self, item):
        if len(self.items) >= 3:
            raise OverflowError("full")
        self.items.append(item)

    def size(self):
        return len(self.items)

def word(text):
    if "key=" in text:
        return True
    return False

def first(items):
    if items:
        return items[0]
    return None
"""


def shrunk(one, *texts):
    """(Goals before, GoalMap after, Pool) of the Sequences."""
    goals, pool = one.goals(), one.pool()
    for text in texts:
        run = one.run(text)
        assert goals.sensible(run)
        goals.offer(run, cost(run.sequence))
    before = {goal: price for goal, (price, _) in goals.best.items()}
    shrink(goals, SparingPool(pool))
    return before, goals, pool


def holder(goals, family):
    return next(run.sequence for goal, (_, run) in goals.best.items() if goal.family is family)


@pytest.mark.parametrize(
    ("text", "family", "smallest"),
    [
        ("word('some long text with key=value in it')", Family.RESULT, "word('key=')"),
        ("first([10, 20, 30, 40])", Family.RESULT, "first([0])"),
        (
            (
                "a = Stack()\na.size()\na.push('one')\na.push('two')\na.push('three')\na.size()\n"
                "a.push('four')"
            ),
            Family.EXCEPTION,
            "a = Stack()\na.push('')\na.push('')\na.push('')\na.push('')",
        ),
    ],
)
def test_what_is_left_is_small(lab, text, family, smallest):
    one = lab(STACK)
    before, goals, _ = shrunk(one, text)
    assert set(before) <= set(goals.best)
    found = holder(goals, family)
    assert cost(found) < cost(one.sequence(text))
    assert cost(found) <= cost(one.sequence(smallest)) + 20


def test_no_goal_is_lost_and_none_gets_dearer(lab):
    one = lab(STACK)
    texts = ["word('abcdefghijk')", "word('aakey=')", "first([[1, 2], 3])", "first([])",
             "s = Stack(12)\ns.push(4)\ns.push(5)\ns.size()"]  # fmt: skip
    before, goals, _ = shrunk(one, *texts)
    assert all(goals.best[goal][0] <= price for goal, price in before.items())
    for goal, (price, run) in goals.best.items():
        assert price == goals.price(run)
        assert goal in goals.goals_of(one.run(run.sequence, run.invocable.partition(":")[2]))


def test_what_is_small_already_stays_and_ends_at_once(lab):
    before, goals, pool = shrunk(lab(STACK), "first([1, 2])")
    assert {goal: price for goal, (price, _) in goals.best.items()} == before
    assert pool.served <= 2, "the call without its argument"


@pytest.mark.parametrize(
    ("leaf", "values"),
    [
        (Const("abcd"), ["abc", "ab", "cd", "abc", "bcd"]),
        (Const("a"), ["abc"]),
        (
            Const(b"ab\x00c"),
            [
                b"abc",
                b"ab",
                b"\x00c",
                b"ab\x00",
                b"b\x00c",
                b"\x00\x00\x00c",
                b"ab\x00\x00",
                b"\x00\x00\x00c",
                b"ab\x00\x00",
            ],
        ),
        (Const(100), [1, 2, 0, 1, 2, 50, 10]),
        (Const(2), [1, 2]),
        (Const(-1), [1, 2, 0, 1, 2]),
        (Const(value=True), [1, 2]),
        (Const(value=False), [0]),
        (Const(None), ["abc", 1]),
        (Const("    "), ["abc", "abcd", "  ", "  ", "   ", "   "]),
    ],
)
def test_simpler_values_are_of_the_same_kind(leaf, values):
    assert [one.value for one in simpler_values(leaf)] == values


def test_a_value_of_the_library_becomes_a_listed_one_and_is_not_cut():
    late = Build(Symbol("datetime", "date"), (Const(2031), Const(7), Const(9)))
    call = Call("function", "m:f", (late, Source("lambda x: x")))
    found = [one.calls[0].args for one in smaller_variants(Sequence((call,)))]
    listed = VALUES["datetime:date"][0]
    assert found == [
        (late,), (listed, Source("lambda x: x")), (late, Source("lambda x: x + 1")),
        (late, Symbol("builtins", "str")),
    ]  # fmt: skip


def test_a_date_that_a_solver_put_into_year_4_has_a_year_that_a_person_writes():
    odd, plain = (
        Build(Symbol("datetime", "date"), tuple(map(Const, (year, 5, 30)))) for year in (4, 2024)
    )
    assert plain in simpler_values(odd)
    costs = [cost(Sequence((Call("function", "m:f", (one,)),))) for one in (plain, odd)]
    assert costs[0] < costs[1]


@pytest.mark.parametrize("dull", [Source("lambda x: x"), Symbol("builtins", "int")])
def test_a_function_that_gives_back_what_it_is_given_gives_way_to_one_that_shows_it(dull):
    """``each(int, [1]) == [1]`` holds of code that forgets to call the function."""
    shown = Symbol("builtins", "str")
    assert shown in simpler_values(dull)
    costs = [cost(Sequence((Call("function", "m:each", (one,)),))) for one in (shown, dull)]
    assert costs[0] < costs[1]


@pytest.mark.parametrize(("kind", "count"), [("list", 3), ("dict", 4), ("tuple", 3)])
def test_a_display_loses_whole_entries(kind, count):
    items = tuple(Const(number) for number in range(count))
    sizes = [len(one.items) for one in simpler_values(Display(kind, items))]
    unit = 2 if kind == "dict" else 1
    middle = count // unit - 2
    none = [0] if kind == "dict" else []
    assert sizes == [*none, unit, count - unit, count - unit, *[count - unit] * middle]


ARGS = st.recursive(
    st.one_of(st.integers(-99, 99), st.text("ab", max_size=4)).map(Const),
    lambda inner: st.lists(inner, max_size=3).map(lambda items: Display("list", tuple(items))),
    max_leaves=4,
)


@given(st.lists(st.tuples(st.integers(0, 9), ARGS), max_size=6))
def test_candidates_are_well_formed_and_end_with_the_same_call(rows):
    calls = [Call("function", "m:C")]
    calls += [Call("method", "f", (Ref(n % len(calls)), arg)) for n, arg in rows]
    sequence = Sequence(tuple(calls))
    for candidate in smaller_variants(sequence):
        assert candidate.rep_ok()
        assert candidate.calls[-1].name == sequence.calls[-1].name
        assert len(candidate) <= len(sequence)


def test_arguments_that_are_not_needed_are_dropped(lab):
    one = lab("def join(first, second=1, third=2):\n    return first\n")
    _, goals, _ = shrunk(one, "join('', 5, third=None)")
    _, run = next(held for goal, held in goals.best.items() if goal.family is Family.RETURN)
    kept = run.sequence.calls[-1]
    assert (kept.args, kept.kwargs) == ((Const("abc"),), ())


def test_a_text_of_the_right_form_becomes_one_that_is_accepted(lab):
    one = lab("import datetime\ndef day(text):\n"
              "    return datetime.date(*map(int, text.split('-'))).year\n")  # fmt: skip
    _, goals, _ = shrunk(one, "day('4444-44-4')")
    returned = [run for goal, (_, run) in goals.best.items() if goal.family is Family.RETURN]
    assert {run.sequence.calls[-1].args for run in returned} == {(Const("1-11-1"),)}


def test_an_argument_that_a_caller_passes_takes_the_place_of_any_other(lab):
    one = lab("""
        def load(path):
            '>>> load("usr/share/words")'
            return path.split("/")

        def flag(on=False):
            return [on]
        """)
    goals, pool = one.goals(), one.pool()
    for text in ("load('x.y')", "flag('abc')"):
        run = one.run(text)
        goals.offer(run, goals.price(run))
    shrink(goals, SparingPool(pool), PlainArguments(goals.plausibility, ValuePools(one.subject)))
    kept = {run.sequence.calls[-1] for _, run in goals.best.values()}
    assert Call("function", "sample:load", (Const("usr/share/words"),)) in kept
    assert Call("function", "sample:flag", (Const("abc"),)) not in kept


def test_a_class_that_is_written_twice_alike_is_written_once():
    written = Call("define", "class A:\n    x = {0}", (Const(1),))
    made = [Call("operator", "call", (Ref(at),)) for at in (0, 1)]
    both = Sequence((written, written, *made, Call("operator", "==", (Ref(2), Ref(3)))))
    once = Sequence((written, *[Call("operator", "call", (Ref(0),))] * 2,
                     Call("operator", "==", (Ref(1), Ref(2)))))  # fmt: skip
    assert once in smaller_variants(both)
    other = replace(written, args=(Const(2),))
    apart = Sequence((written, other, *both.calls[2:]))
    assert once not in smaller_variants(apart)


def test_a_class_of_free_attributes_loses_those_that_are_not_needed():
    callee = Symbol("argparse", "Namespace")
    both = Build(callee, (), (("name", Const("a")), ("verbose", Const(value=True))))
    smaller = list(simpler_values(both))
    assert Build(callee, (), (("verbose", Const(value=True)),)) in smaller
    calls = [Sequence((Call("function", "m:f", (arg,)),)) for arg in (both, *smaller)]
    assert all(cost(one) < cost(calls[0]) for one in calls[1:] if one != calls[0])


def test_what_a_call_reached_beside_the_last_one_has_a_run_of_its_own(lab):
    one = lab(STACK)
    goals, pool = one.goals(), one.pool()
    run = one.run("s = Stack()\nword('key=abc')\ns.size()")
    goals.offer(run, goals.price(run))
    shrink(goals, SparingPool(pool))
    assert goals.best
    assert {len(held.sequence.calls) for _, held in goals.best.values()} == {1, 2}
    alone = [held for _, held in goals.best.values() if held.invocable == "sample:word"]
    assert alone
    assert all(held.sequence.calls[0].name == "sample:word" for held in alone)


def test_what_is_taken_apart_keeps_what_it_refers_to_and_what_is_arranged(lab):
    one = lab(STACK)
    arranged = Call("arrange", "setenv", (Const("HOME"), Const("abc")))
    run = one.run("s = Stack()\nother = Stack()\nother.push(2)\ns.push(1)")
    calls = [renumber_call(call, {at: at + 1 for at in range(4)}) for call in run.sequence.calls]
    run = replace(run, sequence=Sequence((arranged, *calls)))
    made, push = calls[0], replace(calls[3], args=(Ref(1), Const(1)))
    found = dict(taken_apart(run, Plausibility(one.subject)))
    assert found == {"sample:Stack.push": Sequence((arranged, made, push))}


def test_a_path_at_which_nobody_looks_needs_no_file():
    path = TempPath("data.json", Const("{}"), is_text=True)
    assert list(simpler_values(path)) == [TempPath("data.json", is_text=True)]
    assert list(simpler_values(TempPath("", Display("dict", ())))) == []
