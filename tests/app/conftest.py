"""Shared by the tests of the command line: small Subjects, made results, a command to run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

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


def command(cwd, *words, **env):
    """Run ``unitcraft`` with words in a directory and wait for its end."""
    return subprocess.run(
        [sys.executable, "-m", "unitcraft", *words], cwd=cwd, env={**os.environ, **env},
        capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.fixture
def project(tmp_path) -> Path:
    """A directory with two modules that can be tested in a moment."""
    (tmp_path / "bank.py").write_text(ACCOUNT)
    (tmp_path / "signs.py").write_text(SIGN)
    return tmp_path


@pytest.fixture
def run(tmp_path):
    return lambda *words, **env: command(tmp_path, *words, **env)


sys.path.insert(0, str(Path(__file__).parent))
