"""The branch coverage of concrete Sequences on original code, as coverage.py counts it.

Run as a program of its own, so that nothing of unitcraft has touched the code: reads
(module, file, encoded Sequences) in the form of ``marshal``; prints (covered, all) branches.
"""

from __future__ import annotations

import importlib
import json
import marshal
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import coverage

from unitcraft.execute.guest.interpret import compile_call

if TYPE_CHECKING:
    from collections.abc import Sequence


def main() -> None:
    """Replay what standard input holds."""
    module, file, sequences = marshal.load(sys.stdin.buffer)
    sys.path.insert(0, str(Path(file).parent))
    print(json.dumps(covered(module, file, sequences)))


def covered(module: str, file: str, sequences: Sequence[Any]) -> tuple[int, int]:
    """(covered, all) branches of ``file`` when ``sequences`` run."""
    meter = coverage.Coverage(branch=True, include=[file], data_file=None, config_file=False)
    meter.exclude(r"def __eq__\(")
    meter.start()
    importlib.import_module(module)
    for sequence in sequences:
        replay(sequence)
    meter.stop()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        meter.json_report(outfile=str(report))
        totals = json.loads(report.read_text())["totals"]
    return totals["covered_branches"], totals["num_branches"]


def replay(sequence: Sequence[Any]) -> None:
    """Run the encoded Calls; what one raises is an outcome."""
    results: list[Any] = []
    for call in sequence:
        try:
            results.append(compile_call(call)(results))
        except Exception:  # noqa: BLE001 - whatever the class raises
            results.append(None)


if __name__ == "__main__":
    main()
