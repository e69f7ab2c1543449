"""Small programs, one for each kind of code: each gets the tests that a person would write.

The suites of the modules of ``kinds`` stand in ``kinds/golden``, as they were read.  After a change
that makes them better, ``UNITCRAFT_GOLDEN=write pytest tests/quality/test_kinds.py`` writes them
anew: read the difference.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

KINDS = Path(__file__).resolve().parent / "kinds"
NAMES = sorted(path.stem for path in KINDS.glob("*.py"))
#: The version whose suites were read: the library of another one says other things of one input.
PYTHON = (3, 11)
#: Tests that there may be more or fewer in another version.
MAX_OTHER = 2
#: The share of the mutants of all these programs that their suites have to kill.
MIN_KILLED = 0.9


@pytest.mark.parametrize("name", NAMES)
def test_the_suite_is_as_it_was_read(kind_suite, name):
    text = kind_suite(name).text
    golden = KINDS / "golden" / f"{name}.txt"
    if os.environ.get("UNITCRAFT_GOLDEN") == "write":
        golden.write_text(text)
    if sys.version_info[:2] == PYTHON:
        assert text == golden.read_text()
    else:
        assert abs(text.count("def test_") - golden.read_text().count("def test_")) <= MAX_OTHER


def test_most_mutants_are_killed(kind_suite):
    found = [kind_suite(name).mutants for name in NAMES]
    assert len(found) >= 40
    assert sum(one.killed for one in found) >= MIN_KILLED * sum(
        one.all - one.at_import for one in found
    )
