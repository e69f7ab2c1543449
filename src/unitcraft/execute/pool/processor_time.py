"""How much processor time guarded processes have used, whatever else the machine had to do.

Invariant: time of a process that waits for its turn is not counted, so that the answer hardly
depends on what runs beside.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

#: Where the system has a file for each process, and the fields of that file, counted from the state
#: of the process: parent, and ticks in its own code, for the system, and both of ended children.
PROCESSES: Final = Path("/proc")
PARENT: Final = 1
TICKS: Final = slice(11, 15)


def cpu_seconds(pid: int) -> float:
    """CPU time of another process (all threads); wall time where the system has no such clock."""
    try:
        return time.clock_gettime(
            (~pid << 3) | 2
        )  # the number that Linux gives to the clock of a process
    except (OSError, AttributeError, OverflowError):
        return time.monotonic()


def family_seconds() -> float:
    """CPU time of this process and of all that descend from it; wall time where that is unknown.

    Processes that ended count from when their parent has taken notice.
    """
    own = os.getpid()
    known = {process: row for process in _processes() if (row := _row(process))}
    if own not in known:
        return time.monotonic()
    children: dict[int, list[int]] = {}
    for process, row in known.items():
        children.setdefault(int(row[PARENT]), []).append(process)
    family = [own]
    for process in family:
        family += children.get(process, ())
    ticks = sum(int(number) for process in family for number in known[process][TICKS])
    return ticks / os.sysconf("SC_CLK_TCK")


def _processes() -> list[int]:
    try:
        return [int(one.name) for one in PROCESSES.iterdir() if one.name.isdigit()]
    except OSError:
        return []


def _row(process: int) -> list[bytes]:
    """The fields after the name of the program, which may hold any character; none: it is gone."""
    try:
        return (PROCESSES / str(process) / "stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return []
