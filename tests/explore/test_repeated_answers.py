"""What repetitions of a run agree on."""

from __future__ import annotations

import pytest

from unitcraft.core.call_text import arg_text
from unitcraft.core.encoding import decode, encode
from unitcraft.core.outcomes import Opaque
from unitcraft.core.sequences import Const, Display
from unitcraft.execute.isolation.entropy import REPEATS, REPEATS_OF_CANDIDATES
from unitcraft.execute.sandbox.clock import MOMENTS, MOMENTS_OF_CANDIDATES
from unitcraft.explore.agents import observers
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
    left = common(answer(3), answer(4))
    assert decode(left[1]) == Opaque("builtins:int")
    other = answer("a", "builtins:str")
    assert common(answer(3), other) is None


def test_of_dictionaries_that_differ_keys_and_values_stay():
    """Under keys that can stand in a path, also of dictionaries inside them."""

    def facts(now, more=()):
        told = {"now": now, "size": 3, **dict(more)}
        inner = tuple([part for key, value in told.items() for part in (Const(key), Const(value))])
        parts = (Const("clock"), Display("dict", inner), Const(1), Const("x"))
        return (None, encode(Display("dict", parts)), "builtins:dict", -1, ())

    left = common(facts("12:00"), facts("12:01"))
    assert decode(left[1]) == Opaque("builtins:dict")
    ((index, changed, found),) = left[4]
    assert (index, changed) == (0, True)
    assert [(call[1], arg_text(decode(term))) for call, term in found] == [
        ("[*].", "['clock', 1]"),
        ('["clock"][*].', "['now', 'size']"),
        ('["clock"]["size"]', "3"),
    ]
    other = common(facts("12:00", [("zone", "UTC")]), facts("12:01"))
    assert [call[1] for call, _ in other[4][0][2]] == ["[*].", '["clock"]["size"]']
    assert common(left, facts("12:02")) == left


def common(one, other):
    return agree(without_result(one, other, 0), without_result(other, one, 0))


class Drawing(observers.Observer):
    """An observer of a run that draws, whose answers are counted."""

    __slots__ = ("asked",)

    def after(self, calls, known=None):  # noqa: ARG002 - as the service is called
        self.asked += 1
        return answer(3)


def test_a_candidate_that_draws_is_repeated_less_often_than_a_test(monkeypatch):
    monkeypatch.setattr(observers.ENTROPY, "drawn", lambda: True)
    for service, repeats in (("stable_after", REPEATS), ("likely_after", REPEATS_OF_CANDIDATES)):
        observer = Drawing("sample", "sample")
        observer.asked = 0
        assert getattr(observer, service)(()) == answer(3)
        assert observer.asked == 1 + repeats
    assert REPEATS_OF_CANDIDATES < REPEATS


def test_a_candidate_that_asks_the_time_is_run_at_fewer_moments_than_a_test(monkeypatch):
    gone: list[int] = []
    monkeypatch.setattr(observers.CLOCK, "was_read", lambda: True)
    monkeypatch.setattr(observers.CLOCK, "go_to", gone.append)
    for service, moments in (
        ("stable_after", range(1, MOMENTS + 1)),
        ("likely_after", MOMENTS_OF_CANDIDATES),
    ):
        observer = Drawing("sample", "sample")
        observer.asked = 0
        gone.clear()
        getattr(observer, service)(())
        assert gone == [*moments, 0]
