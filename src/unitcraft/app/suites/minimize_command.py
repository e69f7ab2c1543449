"""One run of ``minimize``: the tests that a suite does not need, and the suite without them.

Invariant: no file is changed here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unitcraft.app.json_document import render_document
from unitcraft.app.suites.existing_suite import SuiteRequest, repeats_text, spec_of
from unitcraft.app.terminal_text import align, escape_control
from unitcraft.suite.existing.assertion_normal_form import normal_forms_in
from unitcraft.suite.existing.minimise import Minimisation, minimise_suite
from unitcraft.suite.existing.suite_sources import is_kept
from unitcraft.suite.recording.cover import SuiteCoverage, cover_suite
from unitcraft.suite.recording.record import SuiteSpec, record_suite
from unitcraft.suite.recording.recordings import Recording, TestLocation


@dataclass(frozen=True, slots=True)
class MinimizeResult:
    """A suite as it ran, and the tests that are not needed."""

    spec: SuiteSpec
    recording: Recording
    covered: SuiteCoverage
    minimised: Minimisation


def run_minimize(wish: SuiteRequest, cwd: Path, *, unsafe: bool = False) -> MinimizeResult:
    """Record and measure the suite, and find the tests that are not needed.

    ``unsafe``: a test with assertions of its own may be one of them.

    Raises UnitcraftError: ``suite-not-run`` and those of finding the subjects.
    """
    spec = spec_of(wish, cwd)
    recording, covered = record_suite(spec), cover_suite(spec)
    normal_forms = None if unsafe else normal_forms_in(recording)
    result = minimise_suite(recording, wish.representation, covered, _is_kept, normal_forms)
    return MinimizeResult(spec, recording, covered, result)


def _is_kept(place: TestLocation) -> bool:
    return is_kept(place.file, place.line)


def render_report(made: MinimizeResult, form: str) -> str:
    """The report: JSON, the node ids that stay (``nodes``), or in full."""
    result = made.minimised
    if form == "json":
        return render_document("minimize", as_plain(made))
    if form == "nodes":
        return "\n".join(test.node for test in result.kept)
    lines = [
        *(f"drop {one.test.node}: {repeats_text(one)}" for one in result.dropped),
        *(f"keep {one.redundant.test.node}: redundant, but {one.why}" for one in result.held),
    ]
    figures = _figures(made)
    rows = [("", "before", "after"), *((name, str(a), str(b)) for name, a, b in figures)]
    return escape_control("\n".join([*lines, "", align(rows)]).strip("\n"))


def _figures(made: MinimizeResult) -> list[tuple[str, int, int]]:
    """(what, before, after) for tests, branches and calls."""
    tests, kept = made.recording.tests, made.minimised.kept
    covered = made.covered
    return [
        ("tests", len(tests), len(kept)),
        ("branches", len(covered.of(covered.by_test)), len(covered.of(one.node for one in kept))),
        ("calls", sum(one.calls for one in tests), sum(one.calls for one in kept)),
    ]


def as_plain(made: MinimizeResult) -> dict[str, Any]:
    """The report as data for JSON."""
    result = made.minimised
    return {
        "kept": [test.node for test in result.kept],
        "dropped": [
            {"test": one.test.node, "repeats": [test.node for test in one.by]}
            for one in result.dropped
        ],
        "held": [{"test": one.redundant.test.node, "why": one.why} for one in result.held],
        **{name: {"before": a, "after": b} for name, a, b in _figures(made)},
    }
