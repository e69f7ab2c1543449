"""Makes ``repository`` importable in importlib mode; what it parsed is let go after these tests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import repository


@pytest.fixture(autouse=True, scope="package")
def trees_are_let_go():
    """A million nodes would be in the way of all that looks through the heap later."""
    yield
    repository.nodes.cache_clear()
    repository.tree.cache_clear()
