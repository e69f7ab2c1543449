"""Symbolic beside concrete exploration: ``make bench-symbolic``.

One run explores BinSearchTree (insert, remove) both ways: concretely with the arguments 0 … N-1
for N = 5 … 7, and symbolically up to N = 8.  Prints states, tests and seconds with their ratios,
and draws the states and the seconds as SVG (``--plot``).  Every concrete state has to be stored and
executed for each argument; a symbolic one stands for all its values.  Exit code 1 when the
symbolic exploration is slower than its bound.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from plot import Line, chart
from reproduce import SUBJECTS, asked

from unitcraft.explore.domains import Domains
from unitcraft.explore.loop import Bounds
from unitcraft.explore.symtasks import explore_symbolically
from unitcraft.explore.tasks import Request, explore_class

CLASS = ("bin_search_tree", "BinSearchTree")
METHODS = ("insert", "remove")
#: Seconds for symbolic exploration in full, by N.
BOUNDS = {7: 3.0, 8: 15.0}
LAST = max(BOUNDS)


class Figures(NamedTuple):
    """What exploring with the bound N came to; ``seconds`` is wall time, workers started."""

    states: int
    tests: int
    seconds: float


def main(arguments: list[str] | None = None) -> int:
    """Explore, print, draw; 1 when a bound is not met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-j", "--jobs", type=int, default=2, help="workers (default 2)")
    parser.add_argument("--first", type=int, default=5, help="smallest N (default 5)")
    parser.add_argument("--last", type=int, default=7, help="largest concrete N (default 7)")
    parser.add_argument("--plot", type=Path, help="draw the figures as SVG into this file")
    chosen = parser.parse_args(arguments)
    symbolic = symbolically(max(LAST, chosen.last), chosen.jobs)
    both = range(chosen.first, chosen.last + 1)
    concrete = {n: concretely(n, chosen.jobs) for n in both}
    print("\n".join(table(symbolic, concrete, chosen.first)))
    if chosen.plot:
        chosen.plot.write_text(drawn(symbolic, concrete))
    late = [n for n, most in BOUNDS.items() if symbolic[n].seconds > most]
    for n in late:
        print(f"N={n} took {symbolic[n].seconds:.2f} s, the bound is {BOUNDS[n]} s")
    return 1 if late else 0


def symbolically(last: int, jobs: int) -> dict[int, Figures]:
    """The figures by N, from one exploration."""
    found = explore_symbolically(asked(*CLASS, last, jobs, METHODS))
    return {one.iteration: Figures(one.states, one.tests, one.seconds) for one in found.iterations}


def concretely(n: int, jobs: int) -> Figures:
    """The figures of exploring N iterations with N arguments."""
    domains = Domains(tuple(range(n)))
    started = perf_counter()
    request = Request(*CLASS, Bounds(n), METHODS, domains, (str(SUBJECTS),), jobs=jobs)
    last = explore_class(request).iterations[-1]
    return Figures(last.states, last.tests, min(last.seconds, perf_counter() - started))


def table(symbolic: dict[int, Figures], concrete: dict[int, Figures], first: int) -> list[str]:
    """The figures as a table in Markdown."""
    pair = "concrete {} | symbolic"
    heads = [pair.format("states"), "ratio", pair.format("tests"), pair.format("seconds"), "ratio"]
    lines = ["| N | " + " | ".join(heads) + " |", "|---" * 9 + "|"]
    for n in range(first, len(symbolic) + 1):
        ours, theirs = symbolic[n], concrete.get(n)
        if theirs is None:
            cells = ["", f"{ours.states}", "", "", f"{ours.tests}", "", f"{ours.seconds:.2f}", ""]
        else:
            cells = [
                f"{theirs.states}", f"{ours.states}", f"{theirs.states / ours.states:.1f}",
                f"{theirs.tests}", f"{ours.tests}",
                f"{theirs.seconds:.2f}", f"{ours.seconds:.2f}",
                f"{theirs.seconds / ours.seconds:.1f}",
            ]  # fmt: skip
        lines.append(f"| {n} | " + " | ".join(cells) + " |")
    return lines


def drawn(symbolic: dict[int, Figures], concrete: dict[int, Figures]) -> str:
    """States and seconds over N, on logarithmic scales."""
    ours = {n: symbolic[n] for n in symbolic if n >= min(concrete)}
    panels = [
        ("states", [Line("concrete", {n: float(one.states) for n, one in concrete.items()}),
                    Line("symbolic", {n: float(one.states) for n, one in ours.items()})]),
        ("seconds", [Line("concrete", {n: one.seconds for n, one in concrete.items()}),
                     Line("symbolic", {n: one.seconds for n, one in ours.items()})]),
    ]  # fmt: skip
    return chart("BinSearchTree: insert, remove", "N (calls after the constructor)", panels)


if __name__ == "__main__":
    sys.exit(main())
