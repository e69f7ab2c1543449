"""The final report of ``generate``, as text or JSON.

Invariant: a report is a function of the Summary: it adds nothing and hides nothing
silently (what is left out for brevity is counted).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from unitcraft.app.generate.generate_targets import Summary, TargetResult
from unitcraft.app.json_document import render_document
from unitcraft.app.terminal_text import align
from unitcraft.core.events import Finding
from unitcraft.core.rule_codes import BUDGET, TITLES

#: Findings of one code that the full report spells out for one target.
SPELLED_OUT = 4

#: ``Delivered.kept`` of a file that is not valid Python.
UNREADABLE = ("*",)

#: Titles of the columns.
_HEAD = ("target", "tests", "branches", "lines", "seconds", "file")


def full(summary: Summary, cwd: Path, *, everything: bool = False) -> str:
    """A table of the targets, then the findings: what has no test, and why."""
    parts = [table(summary, cwd)] if summary.results else []
    parts += [_findings_of(result, everything=everything) for result in summary.results]
    parts += [_remarks(summary)]
    return "\n\n".join(part for part in parts if part)


def concise(summary: Summary, cwd: Path) -> str:
    """One line for each target and for each finding."""
    lines = []
    for result in summary.results:
        generated = result.generated
        where = shown_path(result, cwd) or "no file"
        share = _share(*_branches(result))
        lines.append(f"{where}: {counted(generated.tests, 'test')}, branches {share}")
        lines += [f"{_place(found)}: {found.code} {found.message}" for found in generated.findings]
    lines += [f"{one.label}: nothing to test" for one in summary.empty]
    lines += [f"{failure.label}: error: {failure.error.what}" for failure in summary.failures]
    return "\n".join(lines)


def brief(summary: Summary) -> str:
    """How many targets have a suite, and why the others have none, by code."""
    results = summary.results
    served = [result for result in results if result.generated.text]
    reasons: dict[str, list[str]] = {}
    for failure in (*summary.failures, *summary.empty):
        reasons.setdefault(failure.error.slug, []).append(failure.label)
    for result in results:
        if not result.generated.text:
            codes = sorted({finding.code for finding in result.generated.findings})
            reasons.setdefault(" ".join(codes) or "nothing-to-test", []).append(result.label)
    total = len(results) + len(summary.failures) + len(summary.empty)
    tests = sum(result.generated.tests for result in served)
    lines = [f"{len(served)} of {counted(total, 'target')} have a suite, {counted(tests, 'test')}."]
    rows = [
        (reason, str(len(labels)), ", ".join(labels))
        for reason, labels in sorted(reasons.items(), key=lambda row: (-len(row[1]), row[0]))
    ]
    return "\n".join([*lines, *([align(rows, left=(0, 2))] if rows else [])])


def as_json(summary: Summary, cwd: Path) -> str:
    """A JSON object with ``targets``, ``empty`` and ``failures``, for other programs."""
    document = {
        "targets": [_target(result, cwd) for result in summary.results],
        "empty": [failure.label for failure in summary.empty],
        "failures": [
            {
                "target": failure.label,
                "slug": failure.error.slug,
                "message": failure.error.what,
                "cause": failure.error.cause,
                "advice": failure.error.advice,
            }
            for failure in summary.failures
        ],
    }
    return render_document("generate", document)


def table(summary: Summary, cwd: Path) -> str:
    """The targets in aligned columns, with a last line of totals when there are several."""
    rows = [_HEAD, *(_row(result, cwd) for result in summary.results)]
    if len(summary.results) > 1:
        rows.append(_totals(summary.results))
    return align(rows, left=(0, 5))


def shown_path(result: TargetResult, cwd: Path) -> str:
    """The file of a suite, relative to ``cwd`` where it is below it; '' without a file."""
    path = result.delivered.path
    if path is None:
        return ""
    return str(path.relative_to(cwd) if path.is_relative_to(cwd) else path)


def counted(number: int, noun: str) -> str:
    """``1 test``, ``2 tests``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _row(result: TargetResult, cwd: Path) -> tuple[str, ...]:
    generated = result.generated
    return (
        result.label,
        str(generated.tests),
        _share(*_branches(result)),
        _share(generated.lines_covered, generated.lines),
        "stored" if result.stored else f"{generated.seconds:.1f}",
        shown_path(result, cwd) or ("nothing to test" if not generated.text else "shown"),
    )


