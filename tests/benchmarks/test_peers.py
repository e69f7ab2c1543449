"""Our side of the comparison with other engines: the numbers of paths are known."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = Path(__file__).parents[2] / "benchmarks" / "peers" / "our_paths.py"


@pytest.mark.parametrize(("case", "paths"), [("trees", 4683), ("lists", 923)])
def test_all_paths_are_found(case, paths):
    """Fubini's number of six; all ways to merge up to five and five ordered numbers."""
    command = [sys.executable, str(DRIVER), case, "10000"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    answer = json.loads(done.stdout)
    assert (answer["paths"], answer["incomplete"]) == (paths, 0)
    assert answer["cpu"] > 0
