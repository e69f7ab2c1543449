"""Published figures beside ours: ``make reproduce``.

Every row explores a class of ``benchmarks/subjects`` through guarded workers and compares the
counts.  A figure marked ``*`` is published; the others follow from the same conventions.  The
symbolic rows run a second time with methods and branches in another order: the counts must be the
same.  Branch coverage is that of coverage.py on the original code, for the concrete tests that
symbolic exploration made.  Heaps (``reproduce_heaps``) come last.  Exit code 1 when a published
figure differs, an order matters or the coverage is less than published.
"""

from __future__ import annotations

import argparse
import json
import marshal
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))

from published import CONCRETE, FLOORS, SYMBOLIC, Count, Floor, Row
from reproduce_heaps import SCOPE, reproduce_heaps

from unitcraft.core.encoding import encode_sequence
from unitcraft.explore.domains import Domains
from unitcraft.explore.statespace.concrete_task import ClassToExplore, explore_class
from unitcraft.explore.statespace.state_exploration import Bounds, IterationStats
from unitcraft.explore.statespace.symbolic_exploration import PathSelection
from unitcraft.explore.statespace.symbolic_task import (
    Heuristics,
    SymbolicExploration,
    explore_symbolically,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SUBJECTS = Path(__file__).parent / "subjects"
#: The seed of the other order.
OTHER_ORDER = 1
#: Seconds in which coverage must be reached.
SECONDS = 10.0

_HEAD = ("class", "N", "states", "ours", "tests", "ours", "seconds", "verdict")
_WIDTHS = (15, 3, 8, 8, 8, 8, 8, 0)
PARTS = ("concrete", "symbolic", "coverage", "heaps")


def main(arguments: list[str] | None = None) -> int:
    """Run the chosen rows; 1 when a published figure differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-j", "--jobs", type=int, default=2, help="workers (default 2)")
    parser.add_argument("--part", choices=PARTS, help="only this part")
    parser.add_argument(
        "--scope",
        type=int,
        default=SCOPE,
        help="of field extensions, at most 10",
    )
    parser.add_argument("classes", nargs="*", help="only these classes")
    chosen = parser.parse_args(arguments)

    def wanted(rows: Sequence[Row] | Sequence[Floor]) -> list:
        return [row for row in rows if not chosen.classes or row.cls in chosen.classes]

    wrong = 0
    if chosen.part in (None, "concrete"):
        print("Concrete exploration (* = published)")
        wrong += concrete(wanted(CONCRETE), chosen.jobs)
    if chosen.part in (None, "symbolic"):
        print("\nSymbolic exploration (* = published)")
        wrong += symbolic(wanted(SYMBOLIC), chosen.jobs)
        print("\nThe same with methods and branches in another order")
        wrong += symbolic(wanted(SYMBOLIC), chosen.jobs, OTHER_ORDER)
    if chosen.part in (None, "coverage"):
        print("\nBranch coverage of symbolic exploration (published: at least)")
        wrong += covering(wanted(FLOORS), chosen.jobs)
    if chosen.part in (None, "heaps"):
        print()
        wrong += reproduce_heaps(chosen.classes, chosen.scope)
    return 1 if wrong else 0


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


def symbolic(rows: Iterable[Row], jobs: int, shuffle: int | None = None) -> int:
    """Print the table of ``rows``, each class explored once; how many figures differ that must not.

    In another order (``shuffle``), derived figures must not differ either.
    """
    print(line(_HEAD))
    differing = 0
    for _, group in groupby(rows, key=lambda row: row.cls):
        same = list(group)
        found = explored(same, jobs, shuffle)
        for row in same:
            stats = found[row.bound - 1]
            verdict, wrong = compared(row, stats.states, stats.tests)
            differing += wrong or (shuffle is not None and not verdict.startswith("equal"))
            cells = (row.cls, row.bound, star(row.states), stats.states, star(row.tests))
            seconds = f"{stats.seconds:.2f}"
            print(line((*map(str, cells), str(stats.tests), seconds, verdict)), flush=True)
    return differing


def explored(rows: list[Row], jobs: int, shuffle: int | None = None) -> tuple[IterationStats, ...]:
    """The counts after each iteration up to the last of ``rows``, which name one class."""
    request = asked(rows[0].module, rows[0].cls, rows[-1].depth, jobs, rows[0].methods)
    wish = Heuristics(choices=PathSelection(shuffle=shuffle))
    return explore_symbolically(request, wish).iterations


def asked(
    module: str, cls: str, iterations: int, jobs: int, methods: tuple[str, ...] = ()
) -> ClassToExplore:
    """A Request for a class of the benchmarks with one start value for every unknown."""
    return ClassToExplore(
        module, cls, Bounds(iterations), methods, Domains((0,)), jobs, paths=(str(SUBJECTS),)
    )


def covering(floors: Iterable[Floor], jobs: int) -> int:
    """Print the branch coverage of each class; how many are below the published one, or late."""
    head = ("class", "N", "published", "ours", "branches", "seconds", "verdict")
    widths = (15, 3, 9, 8, 8, 8, 0)
    print(line(head, widths))
    missed = 0
    for floor in floors:
        started = perf_counter()
        request = asked(floor.module, floor.cls, floor.iterations, jobs)
        found = explore_symbolically(request, Heuristics(covering=True))
        seconds = perf_counter() - started
        hit, every = replayed(floor, found)
        percent = 100 * hit / every
        verdict = "below" if percent < floor.percent else "late" if seconds > SECONDS else "reached"
        missed += verdict != "reached"
        cells = (floor.cls, str(floor.iterations), f"{floor.percent} %", f"{percent:.1f} %")
        print(line((*cells, f"{hit}/{every}", f"{seconds:.2f}", verdict), widths), flush=True)
    return missed


def replayed(floor: Floor, found: SymbolicExploration) -> tuple[int, int]:
    """(covered, all) branches of the original code when the concrete tests of ``found`` run."""
    sequences = tuple(encode_sequence(sequence) for sequence in found.witnesses)
    file = str(SUBJECTS / f"{floor.module}.py")
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("replay.py"))],
        input=marshal.dumps((floor.module, file, sequences)),
        capture_output=True,
        check=True,
    )
    hit, every = json.loads(done.stdout)
    return hit, every


def counts(row: Row, jobs: int) -> tuple[int, int]:
    """States and tests of ``row``, measured."""
    request = ClassToExplore(
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


def line(cells: Iterable[str], widths: tuple[int, ...] = _WIDTHS) -> str:
    """One line of the table: the first and last cell to the left, figures to the right."""
    padded = [
        cell.ljust(width) if place in (0, len(widths) - 1) else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(padded).rstrip()


if __name__ == "__main__":
    sys.exit(main())
