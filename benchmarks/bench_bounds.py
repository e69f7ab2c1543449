"""Seconds that ``unitcraft generate`` takes on modules that only hit bounds.

The modules of ``benchmarks/bounds`` loop, allocate, print, sleep, wait, recurse, fork, watch the
clock, and build huge values.  Each has to be served within ``MAX_SECONDS`` on a machine
of its own; ``cpu`` is the processor time of all processes, for machines that are shared.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

#: The modules, each named for what it does.
BOUNDS = Path(__file__).parent / "bounds"

#: Seconds for one module.
MAX_SECONDS = 30.0


def serve(module: Path, jobs: int) -> tuple[float, float, str]:
    """Wall and CPU seconds of one module, and the last line of the report that names it."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = perf_counter()
        command = [sys.executable, "-m", "unitcraft", "generate", str(module), "-o", "out"]
        done = subprocess.run(
            [*command, "--seed", "1", "-j", str(jobs)],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        wall = perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = [line for line in done.stdout.splitlines() if line.startswith(module.stem + " ")]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, " ".join(lines[-1].split()[1:4]) if lines else f"exit {done.returncode}"


def main(arguments: list[str] | None = None) -> int:
    """Print a row for each module; 1 when one takes too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("modules", nargs="*", help="names of modules; all when none is given")
    chosen = parser.parse_args(arguments)
    late = 0
    for module in sorted(BOUNDS.glob("*.py")):
        if not chosen.modules or module.stem in chosen.modules:
            wall, cpu, shown = serve(module, chosen.jobs)
            late += wall > MAX_SECONDS
            print(f"{module.stem:14} {wall:6.1f} s  cpu {cpu:6.1f} s  {shown}", flush=True)
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
