"""A part that fails costs its own answer; a phase that takes too long ends."""

from __future__ import annotations

import pytest

from unitcraft.core.containment import (
    MAX_STRETCH,
    Containment,
    TimeGuard,
    describe_error,
    describe_traceback,
)
from unitcraft.core.encoding import decode


def fail(contained, times=1):
    for _ in range(times):
        with contained.part("the part"):
            raise ValueError("first line\nsecond line")


def test_a_part_that_fails_is_left_and_reported_once_with_its_count():
    contained = Containment()
    fail(contained, times=3)
    (finding,) = contained.findings("pkg.mod")
    assert (finding.code, finding.target) == ("UC514", "pkg.mod")
    assert finding.message == "the part failed 3 times: ValueError: first line"


def test_nothing_is_reported_where_nothing_failed():
    contained = Containment()
    with contained.part("the part"):
        pass
    assert contained.findings("pkg.mod") == []


def test_an_interrupt_is_not_contained():
    with pytest.raises(KeyboardInterrupt), Containment().part("the part"):
        raise KeyboardInterrupt


def test_an_error_names_the_place_in_unitcraft_that_it_came_from():
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - its description is the point
        decode(("no such tag",))
    assert "(core.encoding:" in describe_error(caught.value)


def test_a_guard_strikes_when_its_time_is_over_and_stays_struck():
    clock = [0.0]
    guard = TimeGuard(10.0, lambda: clock[0])
    clock[0] = 99.0
    assert not guard.strikes()
    guard.start()
    clock[0] = 100.0
    assert not guard.strikes()
    assert guard.findings("m", "the search") == []
    clock[0] = 109.5
    assert guard.strikes()
    clock[0] = 0.0
    assert guard.strikes()
    (finding,) = guard.findings("m", "the search")
    assert finding.code == "UC505"
    assert "the search was ended after 10 seconds" in finding.message


def test_a_guard_that_counts_the_processor_waits_for_work_that_waits_for_its_turn():
    clock, used = [0.0], [7.0]
    guard = TimeGuard(10.0, lambda: clock[0])
    guard.start(used=lambda: used[0])
    clock[0], used[0] = 30.0, 16.0
    assert not guard.strikes()
    used[0] = 17.0
    assert not guard.strikes(), "it has asked just now"
    clock[0] = 31.5
    assert guard.strikes()


def test_a_guard_that_counts_the_processor_does_not_wait_for_ever():
    clock = [0.0]
    guard = TimeGuard(10.0, lambda: clock[0])
    guard.start(used=lambda: 0.0)
    clock[0] = 10.0 * MAX_STRETCH - 0.5
    assert not guard.strikes()
    clock[0] += 1.0
    assert guard.strikes()


TRACEBACK = """\
Traceback (most recent call last):
  File "worker.py", line 206, in _run_item
    value = service(item)
            ^^^^^^^^^^^^^
  File "local.py", line 508, in _get_current_object
    raise RuntimeError(unbound_message) from None
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{TRACEBACK}OSError: No request.\n\nThis means\n  that you\n.\n", "OSError: No request."),
        (TRACEBACK + "KeyError: 'a'\n", "KeyError: 'a'"),
        ("SyntaxError: odd", "SyntaxError: odd"),
        ("", ""),
    ],
)  # fmt: skip
def test_of_a_traceback_the_exception_is_told_and_the_first_line_of_its_message(text, expected):
    assert describe_traceback(text) == expected
