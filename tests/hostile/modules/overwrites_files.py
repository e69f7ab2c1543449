"""Overwrites, renames and truncates files, swallowing every error."""

from __future__ import annotations

import os


TARGET = "/tmp/unitcraft-sentinel/keep.txt"


def save(text: str = "gone") -> str:
    """Write over the file and say that all is well."""
    try:
        with open(TARGET, "w") as stream:
            stream.write(text)
    except BaseException:
        pass
    return "saved"


def shorten(size: int = 0) -> int:
    """Truncate the file."""
    os.truncate(TARGET, size)
    return size


def move(target: str = "/tmp/unitcraft-sentinel/other.txt") -> str:
    """Rename the file."""
    os.rename(TARGET, target)
    return target


def relative(name: str = "report.txt") -> int:
    """Write into the current folder."""
    with open(name, "w") as stream:
        return stream.write("x")


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
