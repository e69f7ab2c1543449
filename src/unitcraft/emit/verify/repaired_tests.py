"""Tests that pytest refutes as they are written, and that hold when they are written otherwise.

``Node(parent=Node())`` leaves nobody who holds the parent where a node refers to it weakly: it is
gone before the test asks for it, where a run of the Sequence held every result to its end.  So what
such a test passes on gets a name.  A test that leaves the level of the root logger changed sets it
by ``caplog`` first, which puts it back.

Invariant: a test is repaired in either way once, and only after it failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from unitcraft.core.sequences import Call, Const, refs_in
from unitcraft.emit.code.call_code import SET_LEVEL
from unitcraft.emit.verify.leaked_state import ROOT_LEVEL
from unitcraft.emit.verify.pytest_run import RowFailure, RunReport
from unitcraft.emit.verify.state_isolation import beginning_with
from unitcraft.emit.write.writer import WrittenSuite
from unitcraft.suite.tests import Test

#: Sets the level that the root logger has at first.
_LEVEL: Final = Call("arrange", SET_LEVEL, (Const("WARNING"),))


def repaired_tests(written: WrittenSuite, reports: Sequence[RunReport]) -> list[Test] | None:
    """The Tests of ``written``, those that failed written otherwise; None where none can be."""
    found: dict[str, tuple[Test, Test]] = {}
    for node, rows in written.nodes.items():
        for number, row in enumerate(rows):
            failures = [report.failures.get((node, number)) for report in reports]
            found |= {repr(test): (test, _repaired(test, failures)) for test in row.tests}
    changed = any(new is not old for old, new in found.values())
    return [new for _, new in found.values()] if changed else None


def _repaired(test: Test, failures: Sequence[RowFailure | None]) -> Test:
    if any(one is not None and one.left == ROOT_LEVEL for one in failures):
        return test if _LEVEL in test.resets else beginning_with(test, [_LEVEL])
    failed = all(one is not None and one.error and not one.left for one in failures)
    needs_names = failed and not test.holds and _passes_object_on(test)
    return replace(test, holds=True) if needs_names else test


def _passes_object_on(test: Test) -> bool:
    """Is an object that a function or class made given to another one?"""
    calls = test.sequence.calls
    given = [arg for call in calls if call.kind == "function" for arg in call.args]
    given += [arg for call in calls if call.kind == "method" for arg in call.args[1:]]
    given += [arg for call in calls for _, arg in call.kwargs]
    return any(calls[at].kind == "function" for arg in given for at in refs_in(arg))
