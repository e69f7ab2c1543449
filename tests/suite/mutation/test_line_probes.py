"""Marks and probes: marked code does the same, and tells the lines that run."""

from __future__ import annotations

import ast
import importlib
import sys

import pytest

from unitcraft.suite.mutation.mutants.code_objects import (
    identity,
    inner_codes,
    live_functions,
    with_line_marks,
)
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource
from unitcraft.suite.mutation.session.line_probes import LineProbes

SOURCE = '''\
"""Of a module."""


def outer(number):
    """Of a function."""
    total = 0

    def inner(one):
        nonlocal total
        total += one
        return total

    for one in range(number):
        inner(one)
    else:
        total += 100
    try:
        return list(map(lambda one: one + total, (x for x in range(2))))
    finally:
        total = 0


class Thing:
    def value(self):
        if self is None:
            return 1
        return 2


VALUE = Thing().value()
'''


@pytest.fixture
def probed(tmp_path, monkeypatch):
    """The module, imported with probes, and the probes."""
    file = tmp_path.resolve() / "probed_subject.py"
    file.write_text(SOURCE)
    monkeypatch.syspath_prepend(str(file.parent))
    probes = LineProbes([ModuleSource("probed_subject", str(file), SOURCE)])
    assert probes.start() == []
    module = importlib.import_module("probed_subject")
    yield module, probes
    probes.swap_out([])
    del sys.modules["probed_subject"]


def test_marked_code_does_the_same_under_the_same_names():
    plain, marked = ast.parse(SOURCE), with_line_marks(ast.parse(SOURCE), 3)
    before, after = (compile(tree, "file", "exec") for tree in (plain, marked))
    names = [[identity(one) for one in inner_codes(code)] for code in (before, after)]
    assert names[0] == names[1]
    assert ast.unparse(plain) == ast.unparse(ast.parse(SOURCE))


def test_lines_and_calls_are_told_until_they_are_taken(probed):
    module, probes = probed
    probes.take()
    assert module.outer(3) == [103, 104]
    assert module.outer.__doc__ == "Of a function."
    lines, calls = probes.take()
    assert [line for _, line in lines] == [6, 8, 9, 10, 11, 13, 14, 16, 17, 18, 20]
    assert calls == 4
    assert probes.take() == ([], 0)


def test_lines_that_run_when_a_subject_is_imported_are_told_apart(probed):
    module, probes = probed
    assert module.VALUE == 2
    assert sorted(line for _, line in probes.importing) == [25, 27]


def test_functions_get_their_own_code_back(probed):
    module, probes = probed
    lives = [one for found in live_functions(module.__file__).values() for one in found]
    probes.swap_out(lives)
    probes.forget()
    assert module.outer(3) == [103, 104]
    assert probes.take() == ([], 0)
    probes.swap_in(lives)
    module.Thing().value()
    assert probes.take()[1] == 1
