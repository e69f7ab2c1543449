"""Differences that ``git apply`` takes."""

from __future__ import annotations

import subprocess

import pytest

from unitcraft.app.text_diff import diff_of_file


@pytest.mark.parametrize(("old", "new"), [("a\nb\n", "a\nc\n"), ("a\nb", "a\nc\n"), (None, "a\n")])
def test_git_applies_a_difference(tmp_path, old, new):
    file = tmp_path / "tests" / "test_a.py"
    file.parent.mkdir()
    if old is not None:
        file.write_text(old)
    text = diff_of_file(file, old, new, tmp_path)
    command = ["git", "apply", "-"]
    subprocess.run(command, cwd=tmp_path, input=text, text=True, check=True, timeout=30)
    assert file.read_text() == new
