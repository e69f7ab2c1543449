"""CPU time for a mutant beside mutmut, and verdicts beside plain pytest: ``make bench-mutation``.

Pinned projects with the tests of their source distributions are unpacked below ``build/``, mutmut
is installed there in an environment of its own (once).  On the first project both tools try their
mutants of the same module on the same tests, one at a time; CPU seconds are those of all their
processes.  They are printed twice: of the whole run, and without what a run costs that has nothing
left to try (all known) or, for mutmut, that tries a single mutant.

Then some of our mutants of each project, evenly spread, are written to the disk one by one and the
whole suite is run by plain pytest: the mutant must be killed exactly if it was killed before.

Exit code 1 when the ratio of the whole runs is smaller than required or a verdict differs.
"""

from __future__ import annotations

import argparse
import ast
import configparser
import json
import os
import resource
import shutil
import subprocess
import sys
import tarfile
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource

BUILD = Path(__file__).parent.parent / "build" / "mutation"
MUTMUT = "mutmut==3.*"
NEEDS = ("packaging", "pytest")


@dataclass(frozen=True)
class Project:
    """A pinned project, the module to mutate, its tests, and files that would be in the way."""

    pinned: str
    module: str
    file: str
    tests: str
    unwanted: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Of the package."""
        return self.pinned.partition("==")[0]

    def folder(self, use: str) -> Path:
        """A copy of the project for one use."""
        return BUILD / f"{self.name}-{use}"


#: The first is compared with mutmut.  test_pysemver-cli tests another module.
PROJECTS = (
    Project(
        "semver==3.0.2", "semver.version", "src/semver/version.py", "tests",
        ("tox.ini", "pyproject.toml", "tests/test_pysemver-cli.py"),
    ),
    Project("cachetools==8.0.0", "cachetools", "src/cachetools/__init__.py", "tests", ("tox.ini",)),
)  # fmt: skip

#: A pytest plugin of our environment that the peer's does not have.
LEAN = ("--pytest-arg=-pno:hypothesispytest",)

#: What the acceptance of the project asks for.
REQUIRED = 20.0
#: Seconds after which plain pytest on a mutant counts as killed.
PATIENCE = 60.0
#: Statuses of mutmut's workers for mutants that no test reaches or that were not tried.
UNTRIED = (33, 34, None)


def main(arguments: list[str] | None = None) -> int:
    """Print the figures; 1 when they fall short of what is required."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", type=int, default=60, help="mutants to check with plain pytest")
    parser.add_argument("--no-peer", action="store_true", help="only check the verdicts")
    options = parser.parse_args(arguments)
    python = prepared()
    ratio, wrong = REQUIRED, 0
    for project in PROJECTS:
        ours, whole = run_ours(project)
        _, again = run_ours(project)
        tried = [one for one in ours["mutants"] if one["verdict"] != "not covered"]
        print(f"{project.pinned}, {len(ours['tests'])} tests; {ours['verdicts']}")
        mine = told("unitcraft", len(tried), whole, again)
        if project is PROJECTS[0] and not options.no_peer:
            peer = compared(python, project)
            ratio = peer[0] / mine[0]
            print(f"ratio {ratio:.1f}, net of the start {peer[1] / mine[1]:.1f}")
        wrong += cross_checked(project, tried, options.check)
    return int(ratio < REQUIRED or wrong > 0)


def told(tool: str, count: int, whole: float, start: float) -> tuple[float, float]:
    """Print and return milliseconds for a mutant: of the whole run, and net of the start."""
    each, net = 1000 * whole / count, 1000 * (whole - start) / count
    print(f"{tool}: {count} mutants tried, {whole:.2f} CPU s, {each:.2f} ms each;"
          f" {net:.2f} ms each net of a start of {start:.2f} s")  # fmt: skip
    return each, net


def compared(python: str, project: Project) -> tuple[float, float]:
    """Milliseconds of mutmut for a mutant, as ``told``."""
    found, whole = run_mutmut(python, project)
    tried = [key for key, status in found.items() if status not in UNTRIED]
    _, start = run_mutmut(python, project, tried[0])
    return told("mutmut", len(tried), whole, start)


