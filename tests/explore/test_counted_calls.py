"""A call is made again as often as a counter is short of what it is compared with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unitcraft.explore.search.variation.counted_calls import MAX_TIMES, CountedCalls

WALKER = """
    class Walker:
        def __init__(self, breath=3):
            self.breath = breath
            self.walked = 0

        def step(self):
            if self.walked == self.breath:
                return "rests"
            self.walked += 1
            return "walks"

    def step(walked, breath):
        if walked == breath:
            return "rests"
        return "walks"
    """


def step(breath):
    return f"walker = Walker({breath})\nwalker.step()"


@pytest.mark.parametrize(("breath", "times"), [("", 3), ("1", 1), (str(MAX_TIMES), MAX_TIMES)])
def test_the_last_call_is_made_until_the_numbers_meet(lab, breath, times):
    one = lab(WALKER)
    run = one.run(step(breath), "Walker.step")
    [made] = CountedCalls().repeated(run)
    assert made.calls == (*run.sequence.calls, *[run.sequence.calls[-1]] * times)
    assert not set(one.run(made, "Walker.step").last_hits) <= set(run.last_hits)


@pytest.mark.parametrize(
    "text", ["step(0, 3)", step(MAX_TIMES + 1), step(0), step("'a'"), "Walker(3)"],
    ids=["a function", "too many", "equal", "a text", "made"],
)  # fmt: skip
def test_no_other_run_is_repeated(lab, text):
    assert CountedCalls().repeated(lab(WALKER).run(text, "Walker.step")) == []


def test_a_few_runs_are_repeated_until_the_other_outcome_is_seen(lab):
    one, counted = lab(WALKER), CountedCalls()
    walks = one.run(step(3), "Walker.step")
    assert [len(counted.repeated(walks)) for _ in range(5)] == [1, 1, 1, 0, 0]
    seen = CountedCalls()
    seen.repeated(one.run(step(0), "Walker.step"))
    assert seen.repeated(walks) == []


def test_what_one_method_saw_is_open_below_another_one(lab):
    one, counted = lab(WALKER), CountedCalls()
    counted.repeated(one.run(step(0), "Walker.step"))
    walks = replace(one.run(step(2), "Walker.step"), invocable="sample:Walker.go")
    assert len(counted.repeated(walks)) == 1
