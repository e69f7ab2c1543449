"""Tests that keep what they pass on under names, because the Subject does not keep it.

``Node(parent=Node())`` leaves nobody who holds the parent where a node refers to it weakly: it is
gone before the test asks for it.  A run of the Sequence held every result to its end.

Invariant: only tests that failed in all runs, and that pass an object on, are written otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unitcraft.core.sequences import refs_in
from unitcraft.emit.verify.pytest_run import RunReport
from unitcraft.emit.write.writer import WrittenSuite
from unitcraft.suite.tests import Test


def named_tests(written: WrittenSuite, reports: Sequence[RunReport]) -> list[Test] | None:
    """The Tests of ``written``, those that failed with a name for all they pass on; None: none."""
    failed = {
        repr(test)
        for node, rows in written.nodes.items()
        for number, row in enumerate(rows)
        if all(_fails(report, (node, number)) for report in reports)
        for test in row.tests
        if _passes_object_on(test) and not test.holds
    }
    rows = [row for found in written.nodes.values() for row in found]
    tests = {repr(test): test for row in rows for test in row.tests}
    made = [replace(one, holds=True) if key in failed else one for key, one in tests.items()]
    return made if failed else None


def _fails(report: RunReport, case: tuple[str, int]) -> bool:
    failure = report.failures.get(case)
    return failure is not None and bool(failure.error) and not failure.left


def _passes_object_on(test: Test) -> bool:
    """Is an object that a function or class made given to another one?"""
    calls = test.sequence.calls
    given = [arg for call in calls if call.kind == "function" for arg in call.args]
    given += [arg for call in calls if call.kind == "method" for arg in call.args[1:]]
    given += [arg for call in calls for _, arg in call.kwargs]
    return any(calls[at].kind == "function" for arg in given for at in refs_in(arg))
