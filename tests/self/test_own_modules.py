"""unitcraft on unitcraft: suites of its own modules are generated, pass, and reach their branches.

Each suite is made with few executions and without the solver, so that all of them cost less than
one suite of default size; the shares are what that reaches, not what unitcraft can reach.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import unitcraft

SOURCE = Path(unitcraft.__file__).parents[1]

#: Runs of the search for each module: 80 are too few for three of the shares below.
EXECUTIONS = 150
#: Loop turns and calls of one run; the default allows two hundred times as many.
STEPS = 1_000
#: CPU seconds of all suites together, made and run: 62 were measured with 250 executions on two
#: cores with a load of 20, which makes a CPU second shorter; this is twice that.
MAX_CPU_SECONDS = 120

#: Module -> the least share of its branches that the suite takes (0: it has none).
SHARES = {
    "core.sequences": 0.19,  # Sequence has rep_ok; workers hold it before the hook can rewrite it
    "core.criteria": 1.0,
    "emit.code.digest_comments": 0,
    "symbolic.terms.constraint_tree": 0.2,  # ConstraintTree has rep_ok
    "symbolic.terms.term": 0.6,
    "explore.statespace.frontier": 0,
    "explore.concolic.combinations": 0.8,
    "subject.reading.docstring_types": 0.4,
    "execute.pool.batches": 1.0,
    "execute.pool.worker_death": 0.6,
    "app.terminal_text": 0.5,
}


@pytest.fixture(scope="module")
def made(tmp_path_factory, shared):
    """(folder, report of ``generate``, CPU seconds): one run for all modules."""
    return shared("self", lambda: make(tmp_path_factory.mktemp("self")))


def make(folder):
    (folder / "pyproject.toml").write_text(f"[tool.unitcraft]\nexecutions = {EXECUTIONS}\n")
    targets = [f"unitcraft.{name}" for name in SHARES]
    flags = ["-o", "suites", "-j", "1", "--no-symbolic", "--no-cache", "--steps", str(STEPS)]
    command = ["-m", "unitcraft", "generate", *targets, *flags, "--output-format", "json"]
    before = cpu_seconds()
    done = run(command, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder, json.loads(done.stdout), cpu_seconds() - before


def run(command, folder):
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@pytest.mark.parametrize("name", SHARES)
def test_own_module_has_a_suite_that_reaches_its_branches(made, name):
    folder, report, _ = made
    suite = next(one for one in report["targets"] if one["module"] == f"unitcraft.{name}")
    covered, every = suite["branches"]["covered"], suite["branches"]["all"]
    print(f"{name}: {suite['tests']} tests, {covered} of {every} branches, {suite['seconds']} s")  # noqa: T201
    assert suite["tests"]
    assert (folder / suite["file"]).is_file()
    assert bool(every) == bool(SHARES[name])
    assert covered >= SHARES[name] * every


def test_suites_of_own_modules_pass(made):
    folder, _, seconds = made
    before = cpu_seconds()
    options = ["-q", "-o", "addopts=", "-p", "no:cacheprovider", "--import-mode=importlib"]
    done = run(["-m", "pytest", *options, "suites"], folder)
    running = cpu_seconds() - before
    print(done.stdout[-200:], f"{seconds:.1f} s of CPU to make, {running:.1f} to run")  # noqa: T201
    assert done.returncode == 0, done.stdout + done.stderr
    assert seconds + running <= MAX_CPU_SECONDS
