"""What new objects show, and what a constructor refuses: constructor_laws, in one line each."""

from __future__ import annotations

import types

import pytest

from unitcraft.infer.output.specs_suite import as_suite

SOURCE = """
class Meter:
    def __init__(self, low: int = 0, high: int = 9):
        if high < 0:
            raise ValueError("high")
        self.low = low
        self._high = high
        self._read = 0

    def top(self) -> int:
        return self._high

    def count(self) -> int:
        return self._read

    def is_at(self, value: int) -> bool:
        return self._read == value

    def reset(self):
        self.__init__()

    def last(self) -> int:
        self._read += 1
        return self.low
"""


@pytest.fixture(scope="module")
def laws(specify):
    return {one.text: one for one in specify("Meter").laws}


def test_a_new_object_shows_its_arguments_in_one_line(laws):
    assert "Meter() has top == 9, low == 0" in laws
    assert any("reset(S) == Meter()" in one.said for one in laws.values())
    assert not any(said.startswith("top(reset(S))") for one in laws.values() for said in one.said)
    returns = "if Meter(low, high) returns"
    assert f"Meter(low, high) has top == high, count == 0, low == low {returns}" in laws
    assert "Meter(low, high) raises ValueError if high < 0" in laws


def test_the_tests_of_a_new_object_see_other_defaults(specify, laws, monkeypatch):
    """The text of the suite, run as pytest would, on the class and on two with a fault."""
    text = as_suite(specify("Meter"))
    for old, new, wrong in (
        ("", "", False), ("high: int = 9", "high: int = 8", True), ("high < 0", "high < -1", True),
    ):  # fmt: skip
        module = types.ModuleType("sample")
        exec(SOURCE.replace(old, new) if old else SOURCE, module.__dict__)
        monkeypatch.setitem(__import__("sys").modules, "sample", module)
        names: dict[str, object] = {}
        exec(text, names)
        failed = 0
        for name in [one for one in names if one.startswith("test_meter")]:
            given, rows = names[name].pytestmark[0].args
            for row in rows:
                try:
                    names[name](*(row if "," in given else [row]))
                except AssertionError:
                    failed += 1
        assert bool(failed) is wrong, new


def test_nothing_is_explored_by_constructors(specify):
    """They lead to objects from which exploration begins anyway, and keep nothing of another."""
    assert not any("Meter" in axiom.text for axiom in specify("Meter").axioms)
    assert not any(name.startswith("Meter") for name, _, _ in specify("Meter").steps)
