"""One run of ``check``: records the suite, judges its tests, words the report.

Invariant: a test is listed once, under the strictest technique that finds it redundant.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from unitcraft.app.columns import aligned, harmless
from unitcraft.app.config import Config
from unitcraft.core import codes
from unitcraft.core.events import Finding
from unitcraft.execute.policy import Level, Policy
from unitcraft.subject.locate import Located, locate
from unitcraft.suite.recording.model import (
    REPRESENTATIONS,
    Assumption,
    RecordedTest,
    Recording,
    Representation,
)
from unitcraft.suite.recording.running import SuiteSpec, record_suite
from unitcraft.suite.redundancy import Redundant, broken_assumptions, redundant_tests

CODES: Final = (
    codes.REDUNDANT_WHOLE_SEQ,
    codes.REDUNDANT_MODIFYING_SEQ,
    codes.REDUNDANT_WHOLE_STATE,
    codes.REDUNDANT_MONITOR_EQUALS,
    codes.REDUNDANT_PAIRWISE_EQUALS,
)

#: Tests that a finding names as those it repeats.
MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Wish:
    """What to check: ``arguments`` are pytest's; ``technique`` is the last one listed."""

    arguments: tuple[str, ...]
    subjects: tuple[str, ...]
    technique: str
    inner: bool
    sandbox: str
    allow: tuple[str, ...]
    seconds: float
    config: Config


@dataclass(frozen=True, slots=True)
class Checked:
    """What came out: ``counts`` has the number of redundant tests for each technique."""

    recording: Recording
    counts: dict[Representation, int]
    findings: tuple[Finding, ...]
    repeats: dict[str, tuple[str, ...]]
    assumptions: tuple[Assumption, ...]


def checked(wish: Wish, cwd: Path) -> Checked:
    """Run the suite and judge it.

    Raises UnitcraftError: ``suite-not-run`` and those of finding the subjects.
    """
    recording = record_suite(_spec(wish, cwd))
    found = {name: redundant_tests(recording, name) for name in REPRESENTATIONS}
    findings: dict[str, Finding] = {}
    repeats: dict[str, tuple[str, ...]] = {}
    last = [name.lower() for name in REPRESENTATIONS].index(wish.technique.lower())
    for name, code in zip(REPRESENTATIONS[: last + 1], CODES, strict=False):
        for one in found[name]:
            if one.test.node not in findings:
                findings[one.test.node] = Finding(code, one.test.node, _repeats(one))
                repeats[one.test.node] = tuple(test.node for test in one.by)
    order = [test.node for test in recording.tests if test.node in findings]
    return Checked(
        recording,
        {name: len(found[name]) for name in REPRESENTATIONS},
        tuple(findings[node] for node in dict.fromkeys(order)),
        repeats,
        broken_assumptions(recording),
    )


def _spec(wish: Wish, cwd: Path) -> SuiteSpec:
    config = wish.config
    extra = [config.root / path for path in config.paths]
    located = [one for name in wish.subjects for one in locate(name, cwd, extra)]
    return SuiteSpec(
        wish.arguments,
        tuple(dict.fromkeys(one.module for one in located)),
        str(cwd),
        tuple(dict.fromkeys([*_roots(located), *map(str, extra), str(cwd)])),
        Policy(cast("Level", wish.sandbox), tuple(_waiver(text) for text in wish.allow)),
        seconds=wish.seconds,
        inner=wish.inner,
    )


def _roots(located: list[Located]) -> list[str]:
    """Import roots that are not on the path anyway."""
    return [str(one.root) for one in located if str(one.root) not in sys.path]


def _waiver(text: str) -> tuple[str, str]:
    event, _, argument = text.partition(":")
    return event, argument or "*"


def _repeats(redundant: Redundant) -> str:
    names = [test.node for test in redundant.by]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"repeats {', '.join(names[:MOST_NAMED])}{more}"


# The report.


def shown(checked: Checked, form: str) -> str:
    """The report as JSON, as one line for each finding, or in full."""
    if form == "json":
        return json.dumps(as_plain(checked), indent=2)
    lines = [f"{one.target}: {one.code} {one.message}" for one in checked.findings]
    if form == "full":
        lines += ["", *_summary(checked)]
    return harmless("\n".join(lines).strip("\n"))


def as_plain(checked: Checked) -> dict[str, Any]:
    """The report as data for JSON."""
    recording = checked.recording
    return {
        "tests": len(recording.tests),
        "executions": sum(test.calls for test in recording.tests),
        "verdicts": dict(Counter(test.verdict for test in recording.tests)),
        "redundant": dict(checked.counts),
        "findings": [
            {"test": one.target, "code": one.code, "repeats": checked.repeats[one.target]}
            for one in checked.findings
        ],
        "assumptions": [
            {"kind": one.kind, "subject": one.subject, "detail": one.detail}
            for one in checked.assumptions
        ],
        "problems": list(recording.problems),
    }


def _summary(checked: Checked) -> list[str]:
    recording = checked.recording
    tests = recording.tests
    head = f"{len(tests)} tests made {sum(test.calls for test in tests)} calls"
    rows = [("technique", "code", "redundant tests")] + [
        (name, code, str(checked.counts[name]))
        for name, code in zip(REPRESENTATIONS, CODES, strict=True)
    ]
    return [
        f"{head} to {len(recording.invocables)} functions.",
        *aligned(rows, left=(0, 1)).splitlines(),
        *_unjudged(tests),
        *_notes(checked.assumptions),
    ]


def _unjudged(tests: tuple[RecordedTest, ...]) -> list[str]:
    """How many tests have no verdict, and why."""
    failed = sum(test.verdict in ("failed", "died") for test in tests)
    silent = sum(test.verdict == "passed" and not test.calls for test in tests)
    lines = [f"{failed} tests did not pass: not judged"] if failed else []
    return lines + ([f"{silent} tests call nothing of the subjects: not judged"] if silent else [])


def _notes(assumptions: tuple[Assumption, ...]) -> list[str]:
    """Broken assumptions, one line for each kind."""
    kinds = dict.fromkeys(one.kind for one in assumptions)
    lines = []
    for kind in kinds:
        subjects = [one.subject for one in assumptions if one.kind == kind]
        more = f" and {len(subjects) - MOST_NAMED} more" if len(subjects) > MOST_NAMED else ""
        lines.append(f"note: {kind}: {', '.join(subjects[:MOST_NAMED])}{more}")
    return lines
