"""Published figures beside ours: ``make reproduce``.

Every row explores a class of ``benchmarks/subjects`` through guarded workers and compares the
counts.  A figure marked ``*`` is published; the others follow from the same conventions.
Exit code 1 when a published figure differs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))

from published import CONCRETE, Count, Row

from unitcraft.explore.domains import Domains
from unitcraft.explore.loop import Bounds
from unitcraft.explore.tasks import Request, explore_class

if TYPE_CHECKING:
    from collections.abc import Iterable

SUBJECTS = Path(__file__).parent / "subjects"

_HEAD = ("class", "N", "states", "ours", "tests", "ours", "seconds", "verdict")
_WIDTHS = (15, 3, 8, 8, 8, 8, 8, 0)


def main(arguments: list[str] | None = None) -> int:
    """Run the chosen rows; 1 when a published figure differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-j", "--jobs", type=int, default=2, help="workers (default 2)")
    parser.add_argument("classes", nargs="*", help="only these classes")
    chosen = parser.parse_args(arguments)
    rows = [row for row in CONCRETE if not chosen.classes or row.cls in chosen.classes]
    print("Concrete exploration (* = published)")
    return 1 if concrete(rows, chosen.jobs) else 0


def concrete(rows: Iterable[Row], jobs: int) -> int:
    """Print the table of ``rows``; how many published figures differ."""
    print(line(_HEAD))
    differing = 0
    for row in rows:
        started = perf_counter()
        states, tests = counts(row, jobs)
        verdict, wrong = compared(row, states, tests)
        differing += wrong
        seconds = f"{perf_counter() - started:.2f}"
        cells = (row.cls, row.bound, star(row.states), states, star(row.tests), tests, seconds)
        print(line((*map(str, cells), verdict)), flush=True)
    return differing


def counts(row: Row, jobs: int) -> tuple[int, int]:
    """States and tests of ``row``, measured."""
    request = Request(
        module=row.module,
        qualname=row.cls,
        methods=row.methods,
        domains=Domains(tuple(range(row.bound))),
        bounds=Bounds(row.depth),
        paths=(str(SUBJECTS),),
        jobs=jobs,
    )
    last = explore_class(request).iterations[-1]
    return last.states, last.tests


def compared(row: Row, states: int, tests: int) -> tuple[str, bool]:
    """The verdict in words, and whether a published figure differs."""
    pairs = ((row.states, states, "states"), (row.tests, tests, "tests"))
    wrong = [(count, name) for count, ours, name in pairs if count.value != ours]
    verdict = "equal" if not wrong else "differs: " + ", ".join(name for _, name in wrong)
    note = f" ({row.note})" if row.note else ""
    return verdict + note, any(count.published for count, _ in wrong)


def star(count: Count) -> str:
    """The figure, marked when it is published."""
    return f"{count.value}{'*' if count.published else ' '}"


def line(cells: Iterable[str]) -> str:
    """One line of the table: the first and last cell to the left, figures to the right."""
    padded = [
        cell.ljust(width) if place in (0, len(_WIDTHS) - 1) else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, _WIDTHS, strict=True))
    ]
    return "  ".join(padded).rstrip()


if __name__ == "__main__":
    sys.exit(main())
