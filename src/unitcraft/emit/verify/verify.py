"""The written file is run by plain pytest in two fresh processes; what fails is dropped.

Invariant: the text that leaves here passed as a whole, in both orders, under two hash
seeds, two clocks and two environments, with asserts that pytest rewrites and with plain ones, on
the original code.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from unitcraft.core import rule_codes
from unitcraft.core.events import Finding
from unitcraft.core.interpreter import OWN
from unitcraft.emit.arrange.merge_observers import Origin
from unitcraft.emit.verify.bisect_failures import bisect_failures
from unitcraft.emit.verify.pytest_run import (
    MeasuredCoverage,
    RowFailure,
    RunConditions,
    RunEnvironment,
    RunReport,
    run_file,
    subject_file,
)
from unitcraft.emit.verify.repaired_tests import repaired_tests
from unitcraft.emit.verify.state_isolation import asserts_state, isolated_tests
from unitcraft.emit.write.writer import Row, WrittenSuite, imported_names, write
from unitcraft.execute.spec import HostSpec
from unitcraft.subject.model import Subject
from unitcraft.suite.generated.lifted_arguments import lower_arguments
from unitcraft.suite.surroundings import Surroundings
from unitcraft.suite.tests import OTHER_CLOCK_SHIFT, OTHER_HASH_SEED, Test

#: Rounds in which a failed assertion is dropped alone; afterwards its whole test goes.
_GENTLE_ROUNDS: Final = 3

#: Rounds after which a file that still fails is given up.
_MAX_ROUNDS: Final = 12

#: The last round after which tests are written otherwise: each once, behind that of their state.
_REPAIRS: Final = 2

#: CPU seconds that a unit test may take.
_MAX_SECONDS: Final = 1.0

_ENDED: Final = "the test process ended in it: a crash, an exit or the time limit"

_NOT_PYTHON: Final = "its text is no Python: this is a fault of unitcraft"

_ENDS_BADLY: Final = "the test process does not end as it should when it has run"


@dataclass(frozen=True, slots=True)
class VerifiedSuite:
    """A file that passes, its figures, and findings about what was dropped.

    ``text`` is empty when nothing passed.  ``tests`` counts rows as pytest does.
    """

    text: str
    tests: int
    coverage: MeasuredCoverage = field(default_factory=MeasuredCoverage)
    findings: tuple[Finding, ...] = ()


@dataclass(slots=True)
class _Losses:
    """The tests and assertions that a round drops, by ``repr`` of the Test (mutable)."""

    tests: dict[str, str] = field(default_factory=dict)
    checks: dict[str, set[int]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.tests or self.checks)

    def drop(self, test: Test, why: str) -> None:
        self.tests.setdefault(repr(test), why)

    def drop_check(self, origin: Origin, why: str) -> None:
        self.checks.setdefault(repr(origin.test), set()).add(origin.check)
        self.reasons.setdefault(repr(origin.test), why)


def verify(
    written: WrittenSuite,
    subject: Subject,
    spec: HostSpec,
    *,
    surroundings: Surroundings = Surroundings(),  # noqa: B008 - frozen
    warnings: tuple[str, ...] = (),
    lines: tuple[int, int] | None = None,
    is_late: Callable[[], bool] = lambda: False,
) -> VerifiedSuite:
    """``written`` without the assertions and tests that one of two runs does not confirm.

    The first run sees the user's values of the variables that the Subject reads, the second the
    other environment.  In neither is garbage collected before the end, so that each test meets what
    those before it left.  ``warnings`` are the filters that pytest has in the project, and
    ``lines`` the first and last that coverage is measured of (None: all).  Once ``is_late`` says
    so, nothing is tried to save what failed.
    """
    first, second = run_conditions(subject_file(subject.file, spec.paths), surroundings)
    conditions = (replace(first, cover_lines=lines), second)
    environment = RunEnvironment(
        spec.paths, spec.policy, spec.memory_mb, spec.python or OWN, warnings, spec.environment,
        spec.before_import,
    )  # fmt: skip
    findings: dict[Finding, None] = {}
    bare: dict[str, Test] = {}
    written = _readable(written, subject, findings)

    def run_apart() -> RunReport:
        apart = replace(second, apart=subject.module.partition(".")[0])
        return run_file(written.text, _file_name(subject), apart, environment)

    for number in range(_MAX_ROUNDS):
        if not written.nodes:
            break
        repeated = (conditions[0], replace(second, repeats=number == 0))
        reports = _run_both(written, subject, environment, repeated)
        if any(report.chokes for report in reports):  # to see in which test
            collecting = (replace(conditions[0], collects=True), replace(second, collects=True))
            reports = _run_both(written, subject, environment, collecting)
        late = is_late()
        own = isolated_tests(written, reports, run_apart) if number == 0 and not late else None
        if own is not None:
            bare = {repr(new): old for old, new in zip(_tests(written), own, strict=True)}
        elif number <= _REPAIRS and not late:
            own = repaired_tests(written, reports)
        if own is not None:
            written = write(subject, own, written.header, first_party=written.first_party)
            continue
        losses = _ended_badly(written, reports, subject, environment)
        losses = losses or _judge(written, reports, gentle=number < _GENTLE_ROUNDS and not late)
        if not losses:
            tests = sum(len(rows) for rows in written.nodes.values())
            return VerifiedSuite(written.text, tests, reports[0].coverage, tuple(findings))
        before = _tests(written)
        findings.update(dict.fromkeys(_findings(before, losses)))
        remaining = _without_losses(before, losses, bare)
        written = write(subject, remaining, written.header, first_party=written.first_party)
    return VerifiedSuite("", 0, findings=tuple(findings))


def _readable(
    written: WrittenSuite, subject: Subject, findings: dict[Finding, None]
) -> WrittenSuite:
    """``written`` without tests whose text no Python reads, which cost the others nothing."""
    if _is_python(written.text):
        return written
    tests, losses = _tests(written), _Losses()
    for test in tests:
        alone = write(subject, [test], written.header, first_party=written.first_party)
        if not _is_python(alone.text):
            losses.drop(test, _NOT_PYTHON)
    findings.update(dict.fromkeys(_findings(tests, losses)))
    remaining = _without_losses(tests, losses)
    return write(subject, remaining, written.header, first_party=written.first_party)


def _is_python(text: str) -> bool:
    try:
        compile(text, "<suite>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def run_conditions(covered: str, surroundings: Surroundings) -> tuple[RunConditions, RunConditions]:
    """The conditions of the two runs."""
    return (
        RunConditions(cover=covered, env=tuple(surroundings.values_in(os.environ).items())),
        RunConditions(
            reverse=True,
            hash_seed=OTHER_HASH_SEED,
            clock_shift=OTHER_CLOCK_SHIFT,
            env=(*surroundings.other, ("TMPDIR", "")),
            elsewhere=True,
            plain=True,
        ),
    )


def _run_both(
    written: WrittenSuite,
    subject: Subject,
    environment: RunEnvironment,
    conditions: tuple[RunConditions, RunConditions],
) -> tuple[RunReport, RunReport]:
    name = _file_name(subject)
    with ThreadPoolExecutor(2) as pool:
        first, second = [
            pool.submit(run_file, written.text, name, condition, environment)
            for condition in conditions
        ]
        return first.result(), second.result()


def _file_name(subject: Subject) -> str:
    return f"test_{subject.module.replace('.', '_')}.py"


def _ended_badly(
    written: WrittenSuite,
    reports: tuple[RunReport, RunReport],
    subject: Subject,
    environment: RunEnvironment,
) -> _Losses:
    """The tests that end their process, in them or after them, whatever else it runs."""
    losses = _Losses()
    if all(report.ended or report.collection for report in reports):
        return losses

    def ends_well(tests: Sequence[Test]) -> bool:
        part = write(subject, list(tests), written.header, first_party=written.first_party)
        return run_file(part.text, _file_name(subject), RunConditions(), environment).ended

    tests = _tests(written)
    died = [test for test in tests if any(_died(test, written, report) for report in reports)]
    for test in [test for test in died if not ends_well([test])]:
        losses.drop(test, _ENDED)
    if not losses:
        for test in bisect_failures(tests, ends_well):
            losses.drop(test, _ENDS_BADLY)
    if not losses and not died:
        for test in tests:
            losses.drop(test, _ENDS_BADLY)
    return losses


def _died(test: Test, written: WrittenSuite, report: RunReport) -> bool:
    """Did the process end while ``test`` ran?"""
    return any(
        test in row.tests and report.failures.get((node, number)) == RowFailure("")
        for node, rows in written.nodes.items()
        for number, row in enumerate(rows)
    )


def _tests(written: WrittenSuite) -> list[Test]:
    rows = [row for found in written.nodes.values() for row in found]
    return list({repr(test): test for row in rows for test in row.tests}.values())


def _judge(written: WrittenSuite, reports: tuple[RunReport, RunReport], *, gentle: bool) -> _Losses:
    losses = _Losses()
    collection = next((report.collection for report in reports if report.collection), "")
    if collection:
        _blame_collection(written, collection, losses)
        return losses
    cut_short: list[Row] = []
    for node, rows in written.nodes.items():
        for number, row in enumerate(rows):
            case = (node, number)
            failures = [report.failures[case] for report in reports if case in report.failures]
            if failures:
                for failure in failures:
                    _blame(row, failure, losses, gentle=gentle)
            elif not all(report.passed(case) for report in reports):
                cut_short.append(row)
            elif min(report.seconds[case] for report in reports) > _MAX_SECONDS:
                _drop(row, "it takes longer than a second", losses)
    if not losses:
        for row in cut_short:
            _drop(row, "it did not run to its end", losses)
    return losses


def _blame(row: Row, failure: RowFailure, losses: _Losses, *, gentle: bool) -> None:
    """Drop the one assertion that failed where others remain, else the whole row."""
    origin = row.checks.get(failure.line)
    if failure.left:
        _drop(row, f"it leaves {failure.left} changed", losses)
    elif origin is not None and gentle:
        losses.drop_check(origin, f"an assertion failed with {failure.error} when run again")
    else:
        why = f"it failed with {failure.error} when run again" if failure.error else _ENDED
        _drop(row, why, losses)


def _drop(row: Row, why: str, losses: _Losses) -> None:
    for test in row.tests:
        losses.drop(test, why)


def _blame_collection(written: WrittenSuite, message: str, losses: _Losses) -> None:
    """Drop the Tests with a name that could not be imported; all Tests, if none has one."""
    tests = _tests(written)
    guilty = [
        test for test in tests if any(f"'{name}'" in message for name in imported_names(test))
    ]
    last = message.strip().splitlines()[-1:] or [""]
    for test in guilty or tests:
        reason = re.sub(r" \(/.*\)$", "", last[0].removeprefix("E").strip())
        losses.drop(test, f"the file could not be imported: {reason[:200]}")


def _without_losses(
    tests: Iterable[Test], losses: _Losses, bare: Mapping[str, Test] = MappingProxyType({})
) -> list[Test]:
    """``tests`` without what is lost; ``bare`` are those with a state of their own, before that.

    A test that lost a Check and looks at no state of the project does not set any.
    """
    found: list[Test] = []
    for test in tests:
        gone = losses.checks.get(repr(test), set())
        if repr(test) not in losses.tests:
            kept = [check for number, check in enumerate(test.checks) if number not in gone]
            less = replace(test, checks=tuple(kept))
            if gone and repr(test) in bare and not asserts_state(less):
                before = bare[repr(test)]
                kept = [one for number, one in enumerate(before.checks) if number not in gone]
                less = replace(before, checks=tuple(kept))
            found.append(lower_arguments(less) if gone else less)  # no Check looks at a name now
    return found


def _findings(tests: Iterable[Test], losses: _Losses) -> list[Finding]:
    reasons: Mapping[str, str] = {**losses.reasons, **losses.tests}
    return [
        Finding(rule_codes.UNVERIFIED, test.invocable, reasons[repr(test)])
        for test in tests
        if repr(test) in reasons
    ]
