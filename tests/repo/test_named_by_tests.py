"""Every module of the package is named by some test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from repository import modules

TESTS = Path(__file__).resolve().parents[1]
FILES = [path for path in TESTS.rglob("test_*.py") if path != Path(__file__)]

#: The words of all test files: what they import or name, and what they mirror by their own name.
WORDS = frozenset(re.findall(r"\w+", "\n".join(path.read_text() for path in FILES))) | frozenset(
    path.stem.removeprefix("test_") for path in FILES
)


@pytest.mark.parametrize(
    "name",
    [name for name, file in modules().items() if file.name not in ("__init__.py", "__main__.py")],
)
def test_a_module_is_named(name):
    assert name.rpartition(".")[2] in WORDS
