"""``minimize``, ``select``, ``prioritize``, ``assess`` and ``--fix`` from the outside."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

TESTS = '''\
"""Tests of a stack."""

import os  # unused, and stays
import pytest
from int_stack import IntStack


@pytest.fixture
def stack():
    return IntStack()


def filled(*numbers):
    made = IntStack()
    for number in numbers:
        made.push(number)
    return made


def test_t1(stack):
    stack.is_empty()
    stack.push(3)
    stack.push(2)
    assert stack.pop() == 2
    stack.push(5)


def test_t2():
    s2 = IntStack()
    s2.push(3)
    s2.push(5)


# Says nothing new.
@pytest.mark.filterwarnings("ignore")
def test_t3():
    s3 = filled(3, 2)
    assert s3.pop() == 2


def test_kept():  # unitcraft: keep
    filled(3, 2).pop()


def test_own_claim(stack):
    stack.push(3)
    assert stack._size == 1


@pytest.mark.parametrize(
    "numbers",
    [
        [7, 8],
        [7, 8],  # the row above
        [7],  # a part of it, asserted here only
        [9],
    ],
)
def test_rows(numbers):
    assert filled(*numbers) is not None
'''

FIXED = TESTS.replace(TESTS[TESTS.index("# Says") : TESTS.index("def test_kept")], "").replace(
    "        [7, 8],  # the row above\n", ""
)


@pytest.fixture
def suite(tmp_path):
    shutil.copy(ROOT / "benchmarks/subjects/int_stack.py", tmp_path)
    file = tmp_path / "test_stack.py"
    file.write_text(TESTS)
    return file


def test_minimize_keeps_branches_pragmas_and_claims(suite, run):
    report = json.loads(run("minimize", "-s", "int_stack", "--format", "json").stdout)
    assert [one["test"].partition("::")[2] for one in report["dropped"]] == [
        "test_t3", "test_rows[numbers1]",
    ]  # fmt: skip
    assert {one["test"].partition("::")[2]: one["why"] for one in report["held"]} == {
        "test_kept": "a pragma keeps it",
        "test_own_claim": "it asserts what none of the tests that it repeats asserts",
        "test_rows[numbers2]": "it asserts what none of the tests that it repeats asserts",
    }
    assert report["tests"] == {"before": 9, "after": 7}
    assert report["branches"]["before"] == report["branches"]["after"] > 0


def test_equal_states_lose_no_branch(suite, run):
    words = ("--state-repr", "PairwiseEquals", "--unsafe", "--format", "json")
    report = json.loads(run("minimize", "-s", "int_stack", *words).stdout)
    dropped = [one["test"].partition("::")[2] for one in report["dropped"]]
    assert dropped == [
        *("test_t2", "test_t3", "test_own_claim", "test_rows[numbers1]", "test_rows[numbers2]")
    ]
    assert report["branches"]["before"] == report["branches"]["after"]


def test_fix_takes_out_exactly_the_redundant_tests(suite, run):
    done = run("minimize", "-s", "int_stack", "--fix")
    assert done.stdout.splitlines()[0] == "removed 2 of 9 tests from test_stack.py"
    assert suite.read_text() == FIXED
    assert run("minimize", "-s", "int_stack", "--fix").stdout == "nothing to remove\n"


def test_fix_says_which_redundant_tests_have_no_text_of_their_own(suite, run):
    again = "from test_stack import stack, test_t1, test_t2  # noqa: F401\n"
    (suite.parent / "test_the_same.py").write_text(again)
    run("minimize", "-s", "int_stack", "--fix")
    done = run("minimize", "-s", "int_stack", "--fix")
    assert done.stdout.startswith("nothing to remove; 2 redundant tests stay, written together")


def test_diff_changes_nothing(suite, run):
    done = run("check", "-s", "int_stack", "--diff")
    assert [line for line in done.stdout.splitlines() if line.startswith("+")] == [
        "+++ b/test_stack.py"
    ]
    assert "-def test_t3():" in done.stdout
    assert suite.read_text() == TESTS


def test_a_suite_that_gets_worse_is_put_back(suite, run):
    text = (
        TESTS
        + "\n\ndef test_of_the_suite():\n    assert 'def test_' + 't3' in open(__file__).read()\n"
    )
    suite.write_text(text)
    done = run("minimize", "-s", "int_stack", "--fix")
    assert done.returncode == 2
    assert "[fix-undone]" in done.stderr
    assert "1 failed" in done.stderr
    assert suite.read_text() == text


def test_select_takes_what_adds_something(suite, run, tmp_path):
    new = "from test_stack import filled\n\n\ndef test_old():\n    filled(3)\n\n\n"
    (tmp_path / "test_new.py").write_text(new + "def test_fresh():\n    filled(4)\n")
    words = ("test_new.py", "--against", "test_stack.py", "-s", "int_stack", "--format", "nodes")
    assert run("select", *words).stdout == "test_new.py::test_fresh\n"


def test_select_counts_the_tests_that_it_does_not_judge(suite, run, tmp_path):
    (tmp_path / "test_new.py").write_text(
        "from test_stack import filled\n\n\ndef test_fresh():\n    filled(4)\n\n\n"
        "def test_idle():\n    pass\n\n\ndef test_broken():\n    assert filled(2) is None\n"
    )
    told = run("select", "test_new.py", "--against", "test_stack.py", "-s", "int_stack").stdout
    assert "take test_new.py::test_fresh" in told
    assert "not judged: 1 test that did not pass: test_new.py::test_broken" in told
    assert "not judged: 1 test without a call of the subjects" in told


def test_prioritize_begins_with_what_adds_most(suite, run):
    rows = json.loads(run("prioritize", "-s", "int_stack", "--format", "json").stdout)["tests"]
    gains = [(one["branches"], one["executions"]) for one in rows]
    assert rows[0]["test"] == "test_stack.py::test_t1"
    assert gains == sorted(gains, reverse=True)
    assert len(rows) == 9


def test_assess_shows_suites_side_by_side(suite, run):
    words = ("test_stack.py::test_t1", "test_stack.py", "-s", "int_stack", "--format", "json")
    one, all_ = json.loads(run("assess", *words).stdout)["suites"]
    assert (one["tests"], one["executions"]) == (1, 6)
    assert all_["tests"] == 9
    assert list(all_["redundant"].values()) == sorted(all_["redundant"].values())
    assert 0 < one["plain_seconds"] < 60
    assert 0 < one["seconds"] < 60
    assert one["branches"] < one["all_branches"] == all_["all_branches"]