def prepared() -> str:
    """The projects and the peer below ``build/``; the peer's interpreter."""
    python = BUILD / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(BUILD / "venv", with_pip=True)
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    if not (BUILD / "prepared").exists():
        subprocess.run([*pip, "install", MUTMUT, *NEEDS], check=True)
        get = ["download", "--no-deps", "--no-binary", ":all:", "-d", str(BUILD)]
        subprocess.run([*pip, *get, *(one.pinned for one in PROJECTS)], check=True)
        (BUILD / "prepared").touch()
    for project in PROJECTS:
        archive = next(BUILD.glob(f"{project.name}-*.tar.gz"))
        for use in ("ours", "theirs", "plain"):
            shutil.rmtree(project.folder(use), ignore_errors=True)
            with tarfile.open(archive) as stream:
                stream.extractall(BUILD, filter="data")
            (BUILD / archive.name.removesuffix(".tar.gz")).rename(project.folder(use))
            configured(project, project.folder(use))
    return str(python)


def configured(project: Project, folder: Path) -> None:
    """Leave out coverage, and what is no test of the module; tell mutmut what to change."""
    for name in project.unwanted:
        (folder / name).unlink(missing_ok=True)
    config = configparser.ConfigParser()
    config.read(folder / "setup.cfg")
    config["tool:pytest"] = {
        "addopts": "--import-mode=importlib", "testpaths": project.tests, "pythonpath": "src tests",
        "filterwarnings": "ignore::DeprecationWarning\nignore::PendingDeprecationWarning",
    }  # fmt: skip
    config["mutmut"] = {
        "source_paths": "src", "only_mutate": project.file, "tests_dir": project.tests,
    }  # fmt: skip
    with (folder / "setup.cfg").open("w") as stream:
        config.write(stream)


def measured(command: list[str], cwd: Path) -> tuple[str, float]:
    """Standard output and CPU seconds of a command and all its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, cpu


def run_ours(project: Project) -> tuple[dict[str, Any], float]:
    """Our report and CPU seconds."""
    command = [sys.executable, "-m", "unitcraft", "mutants", "run", project.tests,
               "-s", project.module, "-j", "1", "-q", "--format", "json", *LEAN]  # fmt: skip
    text, cpu = measured(command, project.folder("ours"))
    return json.loads(text), cpu


def run_mutmut(python: str, project: Project, *names: str) -> tuple[dict[str, int | None], float]:
    """Mutmut's exit status of each mutant, and CPU seconds; only the named ones again."""
    folder = project.folder("theirs")
    _, cpu = measured([python, "-m", "mutmut", "run", "--max-children", "1", *names], folder)
    found: dict[str, int | None] = {}
    for meta in sorted((folder / "mutants").rglob("*.meta")):
        found.update(json.loads(meta.read_text())["exit_code_by_key"])
    return found, cpu


def cross_checked(project: Project, tried: list[dict[str, Any]], count: int) -> int:
    """Run plain pytest on some mutants; how many verdicts differ."""
    folder = project.folder("plain")
    file = folder / project.file
    text = file.read_text()
    source = ModuleSource(project.module, str(file), text)
    by_id = {one.about.id: one for one in source.mutants}
    step = max(1, len(tried) // max(1, count))
    sample = tried[::step][:count] if count else []
    wrong = 0
    for one in sample:
        file.write_text(ast.unparse(source.mutated(by_id[one["id"]])))
        killed = fails(project, folder)
        if killed != one["killed"]:
            wrong += 1
            print(f"differs: {one['id']}: {one['verdict']}, plain pytest: {killed}")
    file.write_text(text)
    print(f"plain pytest: {len(sample)} mutants, {wrong} verdicts differ")
    return wrong


def fails(project: Project, folder: Path) -> bool:
    """Does the suite fail, or not end?"""
    command = [
        sys.executable,
        "-B",
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        project.tests,
    ]
    env = {**os.environ, "PYTHONHASHSEED": "0"}
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, env=env, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
