"""Suites compared and put in order: ``select``, ``prioritize`` and ``run_assess``.

Invariant: no file is changed; an existing test is never selected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from unitcraft.app.json_document import render_document
from unitcraft.app.suites.check_report import unjudged_lines
from unitcraft.app.suites.existing_suite import SuiteRequest, spec_of
from unitcraft.app.terminal_text import align, escape_control
from unitcraft.suite.existing.assess import (
    Assessment,
    Prediction,
    assess_suite,
    predict_representation,
)
from unitcraft.suite.existing.prioritise import RankedTest, prioritise_tests
from unitcraft.suite.existing.redundancy import RedundantTest, redundant_tests
from unitcraft.suite.recording.cover import cover_suite
from unitcraft.suite.recording.record import record_suite, time_suite
from unitcraft.suite.recording.recordings import REPRESENTATIONS, RecordedTest

# Select.


@dataclass(frozen=True, slots=True)
class Selection:
    """The new tests that add something, and the redundant ones; ``new`` has all of them."""

    chosen: tuple[RecordedTest, ...]
    redundant: tuple[RedundantTest, ...]
    new: tuple[RecordedTest, ...] = ()


def run_select(wish: SuiteRequest, new: Sequence[str], cwd: Path) -> Selection:
    """Run the existing tests, then the new ones; ``wish`` names both in this order.

    Raises UnitcraftError: ``suite-not-run`` and those of finding the subjects.
    """
    recording = record_suite(spec_of(wish, cwd))
    redundant = redundant_tests(recording, wish.representation)
    gone = {one.test.node for one in redundant}
    fresh = tuple(test for test in recording.tests if _is_among(test, new, cwd))
    return Selection(
        tuple(test for test in fresh if test.verdict == "passed" and test.node not in gone),
        tuple(one for one in redundant if one.test in fresh),
        fresh,
    )


def _is_among(test: RecordedTest, names: Sequence[str], cwd: Path) -> bool:
    """Was the test asked for by one of these files, folders or node ids?"""
    path, _, rest = test.node.partition("::")
    file = Path(test.place.file) if test.place is not None else cwd / path
    for name in names:
        wanted, _, part = name.partition("::")
        is_there = file.is_relative_to((cwd / wanted).resolve())
        if is_there and (not part or rest == part or rest.startswith((f"{part}::", f"{part}["))):
            return True
    return False


def render_selection(selection: Selection, form: str) -> str:
    """The report: JSON, the chosen node ids (``nodes``), or in full."""
    chosen = [test.node for test in selection.chosen]
    if form == "json":
        redundant = {one.test.node: [test.node for test in one.by] for one in selection.redundant}
        return render_document("select", {"selected": chosen, "redundant": redundant})
    if form == "nodes":
        return "\n".join(chosen)
    lines = [
        *(f"take {node}" for node in chosen),
        *(f"leave {one.test.node}: repeats {one.by[0].node}" for one in selection.redundant),
        "",
        f"{len(chosen)} of {len(chosen) + len(selection.redundant)} tests add something.",
        *unjudged_lines(selection.new),
    ]
    return escape_control("\n".join(lines))


# Prioritize.


def run_prioritize(wish: SuiteRequest, cwd: Path) -> tuple[RankedTest, ...]:
    """The tests in order.

    Raises UnitcraftError: ``suite-not-run`` and those of finding the subjects.
    """
    spec = spec_of(wish, cwd)
    return prioritise_tests(record_suite(spec), cover_suite(spec), wish.representation)


def render_order(order: Sequence[RankedTest], form: str) -> str:
    """The report: JSON, node ids (``nodes``), or a table of what each test adds."""
    if form == "json":
        rows = [
            {"test": one.test.node, "branches": one.branches, "executions": one.executions}
            for one in order
        ]
        return render_document("prioritize", {"tests": rows})
    if form == "nodes":
        return "\n".join(one.test.node for one in order)
    table = [("test", "new branches", "new executions")] + [
        (escape_control(one.test.node), str(one.branches), str(one.executions)) for one in order
    ]
    return align(table)


# Assess.


def run_assess(wish: SuiteRequest, cwd: Path) -> tuple[Assessment, Prediction]:
    """The figures of a suite, and what its sample predicts.

    Raises UnitcraftError: ``suite-not-run`` and those of finding the subjects.
    """
    spec = spec_of(wish, cwd)
    recording = record_suite(spec)
    return assess_suite(recording, cover_suite(spec), time_suite(spec)), predict_representation(
        recording
    )


def render_assessments(
    names: Sequence[str], found: Sequence[tuple[Assessment, Prediction]], form: str
) -> str:
    """The figures in a column for each suite, or as JSON."""
    if form == "json":
        data = [
            {"suite": name, **asdict(figures), "prediction": asdict(guess)}
            for name, (figures, guess) in zip(names, found, strict=True)
        ]
        return render_document("assess", {"suites": data})
    columns = [_column(figures, guess) for figures, guess in found]
    rows = [(label, *(column[label] for column in columns)) for label in columns[0]]
    return align([("", *names), *rows])


def _column(figures: Assessment, guess: Prediction) -> dict[str, str]:
    return {
        "tests": str(figures.tests),
        "passed": str(figures.passed),
        "calls": str(figures.executions),
        "states": str(figures.states),
        "branches": f"{figures.branches}/{figures.all_branches}",
        **{f"different calls, {name}": str(figures.inputs[name]) for name in REPRESENTATIONS},
        **{
            f"redundant tests, {name}": _part(figures, figures.redundant[name])
            for name in REPRESENTATIONS
        },
        "alike but for calls that change nothing": f"{guess.preserving:.0%}",
        "of the others, alike but for the way there": f"{guess.returning:.0%}",
        "of the others, alike for ==": f"{guess.irrelevant:.0%}",
        "predicted to pay off": guess.representation,
        "seconds, plain": f"{figures.plain_seconds:.1f}",
        "seconds, recorded": f"{figures.seconds:.1f}",
    }


def _part(figures: Assessment, count: int) -> str:
    return f"{count} ({count / figures.tests:.0%})" if figures.tests else "0"
