"""``unitcraft check`` from the outside: the published table, the report, what goes wrong."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

TESTS = """\
from int_stack import IntStack


def test_t1():
    s1 = IntStack()
    s1.is_empty()
    s1.push(3)
    s1.push(2)
    s1.pop()
    s1.push(5)


def test_t2():
    s2 = IntStack()
    s2.push(3)
    s2.push(5)


def test_t3():
    s3 = IntStack()
    s3.push(3)
    s3.push(2)
    s3.pop()
"""

PUBLISHED = {
    "WholeSeq": 0, "ModifyingSeq": 1, "WholeState": 1, "MonitorEquals": 2, "PairwiseEquals": 2,
}  # fmt: skip


@pytest.fixture
def stack(tmp_path):
    shutil.copy(ROOT / "benchmarks/subjects/int_stack.py", tmp_path)
    (tmp_path / "test_stack.py").write_text(TESTS)
    return tmp_path


@pytest.mark.parametrize(
    ("technique", "expected"),
    [
        ("WholeSeq", {}),
        ("ModifyingSeq", {"test_t3": "UC102"}),
        ("WholeState", {"test_t3": "UC102"}),
        ("MonitorEquals", {"test_t2": "UC104", "test_t3": "UC102"}),
        ("PairwiseEquals", {"test_t2": "UC104", "test_t3": "UC102"}),
    ],
)
def test_published_table(technique, expected, stack, run):
    done = run(
        "check", "-s", "int_stack", "--state-repr", technique, "--format", "json", "--select", "UC1"
    )
    report = json.loads(done.stdout)
    found = {one["test"].partition("::")[2]: one["code"] for one in report["findings"]}
    assert found == expected
    assert report["redundant"] == PUBLISHED
    assert done.returncode == (1 if expected else 0)


def test_report_names_what_is_repeated(stack, run):
    done = run("check", "test_stack.py", "-s", "int_stack.py", "--select", "UC1")
    assert done.stdout.splitlines()[:3] == [
        "test_stack.py::test_t3: UC102 repeats test_stack.py::test_t1",
        "",
        "3 tests made 13 calls to 4 functions.",
    ]


def test_exit_zero(stack, run):
    assert run("check", "-s", "int_stack", "--exit-zero", "--format", "concise").returncode == 0


def test_options_reach_pytest(stack, run):
    done = run("check", "-s", "int_stack", "--pytest-arg=-k", "--pytest-arg=t1 or t2")
    assert "2 tests made 9 calls" in done.stdout


def test_suite_that_cannot_run_is_an_error(stack, run):
    (stack / "test_stack.py").write_text("import no_such_module\n")
    done = run("check", "-s", "int_stack")
    assert done.returncode == 2
    assert "[suite-not-run]" in done.stderr
    assert "no_such_module" in done.stderr


def test_failing_tests_are_not_judged(stack, run):
    text = TESTS + "    assert False\n"
    (stack / "test_stack.py").write_text(text)
    done = run("check", "-s", "int_stack", "--select", "UC1")
    assert done.returncode == 0
    assert "1 tests did not pass: not judged" in done.stdout
