"""Runs random programs on proxies and plainly: ``--programs N --seed S``; exit 1 on a divergence.

Every program runs on a few inputs; see tests/differential for what is compared.  A divergence is
printed as a pytest test.
"""

from __future__ import annotations

import argparse
import resource
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from traceback import walk_tb
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "differential"))

from brute_force import checked as checked_by_force
from fuzz_programs import Finding, checked

#: Seconds for one program, and bytes for all: a program that takes more is left out, which is
#: printed with the run that took it.
LONGEST = 20
MEMORY = 2 << 30


class TooLong(BaseException):
    """A program took more than its time."""


def _too_long(_number: int, _frame: Any) -> None:
    raise TooLong


def _where(error: BaseException) -> str:
    """Which run was under way."""
    if isinstance(error, MemoryError):
        return "its result is too large to compare"
    frames = walk_tb(error.__traceback__)
    files = {frame.f_code.co_filename for frame, _ in frames}
    return "no end of the plain run" if "<plain>" in files else "no end of the followed run"


def counts(
    seeds: range, check: Callable[[int], Finding | None], shown: int
) -> tuple[int, int, int]:
    """(programs, divergences, programs that were left out)."""
    done = divergences = slow = 0
    for seed in seeds:
        signal.alarm(LONGEST)
        try:
            finding = check(seed)
            signal.alarm(0)
        except (TooLong, MemoryError) as error:
            signal.alarm(0)
            slow += 1
            print(f"# seed {seed}: left out, {_where(error)}")
            continue
        done += 1
        if finding is not None:
            divergences += 1
            if divergences <= shown:
                print(f"# seed {seed}: {finding.problem[:500]}")
                print(finding.program.test(finding.runs))
    return done, divergences, slow


def main() -> int:
    """Count programs and divergences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--brute", action="store_true", help="check the solvers by brute force")
    parser.add_argument("--shown", type=int, default=5, help="divergences to print")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _too_long)
    started = time.monotonic()
    seeds = range(options.seed, options.seed + options.programs)
    check = checked_by_force if options.brute else checked
    done, divergences, slow = counts(seeds, check, options.shown)
    seconds = time.monotonic() - started
    print(
        f"{done} programs, {divergences} divergences, "
        f"{slow} left out ({LONGEST} s, {MEMORY >> 30} GiB); {seconds:.0f} s"
    )
    return 1 if divergences else 0


if __name__ == "__main__":
    sys.exit(main())
