"""Tests that change the state of their project get a state of their own, as by a fixture.

A test that registers a class, a name or a callback leaves that to the tests after it, in whatever
order they run.  Where tests fail for this in the written file, those that leave something set the
place to what it held at first, and pytest puts it back at their end.

Invariant: a file in which nothing fails stays as it is; only places that a run saw changed are set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from unitcraft.core import sequences
from unitcraft.core.sequences import Call, Const, renumber_call
from unitcraft.emit.verify.pytest_run import ChangedPlace, RowKey, RunReport
from unitcraft.emit.write.writer import WrittenSuite
from unitcraft.suite.tests import Test, renumber_check


def isolated_tests(
    written: WrittenSuite, reports: Iterable[RunReport], run_apart: Callable[[], RunReport]
) -> list[Test] | None:
    """The Tests of ``written`` with their own state; None where that would mend no failure.

    ``run_apart`` runs the file and puts the state of the project back after each test.
    """
    failing = [
        case
        for report in reports
        for case, failure in report.failures.items()
        if failure.error and not failure.left
    ]
    apart = run_apart() if failing else None
    if apart is None or not any(map(apart.passed, failing)):
        return None
    changed = _places_by_test(written, apart)
    rows = [row for found in written.nodes.values() for row in found]
    tests = {repr(test): test for row in rows for test in row.tests}
    return [with_own_state(test, changed.get(name, ())) for name, test in tests.items()]


def _places_by_test(written: WrittenSuite, apart: RunReport) -> dict[str, tuple[ChangedPlace, ...]]:
    """What each Test, by its ``repr``, leaves changed; a row may stand for several."""
    cases: dict[RowKey, list[Test]] = {
        (node, number): list(row.tests)
        for node, rows in written.nodes.items()
        for number, row in enumerate(rows)
    }
    return {
        repr(test): tuple(dict.fromkeys(places))
        for case, places in apart.changed.items()
        for test in cases.get(case, ())
    }


def with_own_state(test: Test, places: Sequence[ChangedPlace]) -> Test:
    """``test`` that first sets ``places`` to what they held, unless it sets them itself."""
    calls = test.sequence.calls
    given = [call.args[0] for call in calls if call.kind == "arrange"]
    setting = [
        Call("arrange", "setattr", (name, place.held))
        for place in places
        if (name := Const(f"{place.module}.{place.qualname}")) not in given
    ]
    where = {at: at + len(setting) for at in range(len(calls))}
    moved = [renumber_call(call, where) for call in calls]
    checks = tuple([renumber_check(check, where) for check in test.checks])
    return replace(test, sequence=sequences.Sequence((*setting, *moved)), checks=checks)
