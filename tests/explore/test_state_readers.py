"""Source in, the functions that read state of the module out."""

from __future__ import annotations

import ast

import pytest

from unitcraft.explore.search.variation.state_readers import state_readers

HEAD = """
class Pool: ...
POOL = Pool()
TABLE = {"a": 1}
SEEN = {}
JOBS: list = []
count = 0
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def f(): return POOL.size", {"f"}),
        ("def f(): return TABLE['a']", set()),
        ("def f(k): return SEEN.get(k)\ndef g(k): SEEN[k] = 1", {"f", "g"}),
        ("def f(): return len(SEEN)\nclass A:\n    def g(self): SEEN.update(a=1)", {"f"}),
        ("def f(): return JOBS\ndef g(): return Pool(JOBS)", {"f", "g"}),
        ("def f(): return count\ndef g():\n    global count\n    count += 1", {"f", "g"}),
        ("def f(): return POOL\ndef g(): return f()\ndef h(): return 1", {"f", "g"}),
        ("def f(k):\n    del SEEN[k]\ndef g(n): return [n]", {"f"}),
    ],
)
def test_what_nothing_changes_is_no_state(body, expected):
    assert state_readers(ast.parse(HEAD + body)) == expected
