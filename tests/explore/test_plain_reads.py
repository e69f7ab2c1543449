"""Attributes that are read without running code, and observers of them proven harmless together."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import EACH
from unitcraft.explore.agents import observations
from unitcraft.explore.agents.observations import reads_plainly
from unitcraft.state.heap.object_layout import UNREADABLE, plain_attribute


class Plain:
    kind = "plain"

    def __init__(self, inner=None):
        self.inner = inner
        self.items = [1]

    @property
    def size(self):
        return 1


class Slotted:
    __slots__ = ("empty", "full")

    def __init__(self):
        self.full = 1


class Asking(Plain):
    def __getattribute__(self, name):
        return object.__getattribute__(self, name)


@pytest.mark.parametrize(
    ("value", "name", "is_plain"),
    [
        (Plain(), "inner", True), (Plain(), "size", False), (Plain(), "kind", False),
        (Plain(), "missing", False), (Slotted(), "full", True), (Slotted(), "empty", False),
        (Asking(), "inner", False), (5, "real", False), (Plain, "kind", False),
    ],
)  # fmt: skip
def test_attributes_that_run_no_code(value, name, is_plain):
    assert (plain_attribute(value, name) is not UNREADABLE) == is_plain


@pytest.mark.parametrize(
    ("path", "is_plain"),
    [
        ("inner", True), ("inner.inner", True), ("inner.size", False), (f"{EACH}inner", False),
        ('inner["key"]', False),
    ],
)  # fmt: skip
def test_paths_that_run_no_code(path, is_plain):
    assert reads_plainly(path, Plain(Plain())) == is_plain


def test_paths_into_items():
    assert reads_plainly(f"{EACH}inner", [Plain(), Plain()])
    assert not reads_plainly(f"{EACH}size", [Plain(), Plain()])


SOURCE = """
class Many:
    def __init__(self):
        self.one = 1
        self.two = 2
        self.three = 3
        self.four = 4

class Lazy:
    def __init__(self):
        self.one = 1
        self.other = None

    @property
    def filled(self):
        self.other = 2
        return 3
"""


def test_plain_attributes_are_proven_together(lab, monkeypatch):
    made = lab(SOURCE)
    asked = []
    real = observations.state_of
    monkeypatch.setattr(observations, "state_of", lambda value: asked.append(1) or real(value))
    shown = made.after("Many()")[4][0][1]
    assert list(shown.values())
    assert len(shown) == 4
    assert len(asked) == 2


def test_a_property_that_changes_what_it_shows_spoils_no_attribute(lab):
    shown = lab(SOURCE).after("Lazy()")[4][0][1]
    assert sorted(shown) == ["one", "other"]
