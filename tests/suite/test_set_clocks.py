"""A clock is set for one question and for several, and the time goes on."""

from __future__ import annotations

from unitcraft.core.sequences import Call, Const, Sequence, Source
from unitcraft.suite.telling.set_clocks import with_set_clocks

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
