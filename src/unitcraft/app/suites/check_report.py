"""The findings of ``check`` in words, and in the forms that other programs read.

Invariant: the findings stand in the same order in every form.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final
from xml.etree import ElementTree as ET

from unitcraft import __version__
from unitcraft.app.json_document import render_document
from unitcraft.app.suites.check_command import CODES, Checked
from unitcraft.app.terminal_text import align, counted, escape_control, first_few
from unitcraft.core.events import Finding
from unitcraft.core.rule_codes import TITLES
from unitcraft.suite.recording.recordings import (
    REPRESENTATIONS,
    Assumption,
    AssumptionKind,
    RecordedTest,
)

#: What a broken assumption means for the judgement.
MEANINGS: Final[dict[AssumptionKind, str]] = {
    "no-eq": "the whole state counts for the techniques that ask ==",
    "eq-fails": "the whole state counts for the techniques that ask ==",
    "eq-disagrees": "differs for states that == calls equal",
    "argument-changed": "changes what it is given",
    "not-repeatable": "equal inputs gave different results; no test that runs these is redundant",
    "unreadable": "states that cannot be compared, so no test with it is redundant",
    "costly": "states too large, or too many, to compare in full",
}


def render_report(checked: Checked, form: str) -> str:
    """The report in one of the forms that ``--format`` has."""
    if form == "json":
        return render_document("check", as_plain(checked))
    if form == "sarif":
        return json.dumps(_sarif(checked.findings), indent=2)
    if form == "junit":
        return _junit(checked)
    if form == "github":
        return "\n".join(_annotation(one) for one in checked.findings)
    lines = [f"{one.target}: {one.code} {one.message}" for one in checked.findings]
    if form == "full":
        lines += ["", *_summary(checked)]
    return escape_control("\n".join(lines).strip("\n"))


def as_plain(checked: Checked) -> dict[str, Any]:
    """The report as data for JSON."""
    recording = checked.recording
    return {
        "tests": len(recording.tests),
        "executions": sum(test.calls for test in recording.tests),
        "verdicts": dict(Counter(test.verdict for test in recording.tests)),
        "redundant": dict(checked.counts),
        "own_claims": checked.own_claims,
        "findings": [
            {
                "test": one.target,
                "code": one.code,
                "message": one.message,
                "where": one.where,
                **({"repeats": checked.repeats[one.target]} if one.code in CODES else {}),
            }
            for one in checked.findings
        ],
        "assumptions": [
            {"kind": one.kind, "subject": one.subject, "detail": one.detail}
            for one in checked.assumptions
        ],
        "problems": list(recording.problems),
        "notes": list(checked.notes),
    }


# For people.


def _summary(checked: Checked) -> list[str]:
    recording = checked.recording
    tests = recording.tests
    calls = counted(sum(test.calls for test in tests), "call")
    head = f"{counted(len(tests), 'test')} made {calls}"
    rows = [("technique", "code", "redundant tests")] + [
        (name, code, str(checked.counts[name]))
        for name, code in zip(REPRESENTATIONS, CODES, strict=True)
    ]
    others = Counter(one.code for one in checked.findings if one.code not in CODES)
    return [
        f"{head} to {counted(len(recording.invocables), 'function')}.",
        *align(rows, left=(0, 1)).splitlines(),
        *(f"{code} {TITLES[code]}: {others[code]}" for code in sorted(others)),
        *unjudged_lines(tests),
        *_own_claims_note(checked.own_claims),
        *_assumption_notes(checked.assumptions),
        *(f"note: {text}" for text in checked.notes),
    ]


def unjudged_lines(tests: tuple[RecordedTest, ...]) -> list[str]:
    """How many tests were not judged, and why; those that did not pass by name."""
    passed = [test for test in tests if test.verdict == "passed"]
    failed = [test.node for test in tests if test.verdict in ("failed", "died")]
    counts = {
        f"that did not pass: {first_few(failed)}": len(failed),
        "without a call of the subjects": sum(not test.calls for test in passed),
        "that went on with foreign objects that the subjects returned": sum(
            test.is_foreign for test in passed
        ),
    }
    return [f"not judged: {counted(count, 'test')} {why}" for why, count in counts.items() if count]


def _own_claims_note(count: int) -> list[str]:
    why = "with calls of others, but assertions or branches of their own"
    return [f"not reported: {counted(count, 'test')} {why}"] if count else []


def _assumption_notes(assumptions: tuple[Assumption, ...]) -> list[str]:
    """Broken assumptions, one line for each kind."""
    kinds = dict.fromkeys(one.kind for one in assumptions)
    return [
        f"note: {kind} ({MEANINGS[kind]}): "
        + first_few([one.subject or "the end of a test" for one in assumptions if one.kind == kind])
        for kind in kinds
    ]


# For programs.


def _junit(checked: Checked) -> str:
    """One test case for each test; its findings are its failures."""
    tests = checked.recording.tests
    failing = {one.target for one in checked.findings}
    suite = ET.Element(
        "testsuite", name="unitcraft check", tests=str(len(tests)), failures=str(len(failing))
    )
    for test in tests:
        file, _, name = test.node.partition("::")
        case = ET.SubElement(
            suite, "testcase", classname=escape_control(file), name=escape_control(name)
        )
        for one in checked.findings:
            if one.target == test.node:
                text = escape_control(f"{one.code} {one.message}")
                ET.SubElement(case, "failure", type=one.code, message=text).text = one.where
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True)


def _sarif(findings: tuple[Finding, ...]) -> dict[str, Any]:
    """SARIF 2.1.0."""
    rules = sorted({one.code for one in findings})
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "unitcraft",
                        "version": __version__,
                        "rules": [
                            {"id": code, "shortDescription": {"text": TITLES[code]}}
                            for code in rules
                        ],
                    }
                },
                "results": [_sarif_result(one) for one in findings],
            }
        ],
    }


def _sarif_result(one: Finding) -> dict[str, Any]:
    file, _, line = one.where.rpartition(":")
    place = {"artifactLocation": {"uri": file}, "region": {"startLine": int(line or 1)}}
    return {
        "ruleId": one.code,
        "level": "warning",
        "message": {"text": f"{one.target}: {one.message}"},
        "locations": [{"physicalLocation": place}] if file else [],
    }


def _annotation(one: Finding) -> str:
    """A workflow command of GitHub Actions."""
    file, _, line = one.where.rpartition(":")
    text = f"{one.target}: {one.message}".replace("%", "%25").replace("\n", "%0A")
    place = f"file={file},line={line}," if file else ""
    return escape_control(f"::warning {place}title={one.code}::{text}")
