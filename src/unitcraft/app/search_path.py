"""The folders that guarded processes import from, before those of their interpreter.

Invariant: every command hands the same folders on, absolute, each once; the folder of unitcraft
itself is among them only when it holds the code under test.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import unitcraft
from unitcraft.app.config import Config
from unitcraft.app.pytest_settings import pytest_settings
from unitcraft.core.interpreter import OWN, Interpreter

#: The folder of unitcraft, which may stand on PYTHONPATH to make the command run at all.
OURS = os.path.realpath(Path(unitcraft.__file__).parents[1])


def search_path(config: Config, roots: Iterable[str | Path] = ()) -> tuple[str, ...]:
    """``roots`` (of the code under test), ``paths`` of the settings and of pytest, PYTHONPATH."""
    chosen = [*map(str, roots), *(str(config.root / path) for path in config.paths)]
    tested = pytest_settings(config.root).paths
    return tuple(dict.fromkeys([*chosen, *tested, *python_path()]))


def python_path() -> list[str]:
    """The entries of PYTHONPATH, absolute, without the folder of unitcraft."""
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    entries = [os.path.abspath(entry) for entry in given if entry]  # noqa: PTH100 - links stay
    return [entry for entry in entries if os.path.realpath(entry) != OURS]


def suite_path(
    config: Config, roots: Iterable[str | Path], cwd: Path, python: Interpreter = OWN
) -> tuple[str, ...]:
    """The folders for an existing suite that starts in ``cwd``.

    A root that ``python`` has anyway (installed packages) keeps its place there.
    """
    given = {os.path.realpath(entry) for entry in python_path()}
    anyway = {entry for entry in python.import_path if os.path.realpath(entry) not in given}
    missing = [str(root) for root in roots if str(root) not in anyway]
    return tuple(dict.fromkeys([*search_path(config, missing), str(cwd)]))
