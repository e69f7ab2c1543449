"""The table of candidate sequences: every means saves work, and none loses a branch."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


SWITCHES = """
class Switches:
    def __init__(self) -> None:
        self.left = self.right = False

    def set_left(self, value: bool) -> None:
        self.left = value

    def set_right(self, value: bool) -> None:
        self.right = value

    def calculate(self) -> str:
        return "both" if self.left and self.right else ""
"""


def test_every_means_saves_work_and_loses_no_branch(monkeypatch, tmp_path):
    (tmp_path / "switches.py").write_text(SWITCHES)
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    bench = importlib.import_module("bench_sequences")
    lines = list(bench.table(["switches:Switches.calculate"], tmp_path, 150, 4))
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:]]
    assert [row[1].removeprefix("+ ") for row in rows] == [means.name for means in bench.MEANS]
    considered, sequences, runs, longest = (
        [int(row[column]) for row in rows] for column in (2, 3, 4, 5)
    )
    assert considered == sorted(considered, reverse=True)
    assert sequences == sorted(sequences, reverse=True)
    assert runs == sorted(runs, reverse=True)
    assert runs[-1] < runs[-2] < runs[1] < runs[0]
    assert longest == [4] * len(bench.MEANS)
    assert len({row[6] for row in rows}) == 1
