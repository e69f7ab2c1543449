"""Functions that start processes."""

import multiprocessing
import os
import subprocess


def split(count: int) -> int:
    """Forks for ever."""
    while True:
        os.fork()
        count += 1


def run(command: str) -> int:
    """Runs a command."""
    return subprocess.call([command, "100"])


def spread(values: list) -> list:
    """Maps in other processes."""
    with multiprocessing.Pool(2) as pool:
        return pool.map(abs, values)


def end(status: int) -> None:
    """Ends the process."""
    os._exit(status)
