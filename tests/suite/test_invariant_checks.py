"""Representation invariants asserted after the last Call of a test."""

from __future__ import annotations

import pytest

from unitcraft.core.outcomes import Raised, Returned
from unitcraft.core.rule_codes import NO_SEQUENCE, VIOLATED
from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.execute.spec import HostSpec
from unitcraft.heaps.heap_goals import HeapCheck
from unitcraft.suite.generated.invariant_checks import BUILT, assert_invariants
from unitcraft.suite.tests import Check, Test

SOURCE = """
class Count:
    def __init__(self):
        self.n = 0

    def add(self, step):
        self.n += step
        if step > 5:
            raise ValueError(step)

    def rep_ok(self):
        return self.n >= 0

    def check(self):
        assert self.n >= 0
"""


def case(step, outcome=None):
    calls = (Call("function", "counts:Count"), Call("method", "add", (Ref(0), Const(step))))
    return Test("counts:Count.add", Sequence(calls), outcome or Returned())


CASES = (case(1), case(6, Raised("builtins:ValueError", "6")), case(-1))


def asserted(folder, name, *, is_built=False):
    (folder / "counts.py").write_text(SOURCE)
    about = HeapCheck("counts:Count", name, Call("method", name, (Ref(0),)), is_built)
    checks = {test.sequence.key: about for test in CASES}
    spec = HostSpec("unitcraft.heaps.guest.state_agent", {"module": "counts"}, paths=(str(folder),))
    return about.call, assert_invariants((*CASES, case(2)), checks, spec, 1)


@pytest.mark.parametrize(("name", "answer"), [("rep_ok", True), ("check", None)])
def test_what_holds_is_asserted_also_after_an_exception(tmp_path, name, answer):
    asked, (tests, findings) = asserted(tmp_path, name)
    held = (Check(asked, "is", Const(answer)),)
    assert [test.checks for test in tests] == [held, held, (), ()]
    assert [one.code for one in findings] == [VIOLATED]
    assert findings[0].message == f"count = Count(); count.add(-1); then {name} does not hold"


def test_a_built_heap_is_marked_and_left_out_where_its_call_breaks_the_invariant(tmp_path):
    _, (tests, findings) = asserted(tmp_path, "rep_ok", is_built=True)
    assert [test.note for test in tests] == [BUILT, BUILT, ""]
    assert [one.code for one in findings] == [NO_SEQUENCE]
