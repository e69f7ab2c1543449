"""Paths for a second of CPU time beside CrossHair: ``make bench-peers``.

CrossHair is installed into an environment of its own below ``build/`` (once).  Both explore the
same code in one run: six insertions of symbolic integers into a binary search tree, and one
function each on strings, floats and lists.  A path of CrossHair is a completed iteration; it is
measured exploring only (``bare``), with concrete arguments for every path as ours have them
(``inputs``), and as ``crosshair cover`` does it (``cover``).

CPU seconds are those of all processes.  The rate is net of the start-up, which a run bounded to
one path (or a hundredth of a second) shows.  Lists have up to five elements here and any number
there.  Exit code 1 when paths of the tree are missing, or when the ratio to ``inputs`` is smaller
than required.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).parent
BUILD = HERE.parent / "build" / "peers"
CROSSHAIR = "crosshair-tool==0.0.112"
CASES = ("trees", "strings", "floats", "lists")

#: What is required on trees: all paths, and a ratio.
ALL_PATHS = 4683
REQUIRED = 100.0
#: Paths at which we stop.
MOST_PATHS = 10_000

#: CPU seconds of a run that is repeated, and how often.
SHORT = 2.0
REPEATS = 4

MODES = ("bare", "inputs", "cover")
_HEAD = ("case", "engine", "paths", "left open", "CPU s", "start-up", "paths/CPU s", "ratio")
_WIDTHS = (8, 17, 7, 9, 8, 8, 12, 8)


@dataclass(frozen=True, slots=True)
class Row:
    """One engine on one case; ``complete``: it says that there are no other paths."""

    paths: int
    incomplete: int
    complete: bool
    cpu: float
    start: float

    @property
    def rate(self) -> float:
        """Paths for a second of CPU time after the start."""
        return self.paths / max(self.cpu - self.start, 0.01)


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 when it falls short of what is required."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="CPU bound of CrossHair's runs")
    parser.add_argument("--cases", default=",".join(CASES), help="only these cases")
    chosen = parser.parse_args(arguments)
    python = str(environment())
    print(line(_HEAD))
    failed = False
    for case in chosen.cases.split(","):
        ours = row([sys.executable, str(HERE / "peers/our_paths.py"), case], str(MOST_PATHS), "1")
        print(line((case, "unitcraft", *cells(ours), "")), flush=True)
        for mode in MODES:
            driver = [python, str(HERE / "peers/crosshair_paths.py"), case, mode]
            theirs = row(driver, str(chosen.seconds), "0.01")
            ratio = ours.rate / theirs.rate
            print(line((case, f"CrossHair {mode}", *cells(theirs), f"{ratio:.1f}")), flush=True)
            if case == "trees" and mode == "inputs":
                failed = failed or ours.paths != ALL_PATHS or ratio < REQUIRED
    return int(failed)


def environment() -> Path:
    """The interpreter of the environment with CrossHair, made if need be."""
    python = BUILD / "bin" / "python"
    if not (BUILD / ".complete").exists():
        venv.create(BUILD, with_pip=True)
        pip = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        subprocess.run([*pip, CROSSHAIR], check=True)
        (BUILD / ".complete").touch()
    return python


def row(driver: list[str], bound: str, least: str) -> Row:
    """What the driver of an engine measured; its start-up is that of a run bounded by ``least``.

    Medians where a run is short.
    """
    answer, start = measured([*driver, bound]), measured([*driver, least])
    times, starts = [answer["cpu"]], [start["cpu"]]
    if answer["cpu"] < SHORT:
        times += [measured([*driver, bound])["cpu"] for _ in range(REPEATS)]
        starts += [measured([*driver, least])["cpu"] for _ in range(REPEATS)]
    counts = (answer["paths"], answer["incomplete"], answer["exhausted"])
    return Row(*counts, median(times), median(starts))


def measured(command: list[str]) -> dict[str, Any]:
    """What the driver of an engine printed last."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def cells(row: Row) -> tuple[str, ...]:
    """The figures of a row; a plus behind the paths says that there may be more."""
    paths = f"{row.paths}{'' if row.complete else '+'}"
    return paths, str(row.incomplete), f"{row.cpu:.2f}", f"{row.start:.2f}", f"{row.rate:.1f}"


def line(row: tuple[str, ...]) -> str:
    """One line of the table: names to the left, figures to the right."""
    padded = [
        cell.ljust(width) if place < 2 else cell.rjust(width)  # noqa: PLR2004 - two names
        for place, (cell, width) in enumerate(zip(row, _WIDTHS, strict=True))
    ]
    return "  ".join(padded).rstrip()


if __name__ == "__main__":
    sys.exit(main())
