"""One run of ``check``: records the suite, judges its tests, gathers the findings.

Invariant: a test is called redundant once, by the strictest technique that finds it so; a finding
that a pragma hides is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from unitcraft.app.suites.existing_suite import (
    SuiteRequest,
    location_of,
    relative_path,
    repeats_text,
    spec_of,
)
from unitcraft.app.terminal_text import counted, first_few, say_progress
from unitcraft.core import rule_codes
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Finding
from unitcraft.suite.existing.assertion_normal_form import normal_forms_in
from unitcraft.suite.existing.flakiness import (
    OTHER_DATE,
    conditions,
    flaky_tests,
    under_other_conditions,
    unreached_tests,
)
from unitcraft.suite.existing.minimise import asserts_nothing_new, takes_nothing_new
from unitcraft.suite.existing.redundancy import RedundantTest, broken_assumptions, redundant_tests
from unitcraft.suite.existing.suite_sources import is_ignored, is_kept
from unitcraft.suite.existing.weak_tests import weak_tests
from unitcraft.suite.recording.cover import cover_suite
from unitcraft.suite.recording.record import SuiteSpec, record_suite
from unitcraft.suite.recording.recordings import (
    REPRESENTATIONS,
    Assumption,
    RecordedTest,
    Recording,
    Representation,
)

#: The codes of redundant tests, one for each of REPRESENTATIONS in its order.
CODES: Final = (
    rule_codes.REDUNDANT_WHOLE_SEQ,
    rule_codes.REDUNDANT_MODIFYING_SEQ,
    rule_codes.REDUNDANT_WHOLE_STATE,
    rule_codes.REDUNDANT_MONITOR_EQUALS,
    rule_codes.REDUNDANT_PAIRWISE_EQUALS,
)

#: A note about the flakiness check.
SAME_DATE_NOTE: Final = "the suite does not run with a shifted clock, so UC301 knows one date only"

#: A note about a second run that ended before its end: the test and the number of those after it.
DIED_NOTE: Final = "the second run died in {}, so UC301 knows nothing of {} tests after it"


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """The suite to check, and the codes: begun by one of ``select`` and by none of ``ignore``.

    ``killed`` has the number of mutants that each test kills, by node id; None: not known.
    ``unsafe``: tests with assertions of their own may be redundant, too.
    """

    suite: SuiteRequest
    select: tuple[str, ...] = ("UC",)
    ignore: tuple[str, ...] = ()
    killed: Mapping[str, int] | None = None
    unsafe: bool = False

    def wants(self, code: str) -> bool:
        """Are findings of this code asked for?"""
        return code.startswith(self.select) and not (self.ignore and code.startswith(self.ignore))


@dataclass(frozen=True, slots=True)
class Checked:
    """The result: ``counts`` has the number of redundant tests for each technique.

    ``own_claims`` counts the redundant tests that are not reported because they assert something
    that the tests which they repeat do not, or take a branch that those do not.
    """

    recording: Recording
    counts: dict[Representation, int]
    findings: tuple[Finding, ...]
    repeats: dict[str, tuple[str, ...]]
    assumptions: tuple[Assumption, ...]
    own_claims: int
    notes: tuple[str, ...] = ()


def run_check(wish: CheckRequest, cwd: Path) -> Checked:
    """Run the suite and judge it.

    Raises UnitcraftError: ``suite-not-run`` and those of finding the subjects.
    """
    spec = spec_of(wish.suite, cwd)
    recording = record_suite(spec)
    calls = counted(sum(test.calls for test in recording.tests), "call")
    say_progress(f"{counted(len(recording.tests), 'test')} made {calls}: comparing them")
    found = {name: redundant_tests(recording, name) for name in REPRESENTATIONS}
    redundant = _by_code(found, wish.suite.representation)
    repeats = _without_own_claims(redundant, recording, spec, wish)
    findings = [Finding(code, one.test.node, repeats_text(one)) for code, one in repeats]
    findings += weak_tests(recording, wish.killed)
    notes: tuple[str, ...] = ()
    if wish.wants(rule_codes.FLAKY):
        flaky, notes = _flaky_findings(recording, spec)
        findings += flaky
    findings += _effect_findings(recording)
    tests = {test.node: test for test in recording.tests}
    order = {node: number for number, node in enumerate(tests)}
    shown = [_with_place(one, tests[one.target], cwd) for one in findings if wish.wants(one.code)]
    shown = [one for one in shown if not _is_hidden(one, tests[one.target])]
    return Checked(
        recording,
        {name: len(found[name]) for name in REPRESENTATIONS},
        tuple(sorted(shown, key=lambda one: (order[one.target], one.code))),
        {one.test.node: tuple(test.node for test in one.by) for _, one in repeats},
        broken_assumptions(recording),
        len(redundant) - len(repeats),
        notes,
    )


def _without_own_claims(
    redundant: list[tuple[str, RedundantTest]],
    recording: Recording,
    spec: SuiteSpec,
    wish: CheckRequest,
) -> list[tuple[str, RedundantTest]]:
    """Those that assert nothing new (unless ``unsafe`` is asked for) and take no other branch.

    The branches are measured by one more run, where any of them would be reported.
    """
    normal_forms = normal_forms_in(recording)
    found = [
        pair for pair in redundant if wish.unsafe or asserts_nothing_new(pair[1], normal_forms)
    ]
    if not any(wish.wants(code) for code, _ in found):
        return found
    say_progress(f"{counted(len(found), 'test')} made calls of others: measuring branches")
    covered = cover_suite(spec)
    return [pair for pair in found if takes_nothing_new(pair[1], covered)]


def _by_code(
    found: Mapping[Representation, tuple[RedundantTest, ...]], last: Representation
) -> list[tuple[str, RedundantTest]]:
    """Each redundant test with the code of the strictest technique up to ``last``."""
    first: dict[str, tuple[str, RedundantTest]] = {}
    for name, code in zip(REPRESENTATIONS, CODES, strict=True):
        for one in found[name]:
            first.setdefault(one.test.node, (code, one))
        if name == last:
            break
    return list(first.values())


def _flaky_findings(recording: Recording, spec: SuiteSpec) -> tuple[list[Finding], tuple[str, ...]]:
    """Findings about tests that differ in a second run; if any, each condition is tried alone.

    A suite that replaces the clock itself may not run with a shifted one: a note says so, and
    another where a run died before its end.
    """
    tried = list(conditions(spec))
    notes: list[str] = []
    say_progress("running them again with another hash seed, date and order")
    try:
        second = record_suite(under_other_conditions(spec))
    except UnitcraftError:
        second = record_suite(replace(under_other_conditions(spec), clock_shift=0.0))
        tried = [one for one in tried if one[0] != OTHER_DATE]
        notes.append(SAME_DATE_NOTE)
    if missed := unreached_tests(recording, second):
        notes.append(DIED_NOTE.format(*missed))
    flaky = flaky_tests(recording, second)
    causes: dict[str, list[str]] = {one.test.node: [] for one in flaky}
    for name, condition in tried if flaky else ():
        say_progress(f"{counted(len(flaky), 'test')} differed: running them again with {name}")
        for one in flaky_tests(recording, record_suite(condition)):
            causes.setdefault(one.test.node, []).append(name)
    found = [
        Finding(rule_codes.FLAKY, one.test.node, f"{one.how} with {' or '.join(why)}")
        for one in flaky
        if (why := causes[one.test.node])
    ]
    return found, tuple(notes)


def _effect_findings(recording: Recording) -> Iterator[Finding]:
    for test in recording.tests:
        if test.effects:
            words = [
                f"{one.event} {one.argument}".strip()
                + (" (refused)" if one.was_refused else "")
                + (f" at {one.where}" if one.where else "")
                for one in test.effects
            ]
            yield Finding(rule_codes.NOT_HERMETIC, test.node, f"asks for {first_few(words)}")


def _with_place(finding: Finding, test: RecordedTest, cwd: Path) -> Finding:
    if finding.where:
        file, _, line = finding.where.rpartition(":")
        return replace(finding, where=f"{relative_path(file, cwd)}:{line}")
    return replace(finding, where=location_of(test, cwd))


def _is_hidden(finding: Finding, test: RecordedTest) -> bool:
    """Does a pragma hide this finding?"""
    if test.place is None:
        return False
    place = (test.place.file, test.place.line)
    is_redundant = finding.code in CODES
    return is_ignored(*place, finding.code) or (is_redundant and is_kept(*place))
