"""Candidate sequences: a class and a target in, the calls that prepare its receiver out."""

from __future__ import annotations

import pytest

from unitcraft.explore.concolic.candidate_sequences import Variants, helper_methods
from unitcraft.explore.concolic.combinations import by_likeness
from unitcraft.explore.concolic.input_shapes import InputShapes

TANK = """
    class Tank:
        def __init__(self, size: int) -> None:
            self.level = 0
            self.label = ""
            self.size = size

        def fill(self, amount: int) -> None:
            self.level += amount

        def rename(self, label: str) -> None:
            self.label = label

        def _leak(self) -> None:
            self.level -= 1

        def is_full(self) -> bool:
            return self.level >= self.size

        def title(self) -> str:
            return self.label.title()

        def one(self) -> int:
            return 1


    def free() -> int:
        return 1
    """


@pytest.fixture
def subject(lab):
    return lab(TANK).subject


def invocable(subject, name):
    return next(one for one in subject.invocables if one.id == f"sample:{name}")


@pytest.mark.parametrize(
    ("target", "helpers"),
    [
        ("Tank.is_full", ["fill"]),
        ("Tank.title", ["rename"]),
        ("Tank.fill", ["fill"]),
        ("Tank.one", ["fill", "rename"]),
        ("free", []),
    ],
)
def test_helpers_write_what_the_target_reads(subject, target, helpers):
    found = helper_methods(invocable(subject, target), subject)
    assert [one.name for one in found] == helpers


def test_few_earlier_calls_come_before_many(subject):
    variants = Variants(subject, InputShapes(subject)).of(invocable(subject, "Tank.is_full"), 2)
    assert [variant.after for variant in variants] == [(), ("fill",), ("fill", "fill")]


def test_the_constants_of_a_variant_are_its_named_inputs(subject):
    *_, last = Variants(subject, InputShapes(subject)).of(invocable(subject, "Tank.is_full"), 2)
    assert last.holes == ("tank.size", "fill.amount", "fill_2.amount")
    assert [call.name for call in last.program.calls] == ["sample:Tank", "fill", "fill", "is_full"]


def test_like_parts_come_before_others_of_their_rank():
    letters = ["a", "b", "c"]
    found = ["".join(each) for each in by_likeness([letters, letters])]
    assert found == ["aa", "bb", "ab", "ba", "cc", "ac", "ca", "bc", "cb"]
    assert list(by_likeness([letters])) == [("a",), ("b",), ("c",)]
    assert list(by_likeness([letters, []])) == []
    assert list(by_likeness([])) == [()]
