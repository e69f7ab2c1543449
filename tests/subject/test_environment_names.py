"""The variables that source text names."""

from __future__ import annotations

import pytest

from unitcraft.subject.reading.environment_names import names_read


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import os\nA = os.environ['A']", ("A",)),
        ("A = environ.get('A', 'B')", ("A",)),
        ("A = os.getenv('A') or getenv('B')", ("A", "B")),
        ("if 'A' in os.environ: x = os.environ.pop('B')", ("B", "A")),
        ("def f(n): return os.environ[n], {}.get('A'), ['A'], 'A' in n", ()),
        ("os.environ['A'], os.environ['A']", ("A",)),
        ("def f(:", ()),
    ],
)
def test_names(source, names):
    assert sorted(names_read(source)) == sorted(names)
