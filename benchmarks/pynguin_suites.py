"""Suites that Pynguin writes for pinned modules, below ``build/``.

Pynguin is installed into an environment of its own; a suite is written once and kept.
"""

from __future__ import annotations

import os
import subprocess
import venv
from pathlib import Path
from typing import NamedTuple

BUILD = Path(__file__).parents[1] / "build" / "redundancy"
PYNGUIN = "pynguin==0.48.0"

#: Seconds of search, of its own mutation analysis, and for all.
SEARCH, MUTATION, PATIENCE = 25, 20, 240


class Module(NamedTuple):
    """A module of a pinned project."""

    name: str
    project: str


MODULES = (
    Module("heapdict", "heapdict==1.0.1"),
    Module("ordered_set", "ordered-set==4.1.0"),
    Module("pymonet.immutable_list", "pyMonet==0.12.0"),
    Module("codetiming._timer", "codetiming==1.3.0"),
    Module("semver.version", "semver==3.0.2"),
    Module("roman", "roman==4.2"),
    Module("inflection", "inflection==0.5.1"),
    Module("cachetools", "cachetools==5.3.3"),
)


def environment() -> Path:
    """The interpreter that has Pynguin; installed when it is missing."""
    python = BUILD / "pynguin" / "bin" / "python"
    ready = BUILD / "pynguin" / PYNGUIN
    if not ready.exists():
        venv.create(BUILD / "pynguin", with_pip=True)
        pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", PYNGUIN], check=True)
        ready.touch()
    return python


def project_folder(project: str) -> Path:
    """Where a pinned project is installed; the name holds the version, so pins never mix."""
    folder = BUILD / "projects" / project
    if not (folder / ".complete").exists():
        pip = [str(environment()), "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--no-deps", "--target", str(folder), project], check=True)
        (folder / ".complete").touch()
    return folder


def write_suite(module: Module) -> Path | None:
    """The folder of Pynguin's suite for the module; None when it wrote none in time."""
    folder = BUILD / "suites" / f"pynguin-{module.name}"
    if not (folder / ".complete").exists():
        folder.mkdir(parents=True, exist_ok=True)
        path = project_folder(module.project)
        words = ["--project-path", str(path), "--module-name", module.name, "--seed", "1"]
        words += ["--output-path", str(folder), "--maximum-search-time", str(SEARCH)]
        words += ["--maximum-mutation-time", str(MUTATION)]
        seeds = {"PYTHONPATH": str(path), "PYTHONHASHSEED": "0"}
        _run([str(environment().with_name("pynguin")), *words], folder, seeds)
        (folder / ".complete").touch()
    return folder if any(folder.glob("test_*.py")) else None


def _run(command: list[str], cwd: Path, more: dict[str, str]) -> None:
    env = {**os.environ, **more, "PYNGUIN_DANGER_AWARE": "1"}
    with (cwd / "log.txt").open("wb") as log:
        try:
            subprocess.run(
                command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                timeout=PATIENCE, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            print(f"{cwd.name}: no suite within {PATIENCE} s")
