"""Which findings of ``check`` are reported: not those of a baseline, or those of changed tests.

A baseline is a file of findings that a project knows of.

Invariant: a finding is known by its test and its code; the file is sorted, so that a change of it
reads well in a diff.  What is not reported is counted in a note.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from unitcraft.app.atomic_write import read_if_present, write_atomically
from unitcraft.app.json_document import render_document
from unitcraft.app.revisions import changed_spans
from unitcraft.app.suites.check_command import Checked
from unitcraft.app.terminal_text import counted
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Finding
from unitcraft.suite.existing.suite_sources import source_of
from unitcraft.suite.recording.recordings import RecordedTest


def write_baseline(file: Path, checked: Checked) -> int:
    """Write what was found into ``file``; answers how many findings it knows."""
    known = sorted({(one.target, one.code) for one in checked.findings})
    rows = [{"test": test, "code": code} for test, code in known]
    write_atomically(file, render_document("baseline", {"findings": rows}) + "\n")
    return len(rows)


def without_known(file: Path, checked: Checked) -> Checked:
    """``checked`` without the findings that ``file`` knows.

    Raises UnitcraftError (``baseline-not-readable``) where the file is none of ours.
    """
    try:
        rows = json.loads(read_if_present(file) or "")["findings"]
        known = {(str(row["test"]), str(row["code"])) for row in rows}
    except (ValueError, KeyError, TypeError) as error:
        raise UnitcraftError(
            "baseline-not-readable",
            f"{file} is no baseline of unitcraft",
            cause=str(error),
            advice="write one with --write-baseline",
        ) from None
    new = tuple(one for one in checked.findings if (one.target, one.code) not in known)
    return _reduced(checked, new, "of the baseline")


def only_changed(checked: Checked, revision: str) -> Checked:
    """``checked`` with the findings about tests whose functions differ from a revision of git.

    Raises UnitcraftError (``no-revision``).
    """
    files = {test.place.file for test in checked.recording.tests if test.place is not None}
    spans = {file: changed_spans(Path(file), revision) for file in sorted(files)}
    changed = {test.node for test in checked.recording.tests if _overlaps(test, spans)}
    new = tuple(one for one in checked.findings if one.target in changed)
    return _reduced(checked, new, f"about tests as in {revision}")


def _reduced(checked: Checked, findings: tuple[Finding, ...], others: str) -> Checked:
    """``checked`` with ``findings`` alone, and a note that counts the ``others``."""
    gone = counted(len(checked.findings) - len(findings), "finding")
    note = f"not reported: {gone} {others}"
    return replace(checked, findings=findings, notes=(*checked.notes, note))


def _overlaps(test: RecordedTest, spans: dict[str, list[tuple[int, int]]]) -> bool:
    """Does one of the changed ``spans`` of its file meet the function of ``test``?"""
    if test.place is None:
        return True
    found = source_of(test.place.file).definitions.get(test.place.line)
    last = test.place.line if found is None else found.node.end_lineno or test.place.line
    return any(start <= last and test.place.line <= end for start, end in spans[test.place.file])
