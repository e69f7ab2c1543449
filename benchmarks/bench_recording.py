"""What recording costs, from 10^3 to 2*10^5 executions: ``make bench-recording``.

Suites of tests that make a stack and call it nineteen times, with seeded random numbers, are
written below ``build/``.  Each is run by plain pytest, then recorded and judged by all techniques;
the table shows CPU seconds, what an execution costs beyond the plain run, and the peak memory of
pytest and of the process that judges.  ``--plot`` draws cost and memory as SVG.

Exit code 1 when an execution of the largest suite costs more than ``FLAT`` times what it costs
in the second smallest, or when the largest takes more wall time or memory than ``MOST``.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from charts import Line, chart

from unitcraft.execute.pool.fork_server import SERVERS
from unitcraft.suite.existing.assess import predict_representation
from unitcraft.suite.existing.redundancy import broken_assumptions, redundant_tests
from unitcraft.suite.recording.record import SuiteSpec, record_suite, time_suite
from unitcraft.suite.recording.recordings import REPRESENTATIONS

SUBJECTS = Path(__file__).parent / "subjects"
BUILD = Path(__file__).parents[1] / "build" / "recording"

#: Executions of a test, the constructor included; tests in a file; executions of a suite.
EACH = 20
IN_A_FILE = 100
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 200_000)

#: Executions up to which a run is short, and how often it is repeated: the least CPU time counts.
SHORT, REPEATS = 10_000, 5

#: What the largest suite may take: wall seconds, MiB.
MOST = (120.0, 1024.0)

#: How many times as much an execution may cost there.
FLAT = 1.5


class Cost(NamedTuple):
    """Of one run: wall and CPU seconds, peak MiB of pytest and of the judging process."""

    wall: float
    cpu: float
    peak: float
    own_peak: float


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 when a bound is not met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", type=Path, help="draw the figures as SVG into this file")
    parser.add_argument("--one", nargs=2, metavar=("SIZE", "MODE"), help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.one:
        print(json.dumps(measured(int(chosen.one[0]), chosen.one[1])))
        return 0
    heads = ("executions", "tests", "plain CPU s", "recorded", "ratio", "us for an execution")
    heads += ("wall s", "MiB plain", "recorded", "judging")
    print(f"| {' | '.join(heads)} |\n|{'--:|' * len(heads)}")
    found = {}
    for size in SIZES:
        write(size)
        plain, recorded = (cost(size, mode) for mode in ("plain", "recorded"))
        found[size] = plain, recorded
        print(line(size, plain, recorded), flush=True)
    if chosen.plot:
        chosen.plot.write_text(drawn(found))
    return verdict(found)


def write(size: int) -> None:
    """Write the suite of ``size`` executions."""
    folder = BUILD / str(size)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "pytest.ini").write_text("[pytest]\n")
    draw = random.Random(size)
    for first in range(0, size // EACH, IN_A_FILE):
        last = min(first + IN_A_FILE, size // EACH)
        (folder / f"test_{first:06}.py").write_text(written(range(first, last), draw))


def written(numbers: range, draw: random.Random) -> str:
    """The text of some tests."""
    lines = ["from int_stack import IntStack", ""]
    for number in numbers:
        calls = ["push"] * 12 + ["pop"] * 4 + ["is_empty"] * (EACH - 17)
        draw.shuffle(calls)
        lines += ["", f"def test_{number}():", "    it = IntStack()", "    depth = 0"]
        depth = 0
        for call in calls:
            name = "is_empty" if call == "pop" and not depth else call
            depth += {"push": 1, "pop": -1, "is_empty": 0}[name]
            lines.append(f"    it.{name}({draw.randrange(10) if name == 'push' else ''})")
        lines.append(f"    assert it._size == {depth}")
    return "\n".join([*lines, ""])


def cost(size: int, mode: str) -> Cost:
    """The cost of a run in a process of its own, so that peaks are its own; short runs repeat."""
    command = [sys.executable, __file__, "--one", str(size), mode]
    found = []
    for _ in range(REPEATS if size <= SHORT else 1):
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        found.append(Cost(*json.loads(done.stdout)))
    return min(found, key=lambda one: one.cpu)


def measured(size: int, mode: str) -> Cost:
    """Run the suite; when it is recorded, judge it by all techniques."""
    folder = str(BUILD / str(size))
    spec = SuiteSpec(("-pno:hypothesispytest",), ("int_stack",), folder, (str(SUBJECTS),))
    started = time.perf_counter()
    if mode == "plain":
        time_suite(spec)
    else:
        recording = record_suite(spec)
        for name in REPRESENTATIONS:
            redundant_tests(recording, name)
        broken_assumptions(recording)
        predict_representation(recording)
        calls = sum(test.calls for test in recording.tests)
        if calls != size:
            message = f"{calls} executions recorded, {size} expected"
            raise AssertionError(message)
    wall = time.perf_counter() - started
    SERVERS.close()  # only then does their time count
    own, child = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    cpu = own.ru_utime + own.ru_stime + child.ru_utime + child.ru_stime
    return Cost(wall, cpu, child.ru_maxrss / 1024, own.ru_maxrss / 1024)


def each(size: int, plain: Cost, recorded: Cost) -> float:
    """Microseconds that recording and judging one execution take."""
    return 1e6 * (recorded.cpu - plain.cpu) / size


def line(size: int, plain: Cost, recorded: Cost) -> str:
    """A line of the table."""
    cells = [str(size), str(size // EACH), f"{plain.cpu:.1f}", f"{recorded.cpu:.1f}"]
    cells += [f"{recorded.cpu / plain.cpu:.1f}", f"{each(size, plain, recorded):.0f}"]
    cells += [f"{recorded.wall:.1f}", f"{plain.peak:.0f}", f"{recorded.peak:.0f}"]
    return f"| {' | '.join([*cells, f'{recorded.own_peak:.0f}'])} |"


def drawn(found: dict[int, tuple[Cost, Cost]]) -> str:
    """Cost of an execution, and peak memory, over the executions (as powers of ten)."""
    costs = {place: each(size, *found[size]) for place, size in enumerate(found)}
    peaks = [
        Line(name, {place: float(found[size][at].peak) for place, size in enumerate(found)})
        for at, name in enumerate(("plain", "recorded"))
    ]
    across = "executions: " + ", ".join(f"{size // 1000}k" for size in found)
    panels = [("microseconds for an execution", [Line("recorded", costs)]), ("MiB, peak", peaks)]
    return chart("Recording a suite", across, panels)


def verdict(found: dict[int, tuple[Cost, Cost]]) -> int:
    """1 when a bound is not met, and says which."""
    first, last = list(found)[1], list(found)[-1]
    growth = each(last, *found[last]) / each(first, *found[first])
    recorded = found[last][1]
    bounds = [
        (growth, FLAT, f"an execution costs {growth:.2f} times as much as in the second smallest"),
        (recorded.wall, MOST[0], f"the largest suite took {recorded.wall:.0f} s"),
        (recorded.peak, MOST[1], f"the largest suite took {recorded.peak:.0f} MiB"),
        (recorded.own_peak, MOST[1], f"judging it took {recorded.own_peak:.0f} MiB"),
    ]
    broken = [why for value, most, why in bounds if value > most]
    print("\n".join(broken))
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
