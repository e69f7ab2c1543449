"""Suites of projects whose settings are stricter than usual, from the outside."""

from __future__ import annotations

import pytest

MODULE = "def f(x):\n    return x + 1\n"
TEST = "from m import f\n\n\ndef test_f():\n    assert f(1) == 2\n"


@pytest.fixture
def strict(tmp_path):
    """A project that turns every warning into an error."""
    (tmp_path / "m.py").write_text(MODULE)
    (tmp_path / "test_m.py").write_text(TEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\npythonpath = .\n")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("check", "test_m.py", "-s", "m", "--select", "UC1"),
        ("mutants", "run", "test_m.py", "-s", "m"),
    ],
)
def test_commands_run_where_warnings_are_errors(words, strict, run):
    done = run(*words)
    assert "[suite-not-run]" not in done.stderr
    assert done.returncode == 0
