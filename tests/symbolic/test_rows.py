"""The cases of ``tests/cases/symbolic.md``: plainly, on proxies, and along the same path."""

from __future__ import annotations

import re
from math import inf, nan
from pathlib import Path

import pytest
from harness import agree

CASES = Path(__file__).parent.parent / "cases" / "symbolic.md"
_CASE = re.compile(
    r"^## (.+?)\n\n```python\n(.*?)\n```\n\n```inputs\n(.*?)\n```$", re.MULTILINE | re.DOTALL
)


def rows():
    """(name, source, inputs of each call)."""
    for name, source, calls in _CASE.findall(CASES.read_text(encoding="utf-8")):
        runs = [eval(f"({line},)", {"nan": nan, "inf": inf}) for line in calls.splitlines()]
        yield name, source, runs


ROWS = list(rows())


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(
    ("source", "runs"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_a_row_agrees(source, runs):
    for inputs in runs:
        agree(source, "f", *inputs)


def test_every_case_is_read_and_has_its_own_name():
    names = re.findall(r"^## (.+)$", CASES.read_text(encoding="utf-8"), re.MULTILINE)
    assert [row[0] for row in ROWS] == names
    assert len(set(names)) == len(names)
