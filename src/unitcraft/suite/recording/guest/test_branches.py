"""The branches of the subjects that each test takes, measured by coverage.py.

Invariant: a branch is an arc that coverage.py counts as one; what runs while modules are imported
belongs to no test.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import coverage


class Branches:
    """A measurement that has begun (mutable)."""

    def __init__(self, subjects: Sequence[str]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._measured = coverage.Coverage(
            branch=True,
            source_pkgs=list(subjects),
            data_file=str(Path(self._folder.name, "data")),
            config_file=False,
            messages=False,
        )
        self._nodes: dict[str, None] = {}
        self._measured.start()

    def begin(self, node: str) -> None:
        """Count the branches from here on for the test ``node``."""
        self._nodes[node] = None
        self._measured.switch_context(node)

    def end(self) -> Iterator[dict[str, Any]]:
        """One frame with all branches, then one for each test with the numbers of its own."""
        self._measured.stop()
        taken, missing = self._counted()
        numbers = {arc: number for number, arc in enumerate(taken)}
        names = [f"{file}:{start}->{end}" for file, start, end in taken]
        yield {"node": "", "taken": names, "missing": missing}
        data = self._measured.get_data()
        files = sorted(data.measured_files())
        for node in self._nodes:
            data.set_query_context(node)
            arcs = {(file, a, b) for file in files for a, b in data.arcs(file) or ()}
            yield {"node": node, "numbers": sorted(numbers[arc] for arc in arcs if arc in numbers)}

    def _counted(self) -> tuple[list[tuple[str, int, int]], int]:
        """The branches that were taken, in order, and how many were not."""
        report = Path(self._folder.name, "branches.json")
        try:
            self._measured.json_report(outfile=str(report))
        except coverage.CoverageException:
            return [], 0
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
        found = [
            (str(Path(file).resolve()), *branch)
            for file, facts in files.items()
            for branch in facts["executed_branches"]
        ]
        missing = sum(len(facts["missing_branches"]) for facts in files.values())
        return sorted((file, a, b) for file, a, b in found), missing
