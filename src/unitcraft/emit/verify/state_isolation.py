"""Tests that change the state of their project get a state of their own, as by a fixture.

A test that registers a class, a name or a callback leaves that to the tests after it, in whatever
order they run.  Where tests fail for this in the written file, those that leave something set the
place to what it held at first, and pytest puts it back at their end.  A test that asserts what
became of such a place does so in any case: other tests of the project may change it too.  So does
one that fails when it runs once more in the same process.

Invariant: other tests of a file in which nothing fails stay as they are; only places that a run saw
changed are set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from unitcraft.core import sequences
from unitcraft.core.sequences import Call, Const, Symbol, refs_in, refs_of, renumber_call
from unitcraft.emit.verify.pytest_run import ChangedPlace, RowKey, RunReport
from unitcraft.emit.write.writer import WrittenSuite
from unitcraft.suite.tests import Test, renumber_check


def isolated_tests(
    written: WrittenSuite, reports: Sequence[RunReport], run_apart: Callable[[], RunReport]
) -> list[Test] | None:
    """The Tests of ``written`` with their own state; None where no test needs one.

    ``run_apart`` runs the file and puts the state of the project back after each test.
    """
    failing = [
        case
        for report in reports
        for case, failure in report.failures.items()
        if failure.error and not failure.left
    ]
    rows = [row for found in written.nodes.values() for row in found]
    tests = {repr(test): test for row in rows for test in row.tests}
    telling = {name for name, test in tests.items() if asserts_state(test)}
    again = frozenset[RowKey]().union(*[report.again for report in reports])
    telling |= {
        repr(test)
        for node, found in written.nodes.items()
        for number, row in enumerate(found)
        for test in (row.tests if (node, number) in again else ())
    }
    if not failing and not telling:
        return None
    apart = run_apart()
    changed = _places_by_test(written, apart)
    own = tests if any(map(apart.passed, failing)) else telling
    made = [
        with_own_state(test, places_of(test, changed.get(name, ())) if name in own else ())
        for name, test in tests.items()
    ]
    return made if made != list(tests.values()) else None


def places_of(test: Test, changed: Sequence[ChangedPlace]) -> list[ChangedPlace]:
    """The places that ``test`` changes, and those that hold in the end what they held at first.

    Of the latter, the ones that it asserts.
    """
    known = {(place.module, place.qualname) for place in changed}
    found = list(changed)
    for check in test.checks:
        read = check.observed
        if not isinstance(read, Call) or read.kind != "get" or "[" in read.name:
            continue
        owner, is_whole = read.args[0], check.relation in ("==", "is")
        if isinstance(owner, Symbol) and is_whole and not refs_in(check.expected):
            qualname = f"{owner.qualname}.{read.name}".lstrip(".")
            if (owner.module, qualname) not in known:
                found.append(ChangedPlace(owner.module, qualname, check.expected))
    return found


def asserts_state(test: Test) -> bool:
    """Does a Check look at what the module itself holds?"""
    return any(
        isinstance(check.observed, Call)
        and check.observed.kind in ("get", "function")
        and not refs_of(check.observed)
        for check in test.checks
    )


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
    given = [call.args[0] for call in test.sequence.calls if call.kind == "arrange"]
    setting = [
        Call("arrange", "setattr", (name, place.held))
        for place in places
        if (name := Const(f"{place.module}.{place.qualname}")) not in given
    ]
    return beginning_with(test, setting)


def beginning_with(test: Test, setting: Sequence[Call]) -> Test:
    """``test`` that first does ``setting``, of which its name says nothing."""
    calls = test.sequence.calls
    where = {at: at + len(setting) for at in range(len(calls))}
    moved = [renumber_call(call, where) for call in calls]
    checks = tuple([renumber_check(check, where) for check in test.checks])
    sequence = sequences.Sequence((*setting, *moved))
    return replace(test, sequence=sequence, checks=checks, resets=test.resets.union(setting))
