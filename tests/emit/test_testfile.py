"""Test files taken apart, digests of their functions, and the process that runs one."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from unitcraft.emit.code.digest_comments import TABLE_PREFIX, digest, digest_lines, digests_in
from unitcraft.emit.merge.testfile import TestFile, names_in
from unitcraft.emit.verify import verifier_main

FUNCTION = "def test_a():\n    assert f(1) == 2"
FILE = f'''"""Doc."""
# top

import os as system
from . import shop

# about a
{FUNCTION}


class TestBox:
    size = 1

    # about b
    def test_b(self):
        pass

{digest_lines([("test_a", "# about a" + chr(10) + FUNCTION)])[0]}
'''


def test_a_digest_does_not_depend_on_layout():
    assert digest("f", "def f(): pass") == digest("f", "def  f():\n    pass")
    assert digest("f", "x = 'a'") == digest("f", 'x = "a"')
    assert digest("f", "x = 1") != digest("f", "x = 2")
    assert digest("f", "x = 1") != digest("g", "x = 1")


def test_digests_are_read_back_from_the_comments():
    functions = [(f"test_{n}", f"def test_{n}(): pass") for n in range(40)]
    lines = digest_lines(functions)
    assert all(line.startswith(TABLE_PREFIX) and len(line) < 100 for line in lines)
    assert digests_in(["x = 1", *lines]) == {digest(*one) for one in functions}


def test_the_pieces_of_a_file():
    file = TestFile(FILE)
    assert file.top() == '"""Doc."""\n# top'
    assert [(one.module, one.name, one.alias) for one in file.imports] == [
        ("os", "", "system"), (".", "shop", ""),
    ]  # fmt: skip
    assert [piece.name for piece in file.functions()] == ["test_a", "TestBox.test_b"]
    first, box = (piece for piece in file.pieces if piece.name)
    assert first.text.startswith("# about a\ndef test_a")
    assert first.ours
    assert first.is_untouched
    assert box.members[1].text == "# about b\ndef test_b(self):\n    pass"
    assert not box.is_untouched
    assert box.is_test


def test_an_edited_function_is_not_ours():
    edited = TestFile(FILE.replace("f(1) == 2", "f(1) == 3"))
    assert not edited.functions()[0].ours
    with pytest.raises(SyntaxError):
        TestFile("def (")


def test_names_in_code():
    assert names_in("a = b.c(d)") == {"a", "b", "d"}


def run_verifier(tmp_path, text, **options):
    """(exit status, what the verifier said of each test, what it printed)."""
    tests = tmp_path / "test_it.py"
    tests.write_text(text)
    settings = {"tests": str(tests), "roots": [], "report": str(tmp_path / "report"),
                "reverse": False, "seconds": 60, "cover": "", "figures": "", "apart": [],
                "collects": False, "repeats": False, "plain": False,
                "umask": 0o022, "warnings": [], **options}  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", verifier_main.__name__, json.dumps(settings)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = [json.loads(line) for line in (tmp_path / "report").read_text().splitlines()]
    return done.returncode, said, done.stdout + done.stderr


def test_each_test_is_announced_before_it_runs(tmp_path):
    text = "def test_good():\n    assert True\n\ndef test_bad():\n    assert 1 == 2\n"
    status, said, printed = run_verifier(tmp_path, text, reverse=True)
    assert status == 1, printed
    assert [(one["kind"], one.get("node", "")) for one in said] == [
        ("start", "test_bad"), ("fail", "test_bad"), ("end", "test_bad"), ("start", "test_good"),
        ("end", "test_good"), ("collecting", ""), ("collected", ""), ("done", ""),
    ]  # fmt: skip
    assert (said[1]["line"], said[1]["error"]) == (5, "AssertionError")


COUNTING = """
count = 0

def test_first():
    global count
    count += 1
    assert count == 1

def test_second(tmp_path):
    assert not list(tmp_path.iterdir())
    (tmp_path / "a").touch()
"""


def test_what_fails_when_it_runs_once_more_is_said(tmp_path):
    _, said, printed = run_verifier(tmp_path, COUNTING, repeats=True)
    assert [one["node"] for one in said if one["kind"] == "again"] == ["test_first"], printed
    assert [one for one in said if one["kind"] == "fail"] == []
    assert [one["kind"] for one in said].count("end") == 4


FORGOTTEN = """
import weakref

class Box:
    pass

def test_box():
    assert weakref.ref(Box())() is not None
"""


def test_what_only_a_rewritten_assert_keeps_alive_fails_with_a_plain_one(tmp_path):
    status, _, printed = run_verifier(tmp_path, FORGOTTEN)
    assert status == 0, printed
    status, said, printed = run_verifier(tmp_path, FORGOTTEN, plain=True)
    assert [one["node"] for one in said if one["kind"] == "fail"] == ["test_box"], printed
    assert status == 1
