"""Starts processes in every way that the standard library knows."""

from __future__ import annotations

import multiprocessing
import os
import subprocess


MARK = "unitcraft-hostile-marker"


def shell(seconds: int = 60) -> int:
    """Run a shell command in the background."""
    return os.system(f"sleep {seconds} & # {MARK}")


def run(seconds: int = 60) -> int:
    """Start a child and leave it running."""
    return subprocess.Popen(["sleep", str(seconds)]).pid


def become(program: str = "/bin/sleep") -> None:
    """Replace this process."""
    os.execv(program, [program, "60"])


def pool(jobs: int = 2) -> list:
    """Compute in child processes."""
    with multiprocessing.Pool(jobs) as workers:
        return workers.map(abs, [-1, -2])


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
