"""Every module of the package is named by some test."""

from __future__ import annotations

import re
from pathlib import Path

from repository import modules

TESTS = Path(__file__).resolve().parents[1]
FILES = [path for path in TESTS.rglob("test_*.py") if path != Path(__file__)]


def words() -> set[str]:
    """The words of all test files: what they import or name, and what their own names mirror."""
    texts = "\n".join(path.read_text() for path in FILES)
    return {*re.findall(r"\w+", texts), *[path.stem.removeprefix("test_") for path in FILES]}


def test_every_module_is_named():
    plain = [name for name, file in modules().items() if not file.name.startswith("__")]
    known = words()
    assert [name for name in plain if name.rpartition(".")[2] not in known] == []
