"""``pytest --unitcraft``: the modes, and that nothing happens without the option."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

TESTS = """\
from int_stack import IntStack


def test_small():
    assert IntStack().is_empty()


def test_large():
    stack = IntStack()
    assert stack.is_empty()
    stack.push(1)
    stack.push(2)
    assert stack.pop() == 2


def test_again():
    stack = IntStack()
    stack.push(1)
    assert not stack == 3
"""


@pytest.fixture
def run(tmp_path):
    shutil.copy(ROOT / "benchmarks/subjects/int_stack.py", tmp_path)
    (tmp_path / "test_stack.py").write_text(TESTS.replace("    assert not stack == 3\n", ""))
    (tmp_path / "conftest.py").touch()
    (tmp_path / "pytest.ini").write_text(f"[pytest]\naddopts = {LEAN}\n")

    path = os.pathsep.join([str(tmp_path), str(ROOT / "src")])

    def done(*words, **env):
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", *words],
            cwd=tmp_path, env={**os.environ, **env, "PYTHONPATH": path},
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    return done


def passed(done):
    lines = [line for line in done.stdout.splitlines() if " PASSED" in line]
    return [line.split()[0].partition("::")[2] for line in lines]


#: Importing Hypothesis takes longer than all else that these runs do, in each of their processes.
LEAN = "-p no:hypothesispytest"
SUBJECT = ("--unitcraft-subject", "int_stack")


def test_check_reports_and_fails(run):
    done = run("--unitcraft=check", "-W", "error", *SUBJECT)
    assert passed(done) == ["test_small", "test_large", "test_again"]
    assert "test_stack.py::test_again: UC102 repeats test_stack.py::test_large" in done.stdout
    assert "test_stack.py::test_again: UC201 asserts nothing" in done.stdout
    assert done.returncode == 1


def test_select_leaves_redundant_tests_out(run):
    done = run("--unitcraft=select", *SUBJECT)
    assert passed(done) == ["test_small", "test_large"]
    assert "1 redundant test left out" in done.stdout
    assert done.returncode == 0


def test_prioritize_orders(run):
    done = run("--unitcraft=prioritize", *SUBJECT)
    assert passed(done) == ["test_large", "test_small", "test_again"]


def test_processes_of_xdist_are_judged_as_one_or_refused(run):
    pytest.importorskip("xdist")
    done = run("--unitcraft=check", "-n", "1", *SUBJECT)
    assert "test_stack.py::test_again: UC102 repeats test_stack.py::test_large" in done.stdout
    assert done.returncode == 1
    done = run("--unitcraft=select", "-n", "1", *SUBJECT)
    assert "leave out -n" in done.stderr
    assert done.returncode == 4


def test_option_in_the_settings_does_not_recur(run):
    words = ("-o", f"addopts={LEAN} --unitcraft=select", "-o", "unitcraft_subjects=int_stack")
    assert passed(run(*words)) == ["test_small", "test_large"]


def test_a_subject_is_needed(run):
    done = run("--unitcraft=check")
    assert done.returncode == 4
    assert "needs --unitcraft-subject" in done.stderr


def test_unused_plugin_imports_nothing_and_has_no_hook_for_tests():
    code = (
        "import sys, pytest; before = set(sys.modules); import unitcraft.app.suites.plugin as p; "
        "print(sorted(set(sys.modules) - before), [n for n in dir(p) if n.startswith('pytest_')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules, hooks = done.stdout.strip().split("] [")
    assert (
        modules
        == "['unitcraft', 'unitcraft.app', 'unitcraft.app.suites', 'unitcraft.app.suites.plugin'"
    )
    assert hooks == "'pytest_addoption', 'pytest_configure']"
