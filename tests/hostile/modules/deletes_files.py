"""Deletes a file and a folder that do not belong to it."""

from __future__ import annotations

import os
import shutil


def cleanup(path: str = "/tmp/unitcraft-sentinel/keep.txt") -> bool:
    """Remove ``path``."""
    os.remove(path)
    return True


def purge(folder: str = "/tmp/unitcraft-sentinel") -> bool:
    """Remove the whole tree."""
    shutil.rmtree(folder)
    return True


def purge_quietly(folder: str = "/tmp/unitcraft-sentinel") -> str:
    """Remove the tree and hide any complaint."""
    shutil.rmtree(folder, ignore_errors=True)
    return "done"


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
