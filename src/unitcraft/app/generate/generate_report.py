"""The final report of ``generate``, as text or JSON.

Invariant: a report is a function of the Summary: it adds nothing and hides nothing
silently (what is left out for brevity is counted).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from unitcraft.app.generate.delivery import Delivered
from unitcraft.app.generate.generate_targets import Summary, TargetResult
from unitcraft.app.json_document import render_document
from unitcraft.app.terminal_text import align, counted
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
    is_shown = summary.results or len(summary.failures) > 1
    parts = [table(summary, cwd)] if is_shown else []
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
    return render_document("generate", as_plain(summary, cwd))


def as_plain(summary: Summary, cwd: Path) -> dict[str, Any]:
    """The report as data for JSON."""
    return {
        "targets": [plain_target(result, cwd) for result in summary.results],
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


def table(summary: Summary, cwd: Path) -> str:
    """The targets in aligned columns, with a last line of totals when there are several."""
    rows = [_HEAD, *(_row(result, cwd) for result in summary.results)]
    rows += [(failed.label, *["-"] * 4, f"[{failed.error.slug}]") for failed in summary.failures]
    if len(summary.results) > 1:
        rows.append(_totals(summary.results))
    return align(rows, left=(0, 5))


def shown_path(result: TargetResult, cwd: Path) -> str:
    """The file of a suite, relative to ``cwd`` where it is below it; '' without a file."""
    path = result.delivered.path
    if path is None:
        return ""
    return str(path.relative_to(cwd) if path.is_relative_to(cwd) else path)


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


#: The headings of findings: UC4xx, and the others.
_BUGS: Final = "Probably wrong in {}:"
_UNTESTED: Final = "Not tested in {}:"


def _findings_of(result: TargetResult, *, everything: bool) -> str:
    """The findings about one target, grouped by code."""
    by_code: dict[str, list[Finding]] = {}
    for finding in result.generated.findings:
        by_code.setdefault(finding.code, []).append(finding)
    lines: list[str] = []
    heading = ""
    for code, findings in sorted(by_code.items()):
        before, heading = heading, _BUGS if code.startswith("UC4") else _UNTESTED
        lines += [] if heading == before else [heading.format(result.label)]
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
        lines += _delivery_remarks(result.label, result.delivered)
    edited = [result.label for result in summary.results if _differs(result.delivered)]
    if edited:
        lines.append(f"The figures of {', '.join(edited)} are those of the suite as it was made.")
    if len(summary.failures) > 1 or (summary.failures and summary.results):
        total = len(summary.results) + len(summary.empty) + len(summary.failures)
        lines.append(f"{len(summary.failures)} of {counted(total, 'target')} failed.")
    return "\n".join(lines)


def _differs(delivered: Delivered) -> bool:
    """Does the file hold other tests than those that were made?"""
    is_ours = delivered.kept != UNREADABLE
    return is_ours and bool(delivered.kept or delivered.left_out or delivered.dropped)


def _delivery_remarks(label: str, delivered: Delivered) -> list[str]:
    """What a person should know of a file that is not as it was made, or does not pass."""
    if delivered.kept == UNREADABLE:
        return [f"{delivered.path} is not valid Python: left as it is."]
    failing = ", ".join(delivered.failing)
    rows = [
        (f"Kept as edited in {label}", ", ".join(delivered.kept)),
        (f"Kept in {label}, and not passing", failing if delivered.kept else ""),
        (f"Not confirmed with the conftest of {label}", "" if delivered.kept else failing),
        (f"Left out of {label}, failing with the conftest there", ", ".join(delivered.dropped)),
        (f"Left out as deleted in {label}", ", ".join(delivered.left_out)),
    ]
    return [f"{title}: {names}." for title, names in rows if names]


def plain_target(result: TargetResult, cwd: Path) -> dict[str, Any]:
    """The figures and findings of one target as data for JSON."""
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
        "mutants": generated.mutants._asdict(),
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
