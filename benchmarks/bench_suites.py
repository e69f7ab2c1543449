"""The test suites of real projects, judged and minimised: ``make bench-suites``.

The source distributions of pinned projects are unpacked below ``build/`` and their tests run as
they are, by plain pytest under coverage.py; then ``check`` judges them (its report stays beside the
project), ``check --fix`` takes the redundant tests out, and plain pytest runs what is left.  The
table shows tests, calls, redundant tests by technique, those that are no findings because they
assert something of their own, other findings, tests removed, branches before and after, and how
many times as long the suite takes under recording.

Exit code 1 when a suite that passed does not pass afterwards, or takes fewer branches.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import venv
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

BUILD = Path(__file__).parents[1] / "build" / "suites"

#: Plugins of our environment and settings of the projects that have nothing to do with the tests.
PLAIN = ("-oaddopts=", "-pno:hypothesispytest", "-Wignore")


class Project(NamedTuple):
    """A source distribution: the package under test, its tests, its import root, what it needs."""

    pin: str
    subject: str
    tests: str
    root: str = "."
    needs: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """Where it is unpacked."""
        return BUILD / "projects" / self.pin

    @property
    def options(self) -> tuple[str, ...]:
        """What pytest is told."""
        return (*PLAIN, f"-opythonpath={self.folder / self.root} {BUILD / 'needs'}")


PROJECTS = (
    Project("cachetools==5.5.0", "cachetools", "tests", "src"),
    Project("inflection==0.5.1", "inflection", "test_inflection.py"),
    Project("semver==3.0.4", "semver", "tests", "src"),
    Project("toolz==1.0.0", "toolz", "toolz/tests"),
    Project("more-itertools==10.5.0", "more_itertools", "tests"),
    Project("python-dateutil==2.9.0.post0", "dateutil", "tests", "src", ("freezegun", "six")),
)

HEAD = (
    *("project", "tests", "calls", "redundant", "own assertions", "weak", "flaky, not hermetic"),
    *("removed", "branches", "after", "recorded / plain"),
)


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 when a suite is not as good as before."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these projects")
    chosen = parser.parse_args(arguments)
    print(f"| {' | '.join(HEAD)} |\n|---|{'--:|' * (len(HEAD) - 1)}")
    worse = []
    for project in PROJECTS:
        if chosen.names and project.pin.partition("==")[0] not in chosen.names:
            continue
        unpack(project)
        cells, is_as_good = judged(project)
        print(f"| {' | '.join([project.pin, *map(str, cells)])} |", flush=True)
        worse += [] if is_as_good else [project.pin]
    print("\n".join(f"{pin}: the suite got worse" for pin in worse))
    return int(bool(worse))


def unpack(project: Project) -> None:
    """A fresh copy of the project, and what its tests need."""
    python = BUILD / "venv" / "bin" / "python"
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    archives = BUILD / "archives" / project.pin
    if not python.exists():
        venv.create(BUILD / "venv", with_pip=True)
    if not archives.exists():
        if project.needs:
            subprocess.run(
                [*pip, "install", "--target", BUILD / "needs", *project.needs], check=True
            )
        words = ["download", "--no-deps", "--no-binary", ":all:", "-d", str(archives), project.pin]
        subprocess.run([*pip, *words], check=True)
    shutil.rmtree(project.folder, ignore_errors=True)
    (archive,) = archives.iterdir()
    with tarfile.open(archive) as stream:
        stream.extractall(project.folder.parent, filter="data")
    (project.folder.parent / archive.name.removesuffix(".tar.gz")).rename(project.folder)


def judged(project: Project) -> tuple[list[Any], bool]:
    """The cells of a project, and whether its suite is as good as before."""
    before, passed = branches(project)
    report = json.loads(ours(project, "check", "--exit-zero", "--format", "json"))
    (BUILD / f"{project.pin}.json").write_text(json.dumps(report, indent=2))
    kinds = Counter(one["code"][:3] for one in report["findings"])
    (figures,) = json.loads(ours(project, "assess", "--format", "json"))
    overhead = figures["seconds"] / figures["plain_seconds"]
    said = ours(project, "check", "--exit-zero", "--fix")
    removed = int(said.split()[1]) if said.startswith("removed") else 0
    after, still_passed = branches(project)
    counts = report["redundant"].values()
    cells = [
        report["tests"], report["executions"], " ".join(map(str, counts)), report["own_claims"],
        kinds["UC2"], kinds["UC3"], removed, before, after, f"{overhead:.1f}",
    ]  # fmt: skip
    return cells, (still_passed or not passed) and after >= before


def branches(project: Project) -> tuple[int, bool]:
    """The branches that the suite takes in plain pytest, and whether it passes."""
    command = [sys.executable, "-m", "coverage"]
    data = {**os.environ, "COVERAGE_FILE": str(BUILD / "arcs")}
    done = subprocess.run(
        [*command, "run", "--branch", f"--source={project.subject}", "--rcfile=/dev/null",
         "-m", "pytest", "-q", "-pno:cacheprovider", *project.options, project.tests],
        cwd=project.folder, env=data, stdout=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    words = [*command, "json", "--rcfile=/dev/null", "-q", "-o", str(BUILD / "coverage.json")]
    subprocess.run(words, cwd=project.folder, env=data, check=True)
    totals = json.loads((BUILD / "coverage.json").read_text())["totals"]
    return totals["covered_branches"], done.returncode == 0


def ours(project: Project, name: str, *more: str) -> str:
    """What a command of ours says."""
    command = [sys.executable, "-m", "unitcraft", name, project.tests, "-s", project.subject]
    command += [*more, *(f"--pytest-arg={word}" for word in project.options)]
    done = subprocess.run(
        command, cwd=project.folder, stdout=subprocess.PIPE, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(project.folder / project.root)},
    )  # fmt: skip
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
