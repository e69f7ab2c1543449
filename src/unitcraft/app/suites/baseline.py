"""A baseline of ``check``: findings that a project knows of and that are not reported again.

Invariant: a finding is known by its test and its code; the file is sorted, so that a change of it
reads well in a diff.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from unitcraft.app.atomic_write import read_if_present, write_atomically
from unitcraft.app.json_document import render_document
from unitcraft.app.suites.check_command import Checked
from unitcraft.core.errors import UnitcraftError


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
    note = f"{len(checked.findings) - len(new)} findings are in the baseline: not reported"
    return replace(checked, findings=new, notes=(*checked.notes, note))