def _totals(results: Sequence[TargetResult]) -> tuple[str, ...]:
    generated = [result.generated for result in results]
    fresh = [result.generated.seconds for result in results if not result.stored]
    return (
        "all",
        str(sum(one.tests for one in generated)),
        _share(
            sum(one.branches_covered for one in generated), sum(one.branches for one in generated)
        ),
        _share(sum(one.lines_covered for one in generated), sum(one.lines for one in generated)),
        f"{sum(fresh):.1f}",
        "",
    )


def _branches(result: TargetResult) -> tuple[int, int]:
    return result.generated.branches_covered, result.generated.branches


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} {100 * part // whole:3d}%" if whole else "-"


def _findings_of(result: TargetResult, *, everything: bool) -> str:
    """The findings about one target, grouped by code."""
    by_code: dict[str, list[Finding]] = {}
    for finding in result.generated.findings:
        by_code.setdefault(finding.code, []).append(finding)
    lines = [f"Not tested in {result.label}:"] if by_code else []
    for code, findings in sorted(by_code.items()):
        lines.append(f"  {code} {TITLES.get(code, 'see `unitcraft explain`')}")
        shown = findings if everything else findings[:SPELLED_OUT]
        lines += [f"    {_place(finding)}: {finding.message}" for finding in shown]
        if len(findings) > len(shown):
            lines.append(f"    and {len(findings) - len(shown)} more (--verbose shows them)")
    return "\n".join(lines)


def _place(finding: Finding) -> str:
    return f"{finding.target} ({finding.where})" if finding.where else finding.target


def _remarks(summary: Summary) -> str:
    lines = []
    truncated = [result.label for result in summary.results if result.generated.truncated]
    if truncated:
        lines.append(
            f"{BUDGET} a bound of time ended the work on {', '.join(truncated)}: "
            "another run may give another suite (use --steps for a reproducible bound)."
        )
    if summary.empty:
        lines.append(f"Nothing to test in {', '.join(one.label for one in summary.empty)}.")
    for result in summary.results:
        kept = result.delivered.kept
        if kept == UNREADABLE:
            lines.append(f"{result.delivered.path} is not valid Python: left as it is.")
        elif kept:
            lines.append(f"Kept as edited in {result.label}: {', '.join(kept)}.")
        if result.delivered.failing:
            lines.append(
                f"Kept in {result.label}, and not passing: {', '.join(result.delivered.failing)}."
            )
        if result.delivered.dropped:
            names = ", ".join(result.delivered.dropped)
            lines.append(f"Left out of {result.label}, failing with the conftest there: {names}.")
        if result.delivered.left_out:
            names = ", ".join(result.delivered.left_out)
            lines.append(f"Left out as deleted in {result.label}: {names}.")
    return "\n".join(lines)


def _target(result: TargetResult, cwd: Path) -> dict[str, Any]:
    generated = result.generated
    return {
        "target": result.label,
        "module": generated.module,
        "file": shown_path(result, cwd) or None,
        "status": result.delivered.status,
        "kept": list(result.delivered.kept),
        "failing": list(result.delivered.failing),
        "dropped": list(result.delivered.dropped),
        "left_out": list(result.delivered.left_out),
        "stored": result.stored,
        "tests": generated.tests,
        "branches": {"covered": generated.branches_covered, "all": generated.branches},
        "lines": {"covered": generated.lines_covered, "all": generated.lines},
        "seconds": round(generated.seconds, 3),
        "phases": {name: round(seconds, 3) for name, seconds in generated.phases},
        "executions": generated.executions,
        "variations": {
            kind: {"runs": runs, "goals": goals, "sites": sites}
            for kind, runs, goals, sites in generated.variations
        },
        "truncated": generated.truncated,
        "findings": [
            {
                "code": finding.code,
                "target": finding.target,
                "message": finding.message,
                "where": finding.where,
            }
            for finding in generated.findings
        ],
    }
