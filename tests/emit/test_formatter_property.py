"""Whatever is written is what ``ruff format`` would print and what ``ruff check`` accepts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from random_tests import SUBJECT, random_suite

from unitcraft.emit.code.formatter import Leaf, Pair, call, render
from unitcraft.emit.code.literal_code import source
from unitcraft.emit.write.writer import write

RUFF = str(Path(sys.executable).with_name("ruff"))
FILES = 120


def ruff(*args: str) -> str:
    done = subprocess.run([RUFF, *args], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("written")
    for seed in range(FILES):
        text = write(SUBJECT, random_suite(Random(seed)), first_party=seed % 2 == 0).text
        (place / f"test_{seed}.py").write_text(text, encoding="utf-8")
    return place


def test_ruff_format_changes_nothing_in_functions_that_answer_by_their_first_argument(tmp_path):
    lines = []
    for size in range(1, 70, 3):
        for keys in (1, 2):
            table = ", ".join([f"'{'k' * size}{at}': (0, 'a', '')" for at in range(keys)])
            for rest in ("key", "key, 'b'", f"key, (0, '{'d' * size}')", f"key, '{'d' * 40}'"):
                text = f"lambda key, *args, **kwargs: {{{table}}}.get({rest})"
                made = call("show", [Leaf("1"), Pair(Leaf("load"), "=", source(text).node)])
                lines += render(made, "")
    (tmp_path / "calls.py").write_text("\n".join([*lines, ""]), encoding="utf-8")
    assert ruff("format", "--isolated", "--diff", str(tmp_path)) == ""


def test_ruff_format_changes_nothing(folder):
    assert ruff("format", "--isolated", "--diff", str(folder)) == ""


@pytest.mark.parametrize("pattern", ["test_*[02468].py", "test_*[13579].py"])
def test_ruff_check_finds_nothing(folder, pattern):
    (folder / "shop").mkdir(exist_ok=True)
    party = "first" if "0" in pattern else "third"
    names = "shop" if party == "first" else "unrelated"
    found = ruff(
        "check", "--isolated", "--select", "E,F,W,I,PT,B,UP,SIM",
        "--ignore", "E501,PT011",  # a message that others word is not pinned
        "--config", f'lint.isort.known-first-party = ["{names}"]',
        "--config", f'lint.isort.known-third-party = ["{"none" if party == "first" else "shop"}"]',
        "--output-format", "concise", *map(str, sorted(folder.glob(pattern))),
    )  # fmt: skip
    assert found == ""


def test_long_lines_hold_one_text_that_cannot_be_broken(folder):
    for path in folder.glob("test_*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert len(line) <= 88 or '"' in line or "'" in line, line
