"""``unitcraft check`` from the outside: the published table, the report, what goes wrong."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).resolve().parents[2]

#: Lines of progress on standard error.
ANNOUNCED = "running the tests, guarded and recorded"
AGAIN = "running them again with another hash seed, date and order"

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


def test_a_test_with_an_assertion_of_its_own_is_not_called_redundant(stack, run):
    (stack / "test_stack.py").write_text(TESTS + "    assert s3._size == 1\n")
    words = ("check", "-s", "int_stack", "--select", "UC1")
    done = run(*words)
    assert done.returncode == 0
    assert "UC102 repeats" not in done.stdout
    assert (
        "not reported: 1 test with calls of others, but assertions or branches of their own"
        in done.stdout
    )
    assert "test_t3: UC102 repeats" in run(*words, "--unsafe").stdout


SETTINGS = """\
from contextvars import ContextVar

SETTINGS = ContextVar("settings")


def secret_key():
    key = SETTINGS.get()["key"]
    if isinstance(key, str):
        key = key.encode()
    return key
"""

TESTS_OF_SETTINGS = """\
from settings import SETTINGS, secret_key


def test_bytes():
    SETTINGS.set({"key": b"a"})
    assert secret_key() == b"a"


def test_text():
    SETTINGS.set({"key": "a"})
    assert secret_key() == b"a"


def test_bytes_again():
    SETTINGS.set({"key": b"a"})
    assert secret_key() == b"a"
"""


def test_code_that_takes_another_way_has_read_what_no_call_shows(tmp_path, run):
    """Equal calls with equal results: one encodes a text that the context holds."""
    (tmp_path / "settings.py").write_text(SETTINGS)
    (tmp_path / "test_settings.py").write_text(TESTS_OF_SETTINGS)
    done = run("check", "-s", "settings", "--select", "UC1")
    assert "test_text" not in done.stdout
    assert "::test_bytes_again: UC101 repeats test_settings.py::test_bytes" in done.stdout
    assert "not reported: 1 test with calls of others, but assertions or branches" in done.stdout
    kept = run("minimize", "-s", "settings", "--format", "nodes").stdout.split()
    assert kept == ["test_settings.py::test_bytes", "test_settings.py::test_text"]


TESTS_OF_DEFAULTS = """\
from looks import defaults


def test_defaults():
    assert defaults() == {"colour": "red"}


def test_defaults_are_not_shared():
    settings = defaults()
    settings["colour"] = "blue"
    assert defaults() == {"colour": "red"}
"""


def test_a_test_that_changes_what_the_code_handed_out_repeats_nothing(tmp_path, run):
    """It alone fails where the code hands out the same dictionary twice."""
    (tmp_path / "looks.py").write_text("def defaults():\n    return {'colour': 'red'}\n")
    (tmp_path / "test_looks.py").write_text(TESTS_OF_DEFAULTS)
    told = run("check", "-s", "looks", "--select", "UC1").stdout
    assert "repeats" not in told
    assert "not judged: 1 test that went on with foreign objects" in told
    kept = run("minimize", "-s", "looks", "--format", "nodes").stdout.split()
    assert [node.partition("::")[2] for node in kept] == [
        "test_defaults",
        "test_defaults_are_not_shared",
    ]


def test_report_names_what_is_repeated(stack, run):
    done = run("check", "test_stack.py", "-s", "int_stack.py", "--select", "UC1")
    assert done.stdout.splitlines()[:3] == [
        "test_stack.py::test_t3: UC102 repeats test_stack.py::test_t1",
        "",
        "3 tests made 13 calls to 4 functions.",
    ]


def test_exit_zero(stack, run):
    assert run("check", "-s", "int_stack", "--select", "UC1", "--exit-zero").returncode == 0


def test_options_reach_pytest(stack, run):
    done = run(
        "check", "-s", "int_stack", "--select", "UC1", "--pytest-arg=-k", "--pytest-arg=t1 or t2"
    )
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
    assert "not judged: 1 test that did not pass" in done.stdout


FAULTS = """\
import os
import random
import socket
import time

from int_stack import IntStack

SEEN = []


def test_sound(tmp_path):
    (tmp_path / "file").write_text("text")
    assert IntStack().is_empty()


def test_silent():
    IntStack().push(1)


def test_silent_on_purpose():  # unitcraft: ignore[UC201]
    IntStack().push(2)


def test_empty():
    stack = IntStack()
    stack.push(3)
    assert (stack.pop() == 4, "wrong")


def test_order_first():
    SEEN.append(1)
    assert IntStack().pop is not None


def test_order_second():
    assert SEEN
    IntStack().push(5)


def test_date():
    stack = IntStack()
    assert stack.push(time.localtime().tm_yday) is None
    assert time.time() < 0 or int(time.time()) // 86_400 == TODAY


