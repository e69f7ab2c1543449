"""The suites of real modules in one table: ``make bench-modules``.

``modules.json`` pins projects; each is installed into a folder of its own below ``build/`` (once),
``unitcraft generate`` serves the named module there, and the table shows what its JSON report
says.  Nothing of those projects is kept in the repository.  Exit code 1 when a module failed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

LIST = Path(__file__).parent / "modules.json"
BUILD = Path(__file__).parents[1] / "build" / "modules"

_HEAD = ("module", "project", "tests", "file lines", "branches", "lines", "seconds")
_WIDTHS = (23, 27, 5, 10, 8, 6, 7)


@dataclass(frozen=True, slots=True)
class Entry:
    """A module to serve: the pinned ``project`` that holds it and what that ``needs``."""

    project: str
    module: str
    needs: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """Where the project is installed; the name holds the version, so pins never mix."""
        return BUILD / self.project


@dataclass(frozen=True, slots=True)
class Row:
    """What a report says of one module; ``branches`` and ``lines`` are shares in percent.

    A module without branches has all of them covered.  ``size`` counts the lines of the file.
    """

    tests: int
    size: int
    branches: float
    lines: float
    seconds: float

    def cells(self) -> tuple[str, ...]:
        """The figures of the row as text."""
        shares = (f"{self.branches:.1f}", f"{self.lines:.1f}", f"{self.seconds:.1f}")
        return (str(self.tests), str(self.size), *shares)


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 when a module could not be installed or served."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-j", "--jobs", type=int, default=2, help="workers (default 2)")
    parser.add_argument("modules", nargs="*", help="only these modules")
    chosen = parser.parse_args(arguments)
    entries = [one for one in listed() if not chosen.modules or one.module in chosen.modules]
    print(line(_HEAD))
    rows: list[Row] = []
    for entry in entries:
        row = served(entry, chosen.jobs) if installed(entry) else None
        cells = ("not served",) if row is None else row.cells()
        print(line((entry.module, entry.project, *cells)), flush=True)
        rows += [row] if row else []
    if rows:
        print(line(("median", "", *middle(rows).cells())))
    return int(len(rows) < len(entries) or not entries)


def listed() -> list[Entry]:
    """The entries of ``modules.json``."""
    return [
        Entry(one["project"], one["module"], tuple(one.get("needs", ())))
        for one in json.loads(LIST.read_text(encoding="utf-8"))
    ]


def installed(entry: Entry) -> bool:
    """Is the project in its folder, from now on or since an earlier run?"""
    done = entry.folder / ".complete"
    if not done.exists():
        words = ["-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-deps"]
        words += ["--upgrade", "--target", str(entry.folder), entry.project, *entry.needs]
        if subprocess.run([sys.executable, *words], check=False).returncode:
            return False
        done.touch()
    return True


def served(entry: Entry, jobs: int) -> Row | None:
    """Generate the suite of the module; None when there is none."""
    output = BUILD / "suites"
    words = ["-m", "unitcraft", "generate", entry.module, "--no-cache", "--quiet"]
    words += ["--jobs", str(jobs), "--output", str(output), "--output-format", "json"]
    done = subprocess.run(
        [sys.executable, *words],
        cwd=entry.folder,
        env={**os.environ, "PYTHONPATH": str(entry.folder)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    targets = json.loads(done.stdout or "{}").get("targets", [])
    if done.returncode or len(targets) != 1:
        return None
    (made,) = targets
    size = len((entry.folder / made["file"]).read_text(encoding="utf-8").splitlines())
    return Row(made["tests"], size, share(made["branches"]), share(made["lines"]), made["seconds"])


def share(counts: dict[str, int]) -> float:
    """Covered of all, in percent."""
    return 100 * counts["covered"] / counts["all"] if counts["all"] else 100.0


def middle(rows: list[Row]) -> Row:
    """The median of each figure."""
    return Row(
        round(median(row.tests for row in rows)),
        round(median(row.size for row in rows)),
        median(row.branches for row in rows),
        median(row.lines for row in rows),
        median(row.seconds for row in rows),
    )


def line(cells: tuple[str, ...]) -> str:
    """One line of the table: names to the left, figures to the right."""
    padded = [
        cell.ljust(width) if place < 2 else cell.rjust(width)  # noqa: PLR2004 - two names
        for place, (cell, width) in enumerate(zip(cells, _WIDTHS, strict=False))
    ]
    return "  ".join(padded).rstrip()


if __name__ == "__main__":
    sys.exit(main())
