"""Borrows the Lab of ``tests/explore``: Subjects and Sequences from source text."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).resolve().parents[1] / "explore")]


@pytest.fixture
def lab(tmp_path):
    from source_lab import Lab  # noqa: PLC0415 - needs the line above

    opened = []

    def make(source: str):
        opened.append(Lab(source, tmp_path))
        return opened[-1]

    yield make
    for one in opened:
        one.close()
