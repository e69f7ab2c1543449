"""The flag ``--python``, which every command that runs code of the project takes.

Invariant: nothing of the engine is imported here, and no interpreter is started.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import click

from unitcraft.app.config import Config

#: Names the interpreter of the project.
PYTHON_FLAG = click.option(
    "--python",
    metavar="PATH",
    help="Interpreter or virtual environment of the project. [VIRTUAL_ENV, .venv, our own]",
)


def with_python(config: Config, given: str | None, cwd: Path) -> Config:
    """``config`` with the interpreter of the flag: a path as seen from ``cwd``, or a command."""
    if given is None:
        return config
    is_path = os.sep in given or (cwd / given).exists()
    return replace(config, python=str(cwd / given) if is_path else given)
