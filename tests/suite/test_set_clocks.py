"""A clock is set for one question and for several, and the time goes on."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.explore.search.variation.places import recording
from unitcraft.subject.model import Parameter
from unitcraft.suite.telling.set_clocks import with_passing_time, with_set_clocks

STOP = Sequence((Call("function", "sample:Timer", ()),))


def test_a_clock_tells_as_much_as_it_may_be_asked_for():
    made = list(with_set_clocks(STOP, ("sample.time.time",)))
    assert [one.calls[1:] for one in made] == [STOP.calls] * 3
    arranged = [one.calls[0] for one in made]
    assert {call.args[0] for call in arranged} == {Const("sample.time.time")}
    assert [call.args[1] for call in arranged] == [
        Source("lambda: 1.0"),
        Source("iter([1.0, 3.5]).__next__"),
        Source("iter([1.0, 3.5, 7.0]).__next__"),
    ]


def test_without_clocks_nothing_is_set():
    assert list(with_set_clocks(STOP, ())) == []


def test_a_clock_of_dates_is_a_class_that_tells_one_moment():
    (made,) = with_set_clocks(STOP, ("sample.datetime.datetime.now",))
    define, arrange, last = made.calls
    assert define.kind == "define"
    assert define.args == (Symbol("datetime", "datetime"),)
    assert define.name.startswith("class FixedDatetime({0}):\n    @classmethod\n    def now(cls")
    assert arrange == Call("arrange", "setattr", (Const("sample.datetime.datetime"), Ref(0)))
    assert last == STOP.calls[0]


def test_days_are_told_without_a_time():
    (made,) = with_set_clocks(STOP, ("sample.date.today",))
    assert made.calls[0].args == (Symbol("datetime", "date"),)
    assert made.calls[0].name.endswith("return {0}(2026, 6, 15)")


def test_where_dates_are_given_their_class_stays():
    given = Build(Symbol("datetime", "date"), (Const(2024), Const(1), Const(2)))
    run = Sequence((Call("function", "sample:age", (given,)),))
    assert list(with_set_clocks(run, ("sample.date.today",))) == []


@pytest.mark.parametrize(
    ("given", "clock", "is_set"),
    [
        (Build(Symbol("datetime", "timedelta"), (Const(1),)), "datetime.now", True),
        (Build(Symbol("datetime", "time"), (Const(1),)), "datetime.now", True),
        (
            Build(Symbol("datetime", "date"), (Const(2024), Const(1), Const(2))),
            "datetime.now",
            True,
        ),
        (Build(Symbol("datetime", "datetime.fromtimestamp"), (Const(1),)), "datetime.now", False),
        (Build(Symbol("datetime", "datetime.fromtimestamp"), (Const(1),)), "date.today", False),
    ],
)
def test_only_objects_of_the_class_that_is_replaced_matter(given, clock, is_set):
    run = Sequence((Call("function", "sample:until", (Display("list", (given,)),)),))
    assert bool(list(with_set_clocks(run, (f"sample.{clock}",)))) == is_set


def test_a_limit_that_has_passed_before_becomes_one_that_passes():
    told = Call("arrange", "setattr", (Const("shop.time.time"), Source("lambda: 0")))
    made = Call("function", "shop:Pause", (Const(0),))
    act = Call("method", "act", (Ref(1),))
    found = list(with_passing_time(Sequence((told, made, act, act)), lambda _: ()))
    assert {one.calls[1].args for one in found} == {(Const(5),)}
    assert [one.calls[3].args[1] for one in found][:2] == [Source("lambda: 5"), Source("lambda: 1")]
    assert {one.calls[4] for one in found} == {act}


def test_a_clock_that_counts_its_questions_is_one_that_is_set():
    given = (("clock", Source("iter(range(99)).__next__")),)
    made = Call("function", "shop:Session", (), given)
    asked = Call("method", "is_open", (Ref(0),))
    clock = Parameter("clock", required=False)
    found = list(with_passing_time(Sequence((made, asked)), lambda at: [clock] if at == 0 else ()))
    assert {one.calls[0].args for one in found} == {(recording(Const(0)),)}
    assert {one.calls[2].args[1].value for one in found} >= {1, 5, 10}
    assert list(with_passing_time(Sequence((made, asked)), lambda _: ())) == []
