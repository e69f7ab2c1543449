"""Paths for a second of CPU time beside CrossHair: ``make bench-peers``.

CrossHair is installed into an environment of its own below ``build/`` (once).  Both explore the
same code in one run: six insertions of symbolic integers into a binary search tree, and one
function each on strings, floats and lists.  A path of CrossHair is a completed iteration.
CPU seconds are those of all processes, start-up included.  Lists have up to three elements here
and any number there.  Exit code 1 when paths of the tree are missing, or when the ratio is
smaller than required.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
BUILD = HERE.parent / "build" / "peers"
CROSSHAIR = "crosshair-tool==0.0.112"
CASES = ("trees", "strings", "floats", "lists")

#: What the acceptance of the project asks for on trees: all paths, and a ratio.
ALL_PATHS = 4683
REQUIRED = 100.0
#: Paths at which we stop.
MOST_PATHS = 10_000

_HEAD = ("case", "engine", "paths", "left open", "CPU s", "paths/CPU s", "ratio")
_WIDTHS = (8, 10, 7, 9, 8, 12, 8)


@dataclass(frozen=True, slots=True)
class Row:
    """One engine on one case; ``complete``: it says that there are no other paths."""

    paths: int
    incomplete: int
    complete: bool
    cpu: float

    @property
    def rate(self) -> float:
        """Paths for a second of CPU time."""
        return self.paths / self.cpu if self.cpu else 0.0


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 when it falls short of what is required."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="CPU bound of CrossHair's runs")
    parser.add_argument("cases", nargs="*", choices=[*CASES, []], help="only these cases")
    chosen = parser.parse_args(arguments)
    python = environment()
    print(line(_HEAD))
    failed = False
    for case in chosen.cases or CASES:
        ours = measured([sys.executable, str(HERE / "peers/our_paths.py"), case, str(MOST_PATHS)])
        theirs = measured(
            [str(python), str(HERE / "peers/crosshair_paths.py"), case, str(chosen.seconds)]
        )
        ratio = ours.rate / theirs.rate if theirs.rate else float("inf")
        print(line((case, "unitcraft", *cells(ours), f"{ratio:.1f}")))
        print(line((case, "CrossHair", *cells(theirs), "1")), flush=True)
        failed = failed or (case == "trees" and (ours.paths != ALL_PATHS or ratio < REQUIRED))
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


def measured(command: list[str]) -> Row:
    """What the driver of an engine printed last."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout.splitlines()[-1])
    return Row(answer["paths"], answer["incomplete"], answer["exhausted"], answer["cpu"])


def cells(row: Row) -> tuple[str, ...]:
    """The figures of a row; a plus behind the paths says that there may be more."""
    paths = f"{row.paths}{'' if row.complete else '+'}"
    return paths, str(row.incomplete), f"{row.cpu:.2f}", f"{row.rate:.2f}"


def line(row: tuple[str, ...]) -> str:
    """One line of the table: names to the left, figures to the right."""
    padded = [
        cell.ljust(width) if place < 2 else cell.rjust(width)  # noqa: PLR2004 - two names
        for place, (cell, width) in enumerate(zip(row, _WIDTHS, strict=True))
    ]
    return "  ".join(padded).rstrip()


if __name__ == "__main__":
    sys.exit(main())
