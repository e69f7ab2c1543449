"""What only several calls reach, and an engine that starts every object afresh cannot."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

SUBJECTS = Path(__file__).resolve().parents[1] / "subjects"


def test_generate_breaks_the_postcondition_by_a_third_insertion(suite_of):
    tree = ast.parse(suite_of("ranks").text)
    (test,) = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and "AssertionError" in ast.unparse(node)
    ]
    assert ast.unparse(test).count(".insert(") == 3


def test_generate_takes_from_what_is_not_empty(suite_of):
    text = suite_of("ranks").text
    assert ".lowest() == " in text
    assert "LookupError" in text


def test_an_assert_that_the_code_breaks_is_a_probable_bug(suite_of):
    (found,) = [one for one in suite_of("ranks").findings if one.code == "UC402"]
    assert found.target == "ranks:Ranks.insert"
    assert "(the ranks are in order) fails after: ranks = Ranks(); ranks.insert(" in found.message


def explained(target, *words):
    command = [sys.executable, "-m", "unitcraft", "explain", target, "--format", "json", "-j", "1"]
    done = subprocess.run(
        [*command, *words], cwd=SUBJECTS, capture_output=True, text=True, timeout=120, check=True
    )
    return json.loads(done.stdout)["paths"]


def test_explain_says_when_the_postcondition_breaks():
    broken = [path for path in explained("ranks.py:Ranks.insert") if path["raised"]]
    assert {tuple(path["after"]) for path in broken} == {("insert", "insert")}
    assert {path["outcome"] for path in broken} == {
        "raises AssertionError: the ranks are in order at line 19"
    }
    assert any("rank < insert" in " ".join(path["condition"]) for path in broken)


def test_explain_reads_from_what_is_not_empty():
    paths = explained("ranks.py:Ranks.lowest", "--calls", "1")
    found = {tuple(path["after"]): path["raised"] for path in paths}
    assert found == {(): True, ("insert",): False}
