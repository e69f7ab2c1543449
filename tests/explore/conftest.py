"""``lab``: a function from source text to a Lab."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def lab(tmp_path):
    from source_lab import Lab  # noqa: PLC0415 - needs the line above

    opened = []

    def make(source: str, **options):
        opened.append(Lab(source, tmp_path, **options))
        return opened[-1]

    yield make
    for one in opened:
        one.close()