def test_hash():
    stack = IntStack()
    stack.push(6)
    assert hash("text") == HASH


def test_effect():
    try:
        socket.create_connection(("localhost", 9))
    except OSError:
        pass
    assert IntStack().is_empty() is True
"""


@pytest.fixture
def faults(stack, run):
    """Another suite, and a run of ``check`` over it."""
    program = "import sys; print(hash('text'), end='')"
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    text = FAULTS.replace("HASH", done.stdout).replace("TODAY", str(int(time.time()) // 86_400))
    (stack / "test_stack.py").write_text(text)
    return lambda *words: run("check", "-s", "int_stack", "--select", "UC2,UC3", *words)


def test_a_suite_that_replaces_the_clock_itself_is_judged(stack, run):
    """As freezegun does: a metaclass of its own, and classes that are compared by identity."""
    clock = (
        "import datetime\nclass Meta(type): ...\nclass Date(datetime.date, metaclass=Meta): ...\n"
        "def test_strptime():\n"
        "    found = datetime.datetime.strptime('2023-01-01', '%Y-%m-%d').date()\n"
        "    assert type(found) is datetime.date\n"
    )
    (stack / "test_stack.py").write_text(clock + TESTS)
    done = run("check", "-s", "int_stack", "--select", "UC3")
    assert done.returncode == 0
    assert done.stderr == f"{ANNOUNCED}\n4 tests made 13 calls: comparing them\n{AGAIN}\n"
    assert "note:" not in done.stdout


def test_a_suite_that_does_not_bear_a_shifted_clock_is_judged(stack, run):
    clock = f"import time\nassert time.time() < {time.time() + 86_400}\n"
    (stack / "test_stack.py").write_text(clock + TESTS)
    done = run("check", "-s", "int_stack", "--select", "UC3")
    assert done.returncode == 0
    assert done.stderr == f"{ANNOUNCED}\n3 tests made 13 calls: comparing them\n{AGAIN}\n"
    assert "note: the suite does not run with a shifted clock" in done.stdout


def test_weak_flaky_and_unhermetic_tests(faults):
    found = json.loads(faults("--format", "json").stdout)["findings"]
    assert [(one["test"].partition("::")[2], one["code"]) for one in found] == [
        ("test_silent", "UC201"),
        ("test_empty", "UC202"),
        ("test_order_second", "UC301"),
        ("test_date", "UC301"),
        ("test_hash", "UC301"),
        ("test_effect", "UC302"),
    ]
    messages = [one["message"] for one in found]
    assert "another order" in messages[2]
    assert "another date" in messages[3]
    assert "another hash seed" in messages[4]
    assert "socket" in messages[5]
    assert found[1]["where"].startswith("test_stack.py:")


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("concise", "test_stack.py::test_silent: UC201 asserts nothing\n"),
        ("github", "::warning file=test_stack.py,line=16,title=UC201::test_stack.py::test_silent"),
        ("junit", '<failure type="UC201" message="UC201 asserts nothing">test_stack.py:16'),
        ("sarif", '"ruleId": "UC201"'),
    ],
)
def test_forms_for_other_programs(form, expected, faults):
    done = faults("--select", "UC201", "--format", form)
    assert expected in done.stdout
    assert done.returncode == 1
    if form == "sarif":
        assert json.loads(done.stdout)["version"] == "2.1.0"
    if form == "junit":
        root = ET.fromstring(done.stdout)
        assert (root.get("tests"), root.get("failures")) == ("9", "1")


def test_ignored_codes_and_mutants_that_are_known(faults, stack):
    kills = {"test_stack.py::test_sound": 0, "test_stack.py::test_empty": 3}
    (stack / "kills.json").write_text(json.dumps(kills))
    words = ("--select", "UC2", "--ignore", "UC201,UC202", "--kills", "kills.json")
    done = faults(*words, "--format", "concise")
    assert done.stdout == "test_stack.py::test_sound: UC203 kills no mutant that it reaches\n"


TICKING = """
import itertools
C = itertools.count()
def tick(by):
    return next(C) if by else 0
"""


def test_a_function_whose_inputs_repeat_in_part_may_be_called_by_a_redundant_test(tmp_path, run):
    (tmp_path / "ticking.py").write_text(TICKING)
    lines = [f"def test_{n}():\n    assert tick({by}) >= 0\n" for n, by in enumerate((1, 1, 0, 0))]
    (tmp_path / "test_ticking.py").write_text("\n".join(["from ticking import tick", *lines]))
    told = run("check", "-s", "ticking", "--select", "UC1").stdout
    assert "test_3: UC101 repeats test_ticking.py::test_2" in told
    assert "test_1: " not in told
    assert "no test that runs these is redundant): ticking:tick" in told
