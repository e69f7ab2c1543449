"""Candidate sequences: classes of the literature and of our own, with counts known by hand."""

from __future__ import annotations

from itertools import permutations

import pytest

from unitcraft.explore.influence.data_flow import can_be_linked, is_executable
from unitcraft.explore.influence.influence_analysis import analyse_influence
from unitcraft.explore.influence.influence_matrix import InfluenceMatrix
from unitcraft.explore.influence.sequence_enumeration import (
    CandidateSequences,
    Reductions,
    heirs_of,
)

MONITOR = """
    class TemperatureMonitor:
        def __init__(self) -> None:
            self._enabled = False
            self._temperature = 0

        def set_enabled(self, enabled: bool) -> None:
            self._enabled = enabled

        def update_temperature(self, temperature: int) -> None:
            if self._enabled:
                self._temperature = temperature

        def get_temperature(self) -> int:
            return self._temperature

        def warning(self) -> bool:
            return self.get_temperature() > 80


    class Switches:
        def __init__(self) -> None:
            self._a = self._b = self._c = False

        def set_a(self, a: bool) -> None:
            self._a = a

        def set_b(self, b: bool) -> None:
            self._b = b

        def set_c(self, c: bool) -> None:
            self._c = c

        def calculate(self) -> str:
            return "target" if self._a and self._b and self._c else ""
    """

SHAPES = """
    from abc import ABC, abstractmethod


    class Shape(ABC):
        @abstractmethod
        def area(self) -> int: ...


    class Square(Shape):
        def __init__(self, side: int) -> None:
            self._side = side

        def area(self) -> int:
            return self._side * self._side


    class Point(Shape):
        def area(self) -> int:
            return 0


    class Other:
        pass


    RATE = 1


    def set_rate(rate: int) -> None:
        global RATE
        RATE = rate


    def price(shape: Shape) -> int:
        return RATE * shape.area()


    def total(shapes: list[Shape]) -> int:
        return sum(shape.area() for shape in shapes)


    def anything(thing: object) -> int:
        if isinstance(thing, Square):
            return thing.area()
        return 0
    """


@pytest.fixture
def candidates(lab):
    def of(source, target):
        subject = lab(source).subject
        return CandidateSequences(analyse_influence(subject), f"sample:{target}", subject)

    return of


def names(found, calls):
    return [found.matrix.rows[one].invocable.id.rpartition(":")[2].removesuffix(".__init__")
            .rpartition(".")[2] for one in calls]  # fmt: skip


def test_temperature_monitor_has_the_candidates_of_the_thesis(candidates):
    found = candidates(MONITOR, "TemperatureMonitor.warning")
    assert [len(list(found.of_length(length))) for length in range(1, 7)] == [0, 1, 1, 2, 4, 8]
    assert names(found, next(found.of_length(4))) == [
        "TemperatureMonitor", "set_enabled", "update_temperature", "warning",
    ]  # fmt: skip


def test_of_independent_calls_one_order_is_left(candidates):
    found = candidates(MONITOR, "Switches.calculate")
    setters = [one for one in range(len(found.matrix.rows))
               if ".set_" in found.matrix.rows[one].invocable.id
               and "Switches" in found.matrix.rows[one].invocable.id]  # fmt: skip
    orders = list(found.of_length(5, Reductions(partial_order=False)))
    each_once = [calls for calls in orders if sorted(calls[1:4]) == setters]
    assert len(each_once) == len(list(permutations(setters)))
    left = [calls for calls in found.of_length(5) if sorted(calls[1:4]) == setters]
    assert [names(found, calls) for calls in left] == [
        ["Switches", "set_a", "set_b", "set_c", "calculate"]
    ]
    assert {found.matrix.normal_order(calls) for calls in each_once} == set(left)


@pytest.mark.parametrize(
    ("target", "length", "expected"),
    [
        ("price", 2, [["Square", "price"], ["Point", "price"]]),
        ("price", 3, [["Square", "set_rate", "price"], ["Point", "set_rate", "price"]]),
        ("total", 3, [["Square", "Square", "total"], ["Square", "Point", "total"],
                      ["Point", "Point", "total"]]),
        ("anything", 2, [["Square", "anything"], ["Point", "anything"]]),
        ("Square.area", 3, []),
    ],
)  # fmt: skip
def test_results_are_linked_by_type(candidates, target, length, expected):
    found = candidates(SHAPES, target)
    assert [names(found, calls) for calls in found.of_length(length)] == expected


def test_two_objects_for_one_receiver_have_no_data_flow(lab):
    subject = lab(MONITOR).subject
    matrix = InfluenceMatrix(analyse_influence(subject), heirs_of(subject))
    made, warning = (
        next(place for place, one in enumerate(matrix.rows) if one.invocable.id.endswith(name))
        for name in ("TemperatureMonitor", "TemperatureMonitor.warning")
    )
    assert is_executable(matrix, (made, made, warning))
    assert not can_be_linked(matrix, (made, made, warning), complete=True)
    assert not can_be_linked(matrix, (made, made, warning), complete=False)
    assert can_be_linked(matrix, (made, warning), complete=True)


@pytest.mark.parametrize(("target", "length"), [("total", 4), ("price", 4), ("Square.area", 3)])
def test_sequences_without_room_for_what_is_needed_are_not_looked_at(
    candidates, monkeypatch, target, length
):
    found = candidates(SHAPES, target)
    sequences = list(found.of_length(length))
    looked_at, found.considered = found.considered, 0
    monkeypatch.setattr(InfluenceMatrix, "least_makers", lambda *_: 0)
    assert list(found.of_length(length)) == sequences
    assert looked_at < found.considered or target != "price"
    assert looked_at <= found.considered


def test_one_call_may_make_what_two_slots_need(candidates):
    found = candidates(SHAPES, "total")
    masks = tuple(fits for fits in found.matrix.fits[found.target])
    assert found.matrix.least_makers(masks) == 1
    assert found.matrix.least_makers(()) == 0


def test_a_bound_ends_the_enumeration(candidates):
    found = candidates(MONITOR, "TemperatureMonitor.warning")
    assert list(found.of_length(6, most=20)) == []
    assert found.considered == 21
