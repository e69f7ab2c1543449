"""The variables that source text names."""

from __future__ import annotations

import pytest

from unitcraft.subject.reading.environment_names import global_readers, names_read, telling_values


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import os\nA = os.environ['A']", ("A",)),
        ("A = environ.get('A', 'B')", ("A",)),
        ("A = os.getenv('A') or getenv('B')", ("A", "B")),
        ("if 'A' in os.environ: x = os.environ.pop('B')", ("B", "A")),
        ("def f(n): return os.environ[n], {}.get('A'), ['A'], 'A' in n", ()),
        ("os.environ['A'], os.environ['A']", ("A",)),
        ("KEY = 'A'\nOTHER = 'B'\ndef f(): return os.environ.get(KEY)", ("A",)),
        ("def f(n): return os.environ[n]\ndef g(n='A', m='B', *, k='C'): return f(n)", ("A",)),
        ("def f(m, /, n=None, *, k='A', p): return getenv(k) and n in environ", ("A",)),
        ("def f(:", ()),
    ],
)
def test_names(source, names):
    assert sorted(names_read(source)) == sorted(names)


@pytest.mark.parametrize(
    ("source", "values"),
    [
        ("IS_CI = os.environ.get('CI') == 'true'", {"CI": "true"}),
        ("IS_CI = 'yes' == os.getenv('CI', 'no').lower()", {"CI": "yes"}),
        ("x = environ['A'] in ('', '1', 'on') or environ['B'] != 'off'", {"A": "1", "B": "off"}),
        ("def f():\n  level = os.getenv('L')\n  if level == 'debug': pass", {"L": "debug"}),
        ("if 'CI' in os.environ: x = 1", {}),
        ("x = os.environ['A'] == name", {}),
        ("def f(:", {}),
    ],
)
def test_telling_values(source, values):
    assert telling_values(source) == values


def test_readers_of_global_names():
    source = """
FAST = None
def kind(FAST): return FAST
class Printer:
    def show(self, text):
        def inner(): return SLOW
        return FAST(text) if FAST else inner()
def reset():
    global FAST
    FAST = None
x = FAST
"""
    assert {one: names for one, names in
            global_readers(source, "m", frozenset({"FAST", "SLOW"})).items() if names} == {
        "Printer.show": ("m.SLOW", "m.FAST"),
    }  # fmt: skip
    assert global_readers("def f(:", "m", frozenset({"FAST"})) == {}
