"""CPU time for a mutant beside mutmut, and verdicts beside plain pytest: ``make bench-mutation``.

A pinned project with the tests of its source distribution is unpacked below ``build/``, mutmut is
installed there in an environment of its own (once).  Both tools then try their mutants of the same
module on the same tests, one at a time; CPU seconds are those of all their processes, from start to
end, and are divided by the mutants that were tried on a test.

Then some of our mutants, evenly spread, are written to the disk one by one and the whole suite is
run by plain pytest: the mutant must be killed exactly if it was killed before.

Exit code 1 when the ratio is smaller than required or a verdict differs.
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
from pathlib import Path
from typing import Any

from unitcraft.suite.mutation.sources import ModuleSource

BUILD = Path(__file__).parent.parent / "build" / "mutation"
MUTMUT = "mutmut==3.*"
PROJECT = "semver==3.0.2"
NEEDS = ("packaging", "pytest")
MODULE, FILE = "semver.version", "src/semver/version.py"

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
    ours, our_cpu = run_ours()
    tried = [one for one in ours["mutants"] if one["verdict"] != "not covered"]
    print(f"unitcraft: {len(tried)} mutants tried, {our_cpu:.1f} CPU s,"
          f" {1000 * our_cpu / len(tried):.1f} ms each; {ours['verdicts']}")  # fmt: skip
    ratio = REQUIRED
    if not options.no_peer:
        theirs, their_cpu = run_mutmut(python)
        count = sum(status not in UNTRIED for status in theirs.values())
        ratio = (their_cpu / count) / (our_cpu / len(tried))
        print(f"mutmut: {count} mutants tried, {their_cpu:.1f} CPU s,"
              f" {1000 * their_cpu / count:.1f} ms each; ratio {ratio:.1f}")  # fmt: skip
    wrong = cross_checked(tried, options.check)
    return int(ratio < REQUIRED or wrong > 0)


def prepared() -> str:
    """The project and the peer below ``build/``; the peer's interpreter."""
    python = BUILD / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(BUILD / "venv", with_pip=True)
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    if not (BUILD / "ready").exists():
        subprocess.run([*pip, "install", MUTMUT, *NEEDS], check=True)
        get = ["download", "--no-deps", "--no-binary", ":all:", "-d", str(BUILD), PROJECT]
        subprocess.run([*pip, *get], check=True)
        (BUILD / "ready").touch()
    archive = next(BUILD.glob("semver-*.tar.gz"))
    for name in ("ours", "theirs", "plain"):
        shutil.rmtree(BUILD / name, ignore_errors=True)
        with tarfile.open(archive) as stream:
            stream.extractall(BUILD, filter="data")
        (BUILD / archive.name.removesuffix(".tar.gz")).rename(BUILD / name)
        configured(BUILD / name)
    return str(python)


def configured(project: Path) -> None:
    """Leave out coverage, and what is no test of the module; tell mutmut what to change."""
    (project / "tox.ini").unlink()
    (project / "pyproject.toml").unlink()
    (project / "tests" / "test_pysemver-cli.py").unlink()  # tests of another module
    config = configparser.ConfigParser()
    config.read(project / "setup.cfg")
    config["tool:pytest"]["addopts"] = "--import-mode=importlib"
    config["tool:pytest"]["testpaths"] = "tests"
    config["mutmut"] = {"source_paths": "src", "only_mutate": FILE, "tests_dir": "tests"}
    with (project / "setup.cfg").open("w") as stream:
        config.write(stream)


def measured(command: list[str], cwd: Path) -> tuple[str, float]:
    """Standard output and CPU seconds of a command and all its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, cpu


def run_ours() -> tuple[dict[str, Any], float]:
    """Our report and CPU seconds."""
    command = [sys.executable, "-m", "unitcraft", "mutants", "run", "tests", "-s", MODULE]
    text, cpu = measured([*command, "-j", "1", "-q", "--format", "json", *LEAN], BUILD / "ours")
    return json.loads(text), cpu


def run_mutmut(python: str) -> tuple[dict[str, int | None], float]:
    """Mutmut's exit status of each mutant, and CPU seconds."""
    project = BUILD / "theirs"
    _, cpu = measured([python, "-m", "mutmut", "run", "--max-children", "1"], project)
    found: dict[str, int | None] = {}
    for meta in sorted((project / "mutants").rglob("*.meta")):
        found.update(json.loads(meta.read_text())["exit_code_by_key"])
    return found, cpu


def cross_checked(tried: list[dict[str, Any]], count: int) -> int:
    """Run plain pytest on some mutants; how many verdicts differ."""
    project = BUILD / "plain"
    file = project / FILE
    text = file.read_text()
    source = ModuleSource(MODULE, str(file), text)
    by_id = {one.about.id: one for one in source.mutants}
    step = max(1, len(tried) // max(1, count))
    sample = tried[::step][:count] if count else []
    wrong = 0
    for one in sample:
        file.write_text(ast.unparse(source.mutated(by_id[one["id"]])))
        killed = fails(project)
        if killed != one["killed"]:
            wrong += 1
            print(f"differs: {one['id']}: {one['verdict']}, plain pytest: {killed}")
    file.write_text(text)
    print(f"plain pytest: {len(sample)} mutants, {wrong} verdicts differ")
    return wrong


def fails(project: Path) -> bool:
    """Does the suite fail, or not end?"""
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "tests"]
    env = {**os.environ, "PYTHONHASHSEED": "0"}
    try:
        done = subprocess.run(
            command, cwd=project, capture_output=True, env=env, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
