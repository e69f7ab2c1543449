"""Tests that refuted laws (refuting_tests), and how ``generate`` keeps them (law_goals)."""

from __future__ import annotations

import pytest

from unitcraft.app.generate.generate_module import generate
from unitcraft.app.generate.generated_suite import Options
from unitcraft.core.call_text import call_text
from unitcraft.core.events import SilentListener
from unitcraft.infer.class_request import ClassToSpecify
from unitcraft.infer.infer_class import infer_specification, open_host
from unitcraft.subject.locate import locate

SOURCE = '''
class Till:
    """Its last entry is -1 where there is none."""

    def __init__(self) -> None:
        self._entries: list[int] = []

    def enter(self, amount: int) -> None:
        self._entries.append(amount)

    def last(self) -> int:
        return self._entries[-1] if self._entries else -1

    def is_empty(self) -> bool:
        return not self._entries
'''


@pytest.fixture(scope="module")
def refuted(specify):
    return specify("Till").refuted


def test_the_test_of_a_refuted_law_makes_its_calls(refuted):
    """Run as it reads, the program breaks the law: an empty till is not told by its last entry."""
    for law in refuted:
        calls = law.refuting.sequence.calls
        names: dict[str, object] = {}
        exec(SOURCE, names)
        for place, call in enumerate(calls):
            text = call_text(call, [f"r{n}" for n in range(len(calls))])
            exec(f"r{place} = {text}", names)
        assert law.refuting.invocable.startswith("sample:Till.")
        assert calls[: len(law.witness.calls)] == law.witness.calls
        assert calls[-1].name == law.refuting.invocable.rpartition(".")[2]
    texts = {law.text: law.refuting.sequence.calls for law in refuted}
    assert any(call.args[-1:] and getattr(call.args[-1], "value", 0) == -1
               for calls in texts.values() for call in calls)  # fmt: skip


FAULTY = """
class Pile:
    def __init__(self) -> None:
        self._items: list[int] = []

    def put(self, item: int) -> None:
        self._items.insert(0, item)

    def top(self) -> int:
        if self.is_empty():
            raise IndexError
        return self._items[-1]

    def is_empty(self) -> bool:
        return not self._items
"""


def test_what_a_law_leaves_out_by_its_condition_is_a_test(tmp_path):
    """``top(put(S, item)) == item if is_empty(S)``: the fault is what the condition leaves out."""
    (tmp_path / "pile.py").write_text(FAULTY)
    task = ClassToSpecify("pile", "Pile", paths=(str(tmp_path),))
    with open_host(task) as host:
        found = infer_specification(host, task)
    told = {one.text: one.refuting.sequence.calls for one in found.relaxed if one.refuting}
    puts = [call for call in told["top(put(S, item)) == item"] if call.name == "put"]
    assert len(puts) > 1


def test_generate_keeps_them_where_the_criterion_asks(tmp_path):
    (tmp_path / "till.py").write_text(SOURCE)
    located = locate("till.py", tmp_path)[0]
    options = Options(jobs=1, criterion=("law",), symbolic=False, executions=200)
    text = generate(located, options, SilentListener()).text
    assert "-1" in text
    assert text == generate(located, options, SilentListener()).text
