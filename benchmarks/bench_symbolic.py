"""Symbolic beside concrete exploration: ``make bench-symbolic``.

One run explores BinSearchTree (insert, remove) both ways: concretely with the arguments 0 … N-1
for N = 5 … 7, and symbolically up to N = 8.  Prints states, tests and CPU seconds of all processes
(without starting them) with their ratios, and draws the states and the seconds as SVG
(``--plot``).  Exit code 1 when the symbolic exploration takes longer than its bound on the
clock.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from charts import Line, chart
from reproduce import SUBJECTS, asked

from unitcraft.execute.pool.fork_server import SERVERS
from unitcraft.explore.domains import Domains
from unitcraft.explore.statespace.concrete_task import ClassToExplore, explore_class
from unitcraft.explore.statespace.state_exploration import Bounds, IterationStats
from unitcraft.explore.statespace.symbolic_task import explore_symbolically

if TYPE_CHECKING:
    from collections.abc import Callable

CLASS = ("bin_search_tree", "BinSearchTree")
METHODS = ("insert", "remove")
#: Seconds for symbolic exploration in full, by N.
BOUNDS = {7: 3.0, 8: 15.0}
LAST = max(BOUNDS)


class Figures(NamedTuple):
    """What exploring N iterations came to; ``wall`` and ``cpu`` in seconds."""

    states: int
    tests: int
    wall: float
    cpu: float


def main(arguments: list[str] | None = None) -> int:
    """Explore, print, draw; 1 when a bound is not met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-j", "--jobs", type=int, default=2, help="workers (default 2)")
    parser.add_argument("--first", type=int, default=5, help="smallest N (default 5)")
    parser.add_argument("--last", type=int, default=7, help="largest concrete N (default 7)")
    parser.add_argument("--plot", type=Path, help="draw the figures as SVG into this file")
    chosen = parser.parse_args(arguments)
    largest = max(LAST, chosen.last)
    symbolic = figures(symbolically, chosen.first, largest, chosen.jobs)
    concrete = figures(concretely, chosen.first, chosen.last, chosen.jobs)
    print("\n".join(table(symbolic, concrete)))
    if chosen.plot:
        chosen.plot.write_text(drawn(symbolic, concrete))
    late = [n for n, most in BOUNDS.items() if symbolic[n].wall > most]
    for n in late:
        print(f"N={n} took {symbolic[n].wall:.2f} s, the bound is {BOUNDS[n]} s")
    return 1 if late else 0


def figures(
    explored: Callable[[int, int], IterationStats], first: int, last: int, jobs: int
) -> dict[int, Figures]:
    """The Figures by N; what a single iteration costs is the start."""
    start = _cpu(explored, 1, jobs)[1]
    found = {}
    for n in range(first, last + 1):
        stats, cpu = _cpu(explored, n, jobs)
        found[n] = Figures(stats.states, stats.tests, stats.seconds, max(cpu - start, 0.001))
    return found


def _cpu(
    explored: Callable[[int, int], IterationStats], n: int, jobs: int
) -> tuple[IterationStats, float]:
    before = _spent()
    stats = explored(n, jobs)
    return stats, _spent() - before


def _spent() -> float:
    SERVERS.close()  # only then does their time count
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def symbolically(n: int, jobs: int) -> IterationStats:
    """N iterations with symbolic arguments."""
    return explore_symbolically(asked(*CLASS, n, jobs, METHODS)).iterations[-1]


def concretely(n: int, jobs: int) -> IterationStats:
    """N iterations with N arguments."""
    domains = Domains(tuple(range(n)))
    request = ClassToExplore(*CLASS, Bounds(n), METHODS, domains, jobs, paths=(str(SUBJECTS),))
    return explore_class(request).iterations[-1]


def table(symbolic: dict[int, Figures], concrete: dict[int, Figures]) -> list[str]:
    """The figures as a table in Markdown."""
    pair = "concrete {} | symbolic"
    heads = ["N", pair.format("states"), "ratio", pair.format("tests"), pair.format("CPU s")]
    lines = ["| " + " | ".join([*heads, "ratio", "symbolic, on the clock"]) + " |"]
    lines.append("|---" * 10 + "|")
    for n, ours in symbolic.items():
        theirs = concrete.get(n)
        cells = ["", f"{ours.states}", "", "", f"{ours.tests}", "", f"{ours.cpu:.2f}", ""]
        if theirs is not None:
            cells[0] = f"{theirs.states}"
            cells[2:4] = [f"{theirs.states / ours.states:.1f}", f"{theirs.tests}"]
            cells[5] = f"{theirs.cpu:.2f}"
            cells[7] = f"{theirs.cpu / ours.cpu:.1f}"
        lines.append("| " + " | ".join([f"{n}", *cells, f"{ours.wall:.2f} s"]) + " |")
    return lines


def drawn(symbolic: dict[int, Figures], concrete: dict[int, Figures]) -> str:
    """States and seconds over N, on logarithmic scales."""
    both = (("concrete", concrete), ("symbolic", symbolic))
    states = [Line(name, {n: float(one.states) for n, one in them.items()}) for name, them in both]
    seconds = [Line(name, {n: one.cpu for n, one in them.items()}) for name, them in both]
    panels = [("states", states), ("CPU seconds", seconds)]
    return chart("BinSearchTree: insert, remove", "N (calls after the constructor)", panels)


if __name__ == "__main__":
    sys.exit(main())
