"""Shared by the tests of the command line: small Subjects, made results, a command to run."""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from unitcraft.app.cli import exit_code
from unitcraft.suite.existing.suite_sources import source_of

sys.path.insert(0, str(Path(__file__).parent))
from own_process import command
from report_schema import check_document

ACCOUNT = """\
class Overdrawn(Exception):
    pass


class Account:
    def __init__(self, balance: int = 0) -> None:
        self.balance = balance

    def withdraw(self, amount: int) -> int:
        if amount > self.balance:
            raise Overdrawn(f"short of {amount - self.balance}")
        self.balance -= amount
        return self.balance
"""

SIGN = """\
def sign(number: int) -> str:
    if number < 0:
        return "negative"
    return "positive" if number else "zero"
"""


@dataclass(frozen=True, slots=True)
class Finished:
    """A run of the command line: exit code and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def run_here(*words) -> Finished:
    """Run the command line in this process, as ``python -m unitcraft`` would in one of its own."""
    out, err = io.StringIO(), io.StringIO()
    source_of.cache_clear()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = exit_code(words)
    check_document(out.getvalue())
    return Finished(code, out.getvalue(), err.getvalue())


@pytest.fixture
def project(tmp_path) -> Path:
    """A directory with two modules that can be tested in a moment."""
    (tmp_path / "bank.py").write_text(ACCOUNT)
    (tmp_path / "signs.py").write_text(SIGN)
    return tmp_path


@pytest.fixture(scope="session")
def signs_suite(tmp_path_factory) -> str:
    """The text of the suite that ``generate`` writes for ``signs``, generated once."""
    folder = tmp_path_factory.mktemp("signs")
    (folder / "signs.py").write_text(SIGN)
    done = command(folder, "generate", "signs.py")
    assert done.returncode == 0, done.stderr
    return (folder / "tests" / "test_signs.py").read_text()


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the command line in ``tmp_path``; with variables of the environment as a process."""

    def run_words(*words, **env):
        if env:
            return command(tmp_path, *words, **env)
        monkeypatch.chdir(tmp_path)
        return run_here(*words)

    return run_words
