"""Shared by the tests of the command line: small Subjects, made results, a command to run."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from in_process import run_here
from own_process import command

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


#: Variables that an interpreter reads when it starts, so that a run with them needs its own.
OF_INTERPRETERS = ("PYTHONHASHSEED", "PYTHONIOENCODING")


@pytest.fixture
def project(tmp_path) -> Path:
    """A directory with two modules that can be tested in a moment."""
    (tmp_path / "bank.py").write_text(ACCOUNT)
    (tmp_path / "signs.py").write_text(SIGN)
    return tmp_path


@pytest.fixture(scope="session")
def signs_project(tmp_path_factory) -> Path:
    """A directory in which ``generate`` has written the suite of ``signs``."""
    folder = tmp_path_factory.mktemp("signs")
    (folder / "signs.py").write_text(SIGN)
    done = run_here(folder, "generate", "signs.py")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def signs_suite(signs_project) -> str:
    """The text of the suite that ``generate`` writes for ``signs``, generated once."""
    return (signs_project / "tests" / "test_signs.py").read_text()


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the command line in ``tmp_path``; with variables of an interpreter as a process."""

    def run_words(*words, **env):
        if any(name in OF_INTERPRETERS for name in env):
            return command(tmp_path, *words, **env)
        monkeypatch.chdir(tmp_path)
        return run_here(tmp_path, *words, **env)

    return run_words


@pytest.fixture
def explain_code(tmp_path, run):
    """Write code as the module ``things``; answers what ``explain`` of one of its names prints."""

    def explain_in(code):
        (tmp_path / "things.py").write_text(code)

        def told(name, *words):
            done = run("explain", f"things:{name}", "--format", "json", "-j", "1", *words)
            assert done.returncode == 0, done.stderr
            return json.loads(done.stdout)

        return told

    return explain_in
